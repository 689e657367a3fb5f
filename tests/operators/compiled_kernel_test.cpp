#include "operators/compiled_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "operators/packed_matrix.hpp"
#include "operators/packed_points.hpp"
#include "mercer/kernels.hpp"
#include "mercer/user_kernel.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using StatisticKind = CompiledKernel::Statistic::Kind;

CompiledKernel program_of(const char* text) { return CompiledKernel(Kernel::parse(text)); }

TEST(CompiledKernel, ComputesEachStatisticOnce) {
  EXPECT_EQ(program_of("linear").statistics.size(), 1u);
  EXPECT_EQ(program_of("rbf(gamma=1) + rbf(gamma=2)").statistics.size(), 1u);
  const CompiledKernel five =
      program_of("linear + poly(degree=2) + rbf(gamma=1)*laplace(lambda=2) + matern(nu=1.5) + sigmoid");
  ASSERT_EQ(five.statistics.size(), 2u);
  EXPECT_EQ(five.statistics[0].kind, StatisticKind::dot);
  EXPECT_EQ(five.statistics[1].kind, StatisticKind::centred_dot);
  EXPECT_EQ(five.views.size(), 1u);
  EXPECT_TRUE(program_of("3").statistics.empty());
}

TEST(CompiledKernel, SharesEqualCoordinateSums) {
  EXPECT_EQ(program_of("manhattan(lambda=1)*manhattan(lambda=2)").statistics.size(), 1u);
  EXPECT_EQ(program_of("anova(gamma=1, degree=1) + anova(gamma=1, degree=2)").statistics.size(), 1u);
  EXPECT_EQ(program_of("anova(gamma=1) + anova(gamma=2)").statistics.size(), 2u);
  const CompiledKernel two = program_of("intersection + chi2(gamma=1)");
  EXPECT_EQ(two.statistics.size(), 2u);
  EXPECT_TRUE(two.views.front().non_negative);
}

TEST(CompiledKernel, SeparatesTheViewsOfColumnsAndMaps) {
  const CompiledKernel columns =
      program_of("rbf(gamma=1)@[1, 2] + rbf(gamma=1)@3 + rbf(gamma=2)@[1, 2] + linear");
  EXPECT_EQ(columns.views.size(), 4u - 1u);  // all, [1, 2], 3
  EXPECT_EQ(columns.statistics.size(), 3u);
  for (const auto& statistic : columns.statistics)
    EXPECT_EQ(std::ranges::count(columns.statistics, statistic.view, &CompiledKernel::Statistic::view), 1);
  EXPECT_EQ(program_of("mapped(linear, by=squares) + mapped(rbf(gamma=1), by=squares)").views.size(), 2u);
  const CompiledKernel nested = program_of("mapped(intersection@1 + linear, by=squares)");
  EXPECT_EQ(nested.views.size(), 3u);
  const auto needing = std::ranges::count(nested.views, true, &CompiledKernel::View::non_negative);
  EXPECT_EQ(needing, 1);  // the innermost alone
}

TEST(CompiledKernel, AppliesMapsOutermostFirst) {
  const CompiledKernel nested = program_of("mapped(linear@[2], by=append_norm)");
  const Points image = nested.views_of(Points(std::vector<std::vector<double>>{{3}, {4}}), nullptr, 1).back();
  EXPECT_EQ(image.cols(), 1u);
  EXPECT_EQ(image.row(1)[0], 16);
}

TEST(CompiledKernel, KeepsUserTilesApartByIdentity) {
  const auto f = [](std::span<const double>, std::span<const double>) { return 1.0; };
  const Kernel a = user_kernel("same", f), b = user_kernel("same", f);
  EXPECT_EQ(CompiledKernel(a * a).statistics.size(), 1u);
  EXPECT_EQ(CompiledKernel(a + b).statistics.size(), 2u);
}

TEST(CompiledKernel, KnowsTheDiagonalOfDistances) {
  const CompiledKernel p = program_of("rbf(gamma=1) + 2*laplace(lambda=3)");
  ASSERT_EQ(p.diagonal.operations().size(), 1u);  // 3, whatever the points
  EXPECT_EQ(p.diagonal.operations().front().p, 3);
}

TEST(CompiledKernel, NeedsOneProductForPolyAndRbfOnCentredPoints) {
  const CompiledKernel p = program_of("poly(degree=2) + rbf(gamma=1)");
  ASSERT_EQ(p.statistics.size(), 2u);
  auto rows = random_rows(50, 4, 1);
  const Points near = as_points(rows);
  for (auto& row : rows)
    for (double& value : row) value += 100;
  const Points far = as_points(rows);
  for (const bool moved : {false, true}) {
    const Points& points = moved ? far : near;
    const std::vector<Layout> layouts{
        choose_layout(points, points, true, false, Precision::float64, 1 << 30)};
    const PackedPoints<double> side(p, layouts, {points}, nullptr);
    EXPECT_EQ(side.plain[0].dense == side.centred[0].dense, !moved);
    const std::vector<std::size_t> some{3, 1};
    const PackedPoints<double> picked = side.gather(some);
    EXPECT_EQ(picked.plain[0].dense == picked.centred[0].dense, !moved);
  }
}

}  // namespace
}  // namespace mercer

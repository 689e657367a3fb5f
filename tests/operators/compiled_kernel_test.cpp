#include "operators/compiled_kernel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"
#include "mercer/user_kernel.hpp"
#include "operators/packed_matrix.hpp"
#include "operators/packed_points.hpp"
#include "random_objects.hpp"
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

Members members_of(const Points& points) {
  const Bags& bags = points.objects().front().bags();
  Dense<double> rows{bags.starts[bags.rows()], bags.columns, Buffer<double>(bags.values.size())};
  std::ranges::copy(bags.values, rows.values.begin());
  return {Points(std::move(rows)), {bags.starts.begin(), bags.starts.end()}};
}
const MemberMap map{"bags", members_of};

TEST(MemberSums, AreDoubleSumsOverBothSets) {
  const Kernel k = rbf({.gamma = 0.4});
  for (const auto& [n, m] : {std::pair{1, 1}, {3, 7}, {600, 50}}) {  // the last in several runs
    const Points x(random_objects(Domain::vectors, std::size_t(n), 1)),
        z(random_objects(Domain::vectors, std::size_t(m), 2));
    std::vector<double> sums(std::size_t(n * m));
    member_sums(map, k)(x, {0, std::size_t(n)}, z, {0, std::size_t(m)}, sums.data());
    const Members a = members_of(x), b = members_of(z);
    std::vector<double> K(a.points.rows() * b.points.rows());
    KernelOperator<double>(k, a.points, b.points).matrix(K);
    for (std::size_t i = 0; i < std::size_t(n); ++i)
      for (std::size_t j = 0; j < std::size_t(m); ++j) {
        double expected = 0;
        for (std::size_t p = a.starts[i]; p < a.starts[i + 1]; ++p)
          for (std::size_t q = b.starts[j]; q < b.starts[j + 1]; ++q) expected += K[p * b.points.rows() + q];
        EXPECT_NEAR(sums[i * std::size_t(m) + j], expected, 1e-12 * std::abs(expected));
      }
    const Range rows{std::size_t(n) / 3, std::size_t(n)}, columns{std::size_t(m) / 2, std::size_t(m)};
    std::vector<double> part(rows.size() * columns.size());
    member_sums(map, k)(x, rows, z, columns, part.data());
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (std::size_t j = 0; j < columns.size(); ++j)
        EXPECT_NEAR(part[i * columns.size() + j], sums[(rows.begin + i) * std::size_t(m) + columns.begin + j],
                    1e-12);
  }
}

TEST(MemberSums, OfAnEmptySetAreZeroAndOfAHugePairRefused) {
  const Points some(
      Objects("b", Domain::vectors, Bags{buffer_of<std::size_t>({0, 0, 1}), 1, buffer_of<double>({2})}));
  std::vector<double> sums(4, 7);
  member_sums(map, linear())(some, {0, 2}, some, {0, 2}, sums.data());
  EXPECT_EQ(sums, (std::vector<double>{0, 0, 0, 4}));
  const Points large(Objects("b", Domain::vectors,
                             Bags{buffer_of<std::size_t>({0, 400000}), 1, Buffer<double>(400000, 1.0)}));
  double out = 0;
  try {
    member_sums(map, linear())(large, {0, 1}, large, {0, 1}, &out);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::budget);
    EXPECT_NE(std::string(error.what()).find("a set of 400000 members"), std::string::npos);
  }
}

// What depends on one point alone leaves the pair formula, and nothing changes.

using Code = Formula::Code;

std::size_t count(const Formula& formula, Code code) {
  return std::size_t(std::ranges::count(formula.operations(), code, &Formula::Operation::code));
}

std::vector<CompiledKernel::Value> one_value() {
  return {{.kind = CompiledKernel::Value::Kind::function, .key = "f"}};
}

/// k = s · w(x) · w(z) + log(w(x)) with w = exp(−2f): f is point value 0, s a statistic.
Formula weighed() {
  Formula f;
  const Symbol s = f.statistic(0), x = f.row_value(0), z = f.column_value(0);
  f.finish(s * (exp(-2.0 * x) * exp(-2.0 * z)) + log(exp(-2.0 * x)));
  return f;
}

TEST(Hoist, MovesWhatDependsOnOnePointOutOfThePairs) {
  Formula formula = weighed();
  std::vector<CompiledKernel::Value> values = one_value();
  hoist_point_values(formula, values);
  EXPECT_EQ(count(formula, Code::exp_affine), 0u);
  EXPECT_EQ(count(formula, Code::log), 0u);
  EXPECT_EQ(count(formula, Code::multiply), 2u);
  EXPECT_EQ(count(formula, Code::add), 1u);
}

TEST(Hoist, SharesOneValueBetweenEqualRowAndColumnFormulas) {
  Formula formula = weighed();
  std::vector<CompiledKernel::Value> values = one_value();
  hoist_point_values(formula, values);
  ASSERT_EQ(values.size(), 3u);  // f, w = exp(−2f) for both points, and log w
  std::vector<std::int32_t> rows, columns;
  for (const auto& o : formula.operations()) {
    if (o.code == Code::row_value) rows.push_back(o.a);
    if (o.code == Code::column_value) columns.push_back(o.a);
  }
  std::ranges::sort(rows);
  EXPECT_EQ(rows, (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(columns, (std::vector<std::int32_t>{1}));
  for (std::size_t v = 1; v < 3; ++v) {
    EXPECT_EQ(values[v].kind, CompiledKernel::Value::Kind::formula);
    EXPECT_EQ(count(values[v].formula, Code::row_value), 0u);
  }
  const std::vector<std::vector<double>> f{{0.25, -1}};
  EXPECT_NEAR(evaluate_points(values[1].formula, f, 2)[0], std::exp(-0.5), 1e-15);
  EXPECT_NEAR(evaluate_points(values[2].formula, f, 2)[1], 2, 1e-14);
}

TEST(Hoist, LeavesPairsAndBareInputsAlone) {
  Formula formula;
  const Symbol s = formula.statistic(0), x = formula.row_value(0), z = formula.column_value(0);
  formula.finish(exp(s) + (x + z));
  const auto before = formula.operations();
  std::vector<CompiledKernel::Value> values = one_value();
  hoist_point_values(formula, values);
  EXPECT_EQ(formula.operations(), before);
  EXPECT_EQ(values.size(), 1u);
}

TEST(Hoist, TakesAWholeFormulaOfOnePoint) {
  Formula formula;
  formula.finish(sqrt(formula.column_value(0)) + 1);
  std::vector<CompiledKernel::Value> values = one_value();
  hoist_point_values(formula, values);
  ASSERT_EQ(formula.operations().size(), 1u);
  EXPECT_EQ(formula.operations().front().code, Code::column_value);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(evaluate_points(values[1].formula, std::vector<std::vector<double>>{{9.0}}, 1)[0], 4);
}

TEST(Hoist, LeavesNoRootOfANormInThePairsOfCosine) {
  for (const Kernel& k :
       {cosine(), normalize(poly({.degree = 3})), weighted(rbf({.gamma = 1}), "inverse_norm")}) {
    const CompiledKernel program(k);
    EXPECT_EQ(count(program.formula, Code::sqrt), 0u) << k.text();
    EXPECT_EQ(count(program.formula, Code::divide), 0u) << k.text();
    EXPECT_EQ(count(program.formula, Code::is_zero), 0u) << k.text();
  }
  const CompiledKernel cosines(cosine());  // dot · (wx · wz)
  EXPECT_EQ(count(cosines.formula, Code::multiply), 2u);
  EXPECT_EQ(std::ranges::count_if(
                cosines.values, [](const auto& v) { return v.kind == CompiledKernel::Value::Kind::formula; }),
            1);
}

}  // namespace
}  // namespace mercer

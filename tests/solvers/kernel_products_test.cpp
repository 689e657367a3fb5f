// Sums of kernel values, of points with themselves among others.
#include "solvers/kernel_products.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

/// f by a double loop over the points of each row of the ranges.
void expect_products(const std::vector<std::vector<double>>& rows, std::span<const std::size_t> points,
                     std::span<const double> t, std::span<const Range> ranges, std::span<const double> f) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double expected = 0.25;
    const bool inside =
        std::ranges::any_of(ranges, [&](const Range& r) { return i >= r.begin && i < r.end; });
    for (std::size_t p = 0; p < points.size() && inside; ++p) {
      double distance = 0;
      for (std::size_t k = 0; k < rows[i].size(); ++k)
        distance += (rows[points[p]][k] - rows[i][k]) * (rows[points[p]][k] - rows[i][k]);
      expected += t[p] * std::exp(-0.5 * distance);
    }
    ASSERT_NEAR(f[i], expected, 1e-11) << points.size() << " points, at " << i;
  }
}

// Any points, some twice; different ones within the ranges, few and nearly all; with one thread and four.
TEST(KernelProducts, EqualADoubleLoop) {
  const auto rows = random_rows(1300, 3, 1);
  const KernelOperator<double> K(rbf({.gamma = 0.5}), as_points(rows), {.threads = 1});
  Random random(2);
  for (const bool different : {false, true})
    for (const std::size_t count : {0u, 1u, 2u, 127u, 128u, 129u, 400u, 514u, 1299u})
      for (const std::vector<Range>& ranges :
           {std::vector<Range>{{0, 1300}}, {{0, 1}, {7, 519}, {600, 600}, {1299, 1300}}, {}}) {
        std::vector<std::size_t> points;
        for (const Range& range : ranges)
          for (std::size_t i = range.begin; i < range.end; ++i) points.push_back(i);
        for (std::size_t i = points.size(); i > 1; --i) std::swap(points[i - 1], points[random.below(i)]);
        points.resize(std::min(points.size(), count));
        if (!different) {
          points.resize(count);
          for (std::size_t& point : points) point = random.below(rows.size());
        }
        std::vector<double> t(points.size());
        for (double& value : t) value = random.normal();
        std::vector<double> f(rows.size(), 0.25), other(rows.size(), 0.25);
        int told = 0;
        add_products(K, points, t, ranges, f, 1, [&](std::string_view, double) { return ++told, true; });
        add_products(K, points, t, ranges, other, 4);
        EXPECT_EQ(f, other);
        EXPECT_EQ(told > 0, !ranges.empty());
        expect_products(rows, points, t, ranges, f);
      }
}

TEST(KernelProducts, StopWhereTheListenerThrows) {
  const KernelOperator<double> K(linear(), as_points(random_rows(20, 3, 1)), {.threads = 1});
  std::vector<double> f(20, 0.0);
  const std::vector<std::size_t> points{3};
  const std::vector<double> t{1};
  const std::vector<Range> ranges{{0, 20}};
  EXPECT_THROW(add_products(K, points, t, ranges, f, 1, [](std::string_view, double) -> bool { throw 7; }),
               int);
}

}  // namespace
}  // namespace mercer

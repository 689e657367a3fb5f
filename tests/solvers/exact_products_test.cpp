#include "solvers/exact_products.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

TEST(ExactProducts, EqualADoubleLoop) {
  const auto rows = random_rows(1300, 3, 1);
  const KernelOperator<double> K(rbf({.gamma = 0.5}), as_points(rows), {.threads = 1});
  Random random(2);
  for (const std::size_t count : {0u, 1u, 2u, 129u, 400u})
    for (const std::vector<Range>& ranges :
         {std::vector<Range>{{0, 1300}}, {{0, 1}, {7, 519}, {600, 600}, {1299, 1300}}, {}}) {
      std::vector<std::size_t> points;
      std::vector<double> t;
      for (std::size_t p = 0; p < count; ++p)
        points.push_back(random.below(rows.size())), t.push_back(random.normal());
      std::vector<double> f(rows.size(), 0.25), other(rows.size(), 0.25);
      int told = 0;
      add_exact_products(K, points, t, ranges, f, 1, [&](std::string_view, double) { return ++told, true; });
      add_exact_products(K, points, t, ranges, other, 4);
      EXPECT_EQ(f, other);
      EXPECT_EQ(told > 0, !ranges.empty());
      for (std::size_t i = 0; i < rows.size(); ++i) {
        double expected = 0.25;
        const bool inside =
            std::ranges::any_of(ranges, [&](const Range& r) { return i >= r.begin && i < r.end; });
        for (std::size_t p = 0; p < count && inside; ++p) {
          double distance = 0;
          for (std::size_t k = 0; k < 3; ++k)
            distance += (rows[points[p]][k] - rows[i][k]) * (rows[points[p]][k] - rows[i][k]);
          expected += t[p] * std::exp(-0.5 * distance);
        }
        ASSERT_NEAR(f[i], expected, 1e-11) << count << " at " << i;
      }
    }
}

TEST(ExactProducts, StopWhereTheListenerThrows) {
  const KernelOperator<double> K(linear(), as_points(random_rows(20, 3, 1)), {.threads = 1});
  std::vector<double> f(20, 0.0);
  const std::vector<std::size_t> points{3};
  const std::vector<double> t{1};
  const std::vector<Range> ranges{{0, 20}};
  EXPECT_THROW(
      add_exact_products(K, points, t, ranges, f, 1, [](std::string_view, double) -> bool { throw 7; }), int);
}

}  // namespace
}  // namespace mercer

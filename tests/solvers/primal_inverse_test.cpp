#include "solvers/primal_inverse.hpp"

#include <gtest/gtest.h>

#include "mercer/kernels.hpp"
#include "solvers/inverses.hpp"

namespace mercer {
namespace {

TEST(PrimalInverse, UndoesTheProduct) {
  const Progress progress;
  for (const Kind kind : {Kind::dense64, Kind::dense32, Kind::sparse64})
    for (const std::size_t n : {1u, 2u, 50u}) {
      const Points points = as_points(random_rows(n, 4, n), kind);
      PrimalInverse inverse(points, 1, progress);
      std::vector<double> s(n, 0.5);
      s[0] = 0;
      for (const std::size_t k : {1u, 3u}) {
        EXPECT_LT(inversion_error(inverse, linear(), points, {}, 0.1, k), 1e-11);
        EXPECT_LT(inversion_error(inverse, linear(), points, s, 0.1, k), 1e-11);
        const std::vector<double> V = normal_numbers(n * k, 1),
                                  expected = system_product(linear(), points, {}, 0, V, k);
        std::vector<double> out(n * k);
        inverse.multiply(V, k, out);
        for (std::size_t e = 0; e < out.size(); ++e) EXPECT_NEAR(out[e], expected[e], 1e-12);
      }
    }
}

TEST(PrimalInverse, LeastNormWithoutARidge) {
  const Progress progress;
  auto rows = random_rows(30, 4, 3);
  for (auto& row : rows) row[3] = row[0] + row[1];  // one column too many
  const Points points = as_points(rows);
  PrimalInverse inverse(points, 1, progress);
  ASSERT_TRUE(inverse.prepare({}, 0));
  EXPECT_EQ(inverse.rank(), 3u);
  const std::vector<double> V = normal_numbers(30, 4), AV = system_product(linear(), points, {}, 0, V, 1);
  std::vector<double> back(30);
  inverse.apply(AV, 1, back);
  const std::vector<double> again = system_product(linear(), points, {}, 0, back, 1);
  double inner = 0, squares = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    EXPECT_NEAR(again[i], AV[i], 1e-9);
    inner += back[i] * V[i];
    squares += back[i] * back[i];
  }
  EXPECT_NEAR(inner, squares, 1e-9);
}

}  // namespace
}  // namespace mercer

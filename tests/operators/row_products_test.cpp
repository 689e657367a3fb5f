#include "operators/row_products.hpp"

#include <gtest/gtest.h>

#include "random_points.hpp"

namespace mercer {
namespace {

std::vector<std::vector<double>> some_rows() { return {{1, 0, -2}, {0, 0, 0}, {0.5, 3, 0}, {-1, 2, 4}}; }

double entry(const std::vector<std::vector<double>>& rows, std::size_t i, std::size_t j, double constant) {
  return j < rows[i].size() ? rows[i][j] : constant;
}

TEST(RowProducts, AreThoseOfTheMatrixWrittenOut) {
  const auto rows = some_rows();
  const std::vector<double> s{1, 2, 0, 0.5};
  for (const double constant : {0.0, 1.5})
    for (const Points& points : {Points(rows), Points(rows).to_sparse(),
                                 Points(rows).to_sparse().with_precision(Precision::float32)}) {
      const RowProducts phi(points, constant);
      const std::size_t n = 4, p = constant != 0 ? 4 : 3, k = 2;
      ASSERT_EQ(phi.rows(), n);
      ASSERT_EQ(phi.features(), p);
      std::vector<double> W(p * k), V(n * k), out(n * k), back(p * k);
      for (std::size_t e = 0; e < W.size(); ++e) W[e] = double(e) - 2.5;
      for (std::size_t e = 0; e < V.size(); ++e) V[e] = 1.0 / double(e + 1);
      phi.multiply(W, k, out);
      phi.multiply_transposed(V, k, back);
      const Buffer<double> normal = phi.normal_matrix(s);
      const std::vector<double> norms = phi.squared_norms();
      for (std::size_t i = 0; i < n; ++i) {
        double norm = 0;
        for (std::size_t j = 0; j < p; ++j) norm += entry(rows, i, j, constant) * entry(rows, i, j, constant);
        EXPECT_NEAR(norms[i], norm, 1e-12);
        for (std::size_t c = 0; c < k; ++c) {
          double sum = 0;
          for (std::size_t j = 0; j < p; ++j) sum += entry(rows, i, j, constant) * W[j * k + c];
          EXPECT_NEAR(out[i * k + c], sum, 1e-12);
        }
      }
      for (std::size_t a = 0; a < p; ++a) {
        for (std::size_t c = 0; c < k; ++c) {
          double sum = 0;
          for (std::size_t i = 0; i < n; ++i) sum += entry(rows, i, a, constant) * V[i * k + c];
          EXPECT_NEAR(back[a * k + c], sum, 1e-12);
        }
        for (std::size_t b = 0; b <= a; ++b) {
          double sum = 0;
          for (std::size_t i = 0; i < n; ++i)
            sum += s[i] * s[i] * entry(rows, i, a, constant) * entry(rows, i, b, constant);
          EXPECT_NEAR(normal[a * p + b], sum, 1e-12);
        }
      }
    }
}

}  // namespace
}  // namespace mercer

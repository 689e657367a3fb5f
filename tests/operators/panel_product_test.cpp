#include "operators/product.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.hpp"

namespace mercer {
namespace {

template <class T>
void expect_products(std::size_t rows, std::size_t columns, std::size_t k) {
  const std::size_t stride = columns + 1;
  Random random(rows + 31 * columns + 7 * k);
  std::vector<T> A(rows * stride);
  for (T& a : A) a = T(random.normal());
  std::vector<double> x(columns * k), w(rows * k), y(rows * k, 0.5), z(columns * k, 0.25);
  for (double& v : x) v = random.normal();
  for (double& v : w) v = random.normal();
  std::vector<double> forward = y, backward = z, y_alone = y, z_alone = z;
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      for (std::size_t q = 0; q < k; ++q) {
        forward[i * k + q] += double(A[i * stride + j]) * x[j * k + q];
        backward[j * k + q] += double(A[i * stride + j]) * w[i * k + q];
      }
  add_panel_products(A.data(), stride, rows, columns, k, x.data(), y.data(), w.data(), z.data());
  add_panel_products<T>(A.data(), stride, rows, columns, k, x.data(), y_alone.data(), nullptr, nullptr);
  add_panel_products<T>(A.data(), stride, rows, columns, k, nullptr, nullptr, w.data(), z_alone.data());
  for (std::size_t e = 0; e < y.size(); ++e)
    ASSERT_NEAR(y[e], forward[e], 1e-10) << rows << ' ' << columns << ' ' << k;
  for (std::size_t e = 0; e < z.size(); ++e)
    ASSERT_NEAR(z[e], backward[e], 1e-10) << rows << ' ' << columns << ' ' << k;
  for (std::size_t e = 0; e < y.size(); ++e) ASSERT_NEAR(y_alone[e], forward[e], 1e-10);
  for (std::size_t e = 0; e < z.size(); ++e) ASSERT_NEAR(z_alone[e], backward[e], 1e-10);
}

TEST(PanelProduct, EqualsADoubleLoop) {
  for (const std::size_t rows : {0u, 1u, 70u})
    for (const std::size_t columns : {0u, 1u, 9u, 1030u})
      for (const std::size_t k : {0u, 1u, 4u, 20u}) {
        expect_products<float>(rows, columns, k);
        expect_products<double>(rows, columns, k);
      }
}

}  // namespace
}  // namespace mercer

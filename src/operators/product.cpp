#include "operators/product.hpp"

#include <algorithm>

#include "base/blas.hpp"
#include "operators/simd/shallow_product.hpp"
#include "mercer/buffer.hpp"

namespace mercer {

namespace {

constexpr std::size_t small_product = 1200;

void gemm(std::size_t m, std::size_t n, std::size_t d, const float* a, const float* b, float* c,
          std::size_t stride) {
  blas().sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blasint(m), blasint(n), blasint(d), 1, a, blasint(d),
               b, blasint(d), 0, c, blasint(stride));
}
void gemm(std::size_t m, std::size_t n, std::size_t d, const double* a, const double* b, double* c,
          std::size_t stride) {
  blas().dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blasint(m), blasint(n), blasint(d), 1, a, blasint(d),
               b, blasint(d), 0, c, blasint(stride));
}

/// `from` itself, or a copy in `copy` with points at the origin appended.
template <class T>
const T* padded(const T* from, std::size_t points, std::size_t wanted, std::size_t d, Buffer<T>& copy) {
  if (points == wanted) return from;
  copy = Buffer<T>(wanted * d);
  std::fill_n(std::copy_n(from, points * d, copy.data()), (wanted - points) * d, T(0));
  return copy.data();
}

// With as many points at the origin as make the product large; the side with more points is not copied.
template <class T>
void small_products(std::size_t m, std::size_t n, std::size_t d, const T* a, const T* b, T* out,
                    std::size_t stride) {
  constexpr std::size_t side = 40;  // side² > small_product
  const std::size_t rows = n >= side ? small_product / n + 1 : std::max(m, side);
  const std::size_t columns = n >= side ? n : m >= side ? small_product / m + 1 : side;
  Buffer<T> left, right, product(rows * columns);
  gemm(rows, columns, d, padded(a, m, rows, d, left), padded(b, n, columns, d, right), product.data(),
       columns);
  for (std::size_t i = 0; i < m; ++i) std::copy_n(product.data() + i * columns, n, out + i * stride);
}

}  // namespace

template <class T>
void dense_products(std::size_t m, std::size_t n, std::size_t d, const T* a, const T* b, T* out,
                    std::size_t stride) {
  if (m == 0 || n == 0) return;
  if (d <= shallow_depth) {
    simd::shallow_product<T>()(m, n, d, a, b, out, stride);
  } else if (m * n <= small_product) {
    small_products(m, n, d, a, b, out, stride);
  } else if (sizeof(T) == 8 && m >= 12 && n > 192 && n % 8 != 0) {
    // The last columns again, as part of a product whose width is a multiple of 8.
    const std::size_t last = (small_product / m + 8) / 8 * 8;
    gemm(m, n / 8 * 8, d, a, b, out, stride);
    gemm(m, last, d, a, b + (n - last) * d, out + (n - last), stride);
  } else {
    gemm(m, n, d, a, b, out, stride);
  }
}

template void dense_products(std::size_t, std::size_t, std::size_t, const float*, const float*, float*,
                             std::size_t);
template void dense_products(std::size_t, std::size_t, std::size_t, const double*, const double*, double*,
                             std::size_t);

}  // namespace mercer

#include "operators/product.hpp"

#include <algorithm>
#include <vector>

#include "base/blas.hpp"
#include "mercer/buffer.hpp"
#include "operators/simd/shallow_product.hpp"
#include "operators/simd/tile_product.hpp"

namespace mercer {

namespace {

constexpr std::size_t small_product = 1200;

template <class T>
void product_of(std::size_t m, std::size_t n, std::size_t d, const T* a, const T* b, T* c,
                std::size_t stride) {
  gemm(CblasNoTrans, CblasTrans, m, n, d, 1, a, d, b, d, 0, c, stride);
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
  product_of(rows, columns, d, padded(a, m, rows, d, left), padded(b, n, columns, d, right), product.data(),
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
    product_of(m, n / 8 * 8, d, a, b, out, stride);
    product_of(m, last, d, a, b + (n - last) * d, out + (n - last), stride);
  } else {
    product_of(m, n, d, a, b, out, stride);
  }
}

template void dense_products(std::size_t, std::size_t, std::size_t, const float*, const float*, float*,
                             std::size_t);
template void dense_products(std::size_t, std::size_t, std::size_t, const double*, const double*, double*,
                             std::size_t);

namespace {

// Up to so many vectors are taken one by one while the panel is in the cache; more are a matrix product.
constexpr std::size_t few = 16;
// A part of the panel that stays in the second-level cache.
constexpr std::size_t part_rows = 64, part_columns = 1024;

/// n × k, row-major, to k × n, or the other way round and added.
std::vector<double> turned(const double* values, std::size_t n, std::size_t k) {
  std::vector<double> out(values ? n * k : 0);
  for (std::size_t e = 0; e < out.size(); ++e) out[(e % k) * n + e / k] = values[e];
  return out;
}
void add_turned(const std::vector<double>& values, std::size_t n, std::size_t k, double* out) {
  for (std::size_t e = 0; e < n * k; ++e) out[e] += values[(e % k) * n + e / k];
}

template <class T>
void add_one(const T* A, std::size_t stride, std::size_t rows, std::size_t columns, const double* x,
             double* y, const double* w, double* z) {
  const auto& products = simd::tile_products<T>();
  if (x && w)
    products.both(A, stride, rows, columns, x, y, w, z);
  else if (x)
    products.plain(A, stride, rows, columns, x, y);
  else
    products.transposed(A, stride, rows, columns, w, z);
}

template <class T>
void add_few(const T* A, std::size_t stride, std::size_t rows, std::size_t columns, std::size_t k,
             const double* x, double* y, const double* w, double* z) {
  const std::vector<double> xs = turned(x, columns, k), ws = turned(w, rows, k);
  std::vector<double> ys(x ? rows * k : 0), zs(w ? columns * k : 0);
  for (std::size_t i = 0; i < rows; i += part_rows)
    for (std::size_t j = 0; j < columns; j += part_columns)
      for (std::size_t q = 0; q < k; ++q)
        add_one(A + i * stride + j, stride, std::min(part_rows, rows - i),
                std::min(part_columns, columns - j), x ? &xs[q * columns + j] : nullptr,
                x ? &ys[q * rows + i] : nullptr, w ? &ws[q * rows + i] : nullptr,
                w ? &zs[q * columns + j] : nullptr);
  if (x) add_turned(ys, rows, k, y);
  if (w) add_turned(zs, columns, k, z);
}

template <class T>
void add_many(const T* A, std::size_t stride, std::size_t rows, std::size_t columns, std::size_t k,
              const double* x, double* y, const double* w, double* z) {
  Buffer<double> part(std::min(rows, part_rows) * std::min(columns, part_columns));
  for (std::size_t i = 0; i < rows; i += part_rows)
    for (std::size_t j = 0; j < columns; j += part_columns) {
      const std::size_t m = std::min(part_rows, rows - i), n = std::min(part_columns, columns - j);
      for (std::size_t r = 0; r < m; ++r) std::copy_n(A + (i + r) * stride + j, n, part.data() + r * n);
      if (x) gemm(CblasNoTrans, CblasNoTrans, m, k, n, 1, part.data(), n, x + j * k, k, 1, y + i * k, k);
      if (w) gemm(CblasTrans, CblasNoTrans, n, k, m, 1, part.data(), n, w + i * k, k, 1, z + j * k, k);
    }
}

}  // namespace

template <class T>
void add_panel_products(const T* A, std::size_t stride, std::size_t rows, std::size_t columns, std::size_t k,
                        const double* x, double* y, const double* w, double* z) {
  if (rows == 0 || columns == 0 || k == 0 || (!x && !w)) return;
  if (k == 1)
    add_one(A, stride, rows, columns, x, y, w, z);
  else if (k <= few)
    add_few(A, stride, rows, columns, k, x, y, w, z);
  else
    add_many(A, stride, rows, columns, k, x, y, w, z);
}

template void add_panel_products(const float*, std::size_t, std::size_t, std::size_t, std::size_t,
                                 const double*, double*, const double*, double*);
template void add_panel_products(const double*, std::size_t, std::size_t, std::size_t, std::size_t,
                                 const double*, double*, const double*, double*);

}  // namespace mercer

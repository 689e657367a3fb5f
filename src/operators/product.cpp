#include "operators/product.hpp"

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/parallel.hpp"
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

std::size_t step_for(std::size_t n) { return std::clamp<std::size_t>((n / 8 + 63) / 64 * 64, 64, 1024); }
std::size_t count_for(std::size_t n) { return (n + step_for(n) - 1) / step_for(n); }

// Tile t = row(row + 1)/2 + column.
std::size_t row_of(std::size_t t) {
  auto row = std::size_t((std::sqrt(8 * double(t) + 1) - 1) / 2);
  while (row * (row + 1) / 2 > t) --row;
  while ((row + 1) * (row + 2) / 2 <= t) ++row;
  return row;
}

constexpr std::size_t recomputed_rows = 128;  // of a tile that is not held, at a time: it stays in the cache

// Rows of tiles are added up in groups, each with its own output: more for more threads, fewer for memory.
std::size_t groups_for(std::size_t blocks, std::size_t outputs) {
  constexpr std::size_t most_numbers = std::size_t(1) << 22;
  return std::min(blocks, std::clamp<std::size_t>(most_numbers / std::max<std::size_t>(outputs, 1), 4, 32));
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

template <class T>
SymmetricProduct<T>::SymmetricProduct(const KernelOperator<T>& K, std::size_t memory, int threads,
                                      const Progress& progress)
    : K_(K),
      progress_(progress),
      threads_(threads),
      n_(K.rows()),
      step_(step_for(n_)),
      blocks_(count_for(n_)) {
  std::size_t place = 0;
  for (std::size_t t = 0; t < blocks_ * (blocks_ + 1) / 2; ++t) {
    first_.push_back(place);
    place += tile(t).entries();
    if (place * sizeof(T) <= memory) held_tiles_ = t + 1;
  }
  hold_tiles();
}

template <class T>
std::size_t SymmetricProduct<T>::whole_bytes(std::size_t n) {
  if (n == 0) return 0;
  const std::size_t step = step_for(n), blocks = count_for(n), last = n - (blocks - 1) * step;
  return sizeof(T) * (n * n + (blocks - 1) * step * step + last * last) / 2;
}

template <class T>
auto SymmetricProduct<T>::tile(std::size_t number) const -> Tile {
  const std::size_t row = row_of(number), column = number - row * (row + 1) / 2;
  const auto range = [&](std::size_t block) {
    return Range{block * step_, std::min(n_, (block + 1) * step_)};
  };
  return {range(row), range(column)};
}

template <class T>
void SymmetricProduct<T>::hold_tiles() {
  if (held_tiles_ == 0) return;
  held_ = Buffer<T>(first_[held_tiles_ - 1] + tile(held_tiles_ - 1).entries());
  parallel_for(held_tiles_, threads_worth(held_.size(), threads_), [&](std::size_t t) {
    const Tile own = tile(t);
    K_.tile(own.rows, own.columns, {held_.data() + first_[t], own.entries()});
    progress_.check("Gram matrix", double(t) / double(held_tiles_));
  });
  evaluations_ += held_.size();
}

template <class T>
void SymmetricProduct<T>::add_tile(std::size_t number, const double* V, std::size_t k, double* out,
                                   Buffer<T>& scratch) const {
  const Tile own = tile(number);
  const std::size_t columns = own.columns.size();
  const bool held = number < held_tiles_;
  if (!held && scratch.empty()) scratch = Buffer<T>(recomputed_rows * step_);
  const std::size_t part = held ? own.rows.size() : recomputed_rows;
  for (std::size_t begin = own.rows.begin; begin < own.rows.end; begin += part) {
    const Range rows{begin, std::min(begin + part, own.rows.end)};
    if (!held) K_.tile(rows, own.columns, {scratch.data(), rows.size() * columns});
    const T* values = held ? held_.data() + first_[number] : scratch.data();
    const bool twice = !own.diagonal();
    add_panel_products(values, columns, rows.size(), columns, k, V + own.columns.begin * k,
                       out + rows.begin * k, twice ? V + rows.begin * k : nullptr,
                       twice ? out + own.columns.begin * k : nullptr);
  }
}

template <class T>
void SymmetricProduct<T>::add_row(std::size_t block_row, const double* V, std::size_t k, double* out) const {
  Buffer<T> scratch;
  for (std::size_t column = 0; column <= block_row; ++column) {
    add_tile(block_row * (block_row + 1) / 2 + column, V, k, out, scratch);
    progress_.check("Gram product", 0);
  }
}

template <class T>
void SymmetricProduct<T>::multiply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  if (n_ == 0 || k == 0) return;
  const SingleThreadedBlas one_thread;
  const std::size_t outputs = n_ * k, groups = groups_for(blocks_, outputs);
  Buffer<double> sums(groups * outputs);
  parallel_for(groups, threads_worth(n_ * outputs, threads_), [&](std::size_t g) {
    double* own = sums.data() + g * outputs;
    std::fill_n(own, outputs, 0.0);
    // The longest row first, and back and forth, so that the groups are about as large as each other.
    for (std::size_t place = 0; place < blocks_; ++place) {
      const std::size_t turn = place % (2 * groups), to = turn < groups ? turn : 2 * groups - 1 - turn;
      if (to == g) add_row(blocks_ - 1 - place, V.data(), k, own);
    }
  });
  constexpr std::size_t chunk = 4096;
  parallel_for((outputs + chunk - 1) / chunk, threads_worth(outputs * groups, threads_), [&](std::size_t c) {
    const std::size_t begin = c * chunk, end = std::min(outputs, begin + chunk);
    std::copy(sums.data() + begin, sums.data() + end, out.data() + begin);
    for (std::size_t g = 1; g < groups; ++g)
      for (std::size_t e = begin; e < end; ++e) out[e] += sums[g * outputs + e];
  });
  const std::size_t all = first_.back() + tile(first_.size() - 1).entries();
  evaluations_ += all - held_.size();
}

template class SymmetricProduct<float>;
template class SymmetricProduct<double>;

}  // namespace mercer

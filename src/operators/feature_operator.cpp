#include "operators/feature_operator.hpp"

#include <algorithm>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "operators/product.hpp"

namespace mercer {

namespace {

constexpr std::size_t chunk = 4096;  // of the n columns, in products
constexpr std::size_t tile_size = 192,
                      depth = 1024;  // of the small matrix, and of the n columns summed at a time

std::size_t panels_of(std::size_t n, std::size_t step) { return (n + step - 1) / step; }

// What a float32 sum of `depth` products may be wrong by, as a share of the trace, with room to spare.
constexpr double rough_error = 1e-6;
constexpr double largest_rough = 1e30;  // of the trace, within the range of float32

/// to[r, j] = rows[r, begin + j]·s[begin + j].
template <class Sum>
void scaled_panel(const double* rows, std::size_t count, std::size_t n, std::size_t begin,
                  std::size_t columns, std::span<const double> s, Sum* to) {
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t j = 0; j < columns; ++j)
      to[r * depth + j] =
          s.empty() ? Sum(rows[r * n + begin + j]) : Sum(rows[r * n + begin + j] * s[begin + j]);
}

}  // namespace

void FeatureOperator::pass(std::span<const double> W, std::size_t k, const RowTask& task,
                           std::span<double> out) const {
  Buffer<double> F(rows() * k, 0.0);
  if (!W.empty()) multiply(W, k, F);
  task({0, rows()}, F.data());
  multiply_transposed(F, k, out);
}

/// One tile of Φᵀ S² Φ: products of `depth` columns in Sum, added up in float64.
template <class Sum>
void ColumnFeatures::add_tile(std::size_t row, std::size_t column, std::span<const double> s,
                              double* to) const {
  const std::size_t m = std::min(tile_size, p_ - row), k = std::min(tile_size, p_ - column), stride = p_;
  Buffer<Sum> left(m * depth), right(row == column ? 0 : k * depth), part(tile_size * tile_size);
  for (std::size_t begin = 0; begin < n_; begin += depth) {
    const std::size_t columns = std::min(depth, n_ - begin);
    scaled_panel(columns_ + row * n_, m, n_, begin, columns, s, left.data());
    if (row != column) scaled_panel(columns_ + column * n_, k, n_, begin, columns, s, right.data());
    gemm<Sum>(CblasNoTrans, CblasTrans, m, k, columns, 1, left.data(), depth,
              row == column ? left.data() : right.data(), depth, 0, part.data(), tile_size);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < k; ++j) to[i * stride + j] += double(part[i * tile_size + j]);
    progress_.check("preconditioner", double(row) / double(p_));
  }
}

Buffer<double> ColumnFeatures::normal_matrix(std::span<const double> s, bool rough) const {
  const std::size_t stride = p_, blocks = panels_of(p_, tile_size);
  Buffer<double> out(p_ * stride, 0.0);
  const SingleThreadedBlas one_thread;
  parallel_for(blocks * blocks, threads_worth(n_ * p_ * p_, threads_), [&](std::size_t task) {
    const std::size_t row = task / blocks * tile_size, column = task % blocks * tile_size;
    if (column > row) return;
    double* to = out.data() + row * stride + column;
    if (rough) return add_tile<float>(row, column, s, to);
    add_tile<double>(row, column, s, to);
  });
  return out;
}

bool ColumnFeatures::rough_suffices(std::span<const double> s, double mu) const {
  double sum = 0;
  for (std::size_t r = 0; r < p_; ++r) {
    double row = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double value = columns_[r * n_ + i] * (s.empty() ? 1.0 : s[i]);
      row += value * value;
    }
    sum += row;
  }
  return mu >= rough_error * sum && sum < largest_rough;
}

void ColumnFeatures::multiply_transposed(std::span<const double> V, std::size_t k,
                                         std::span<double> out) const {
  const SingleThreadedBlas one_thread;
  const std::size_t parts = panels_of(n_, chunk);
  Buffer<double> sums(parts * p_ * k, 0.0);
  parallel_for(parts, threads_worth(n_ * p_ * k, threads_), [&](std::size_t p) {
    const std::size_t begin = p * chunk;
    add_panel_products<double>(columns_ + begin, n_, p_, std::min(chunk, n_ - begin), k, V.data() + begin * k,
                               sums.data() + p * p_ * k, nullptr, nullptr);
  });
  std::fill_n(out.data(), p_ * k, 0.0);
  for (std::size_t p = 0; p < parts; ++p)
    for (std::size_t e = 0; e < p_ * k; ++e) out[e] += sums[p * p_ * k + e];
}

void ColumnFeatures::multiply(std::span<const double> W, std::size_t k, std::span<double> out) const {
  const SingleThreadedBlas one_thread;
  std::fill_n(out.data(), n_ * k, 0.0);
  parallel_for(panels_of(n_, chunk), threads_worth(n_ * p_ * k, threads_), [&](std::size_t p) {
    const std::size_t begin = p * chunk;
    add_panel_products<double>(columns_ + begin, n_, p_, std::min(chunk, n_ - begin), k, nullptr, nullptr,
                               W.data(), out.data() + begin * k);
  });
}

}  // namespace mercer

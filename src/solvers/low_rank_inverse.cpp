#include "solvers/low_rank_inverse.hpp"

#include <algorithm>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "operators/panel_product.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {

namespace {

constexpr std::size_t chunk = 4096;  // of the n columns, in products
constexpr std::size_t tile_size = 192,
                      depth = 1024;  // of the small matrix, and of the n columns summed at a time

std::size_t parts_of(std::size_t n, std::size_t step) { return (n + step - 1) / step; }

// What a float32 sum of `depth` products may be wrong by, as a share of the trace, with room to spare.
constexpr double rough_error = 1e-6;

/// to[r, j] = rows[r, begin + j]·s[begin + j].
template <class T, class Sum>
void scaled_panel(const T* rows, std::size_t count, std::size_t n, std::size_t begin, std::size_t columns,
                  std::span<const double> s, Sum* to) {
  for (std::size_t r = 0; r < count; ++r)
    for (std::size_t j = 0; j < columns; ++j)
      to[r * depth + j] =
          s.empty() ? Sum(rows[r * n + begin + j]) : Sum(double(rows[r * n + begin + j]) * s[begin + j]);
}

// C (m × n) = A (m × k) · B (n × k)ᵀ; rows of A and B are `depth` apart, of C `tile_size`.
void multiply(std::size_t m, std::size_t n, std::size_t k, const float* a, const float* b, float* c) {
  blas().sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blasint(m), blasint(n), blasint(k), 1, a,
               blasint(depth), b, blasint(depth), 0, c, blasint(tile_size));
}
void multiply(std::size_t m, std::size_t n, std::size_t k, const double* a, const double* b, double* c) {
  blas().dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blasint(m), blasint(n), blasint(k), 1, a,
               blasint(depth), b, blasint(depth), 0, c, blasint(tile_size));
}

}  // namespace

template <class T>
LowRankInverse<T>::LowRankInverse(const T* factor, std::size_t rank, std::size_t n, int threads,
                                  const Progress& progress)
    : factor_(factor), rank_(rank), n_(n), threads_(threads), progress_(progress) {}

/// One tile of Fᵀ S² F: products of `depth` columns in Sum, added up in float64.
template <class T>
template <class Sum>
void LowRankInverse<T>::add_tile(std::size_t row, std::size_t column, std::span<const double> s,
                                 double* to) const {
  const std::size_t m = std::min(tile_size, rank_ - row), k = std::min(tile_size, rank_ - column),
                    stride = row_stride<double>(rank_);
  Buffer<Sum> left(m * depth), right(row == column ? 0 : k * depth), part(tile_size * tile_size);
  for (std::size_t begin = 0; begin < n_; begin += depth) {
    const std::size_t columns = std::min(depth, n_ - begin);
    scaled_panel(factor_ + row * n_, m, n_, begin, columns, s, left.data());
    if (row != column) scaled_panel(factor_ + column * n_, k, n_, begin, columns, s, right.data());
    multiply(m, k, columns, left.data(), row == column ? left.data() : right.data(), part.data());
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < k; ++j) to[i * stride + j] += double(part[i * tile_size + j]);
    progress_.check("preconditioner", double(row) / double(rank_));
  }
}

template <class T>
Buffer<double> LowRankInverse<T>::small_matrix(std::span<const double> s, bool rough) const {
  const std::size_t stride = row_stride<double>(rank_), blocks = parts_of(rank_, tile_size);
  Buffer<double> out(rank_ * stride, 0.0);
  const SingleThreadedBlas one_thread;
  parallel_for(blocks * blocks, threads_worth(n_ * rank_ * rank_, threads_), [&](std::size_t task) {
    const std::size_t row = task / blocks * tile_size, column = task % blocks * tile_size;
    if (column > row) return;
    double* to = out.data() + row * stride + column;
    rough ? add_tile<T>(row, column, s, to) : add_tile<double>(row, column, s, to);
  });
  return out;
}

/// The trace of Fᵀ S² F.
template <class T>
double LowRankInverse<T>::trace(std::span<const double> s) const {
  double sum = 0;
  for (std::size_t r = 0; r < rank_; ++r) {
    double row = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const double value = double(factor_[r * n_ + i]) * (s.empty() ? 1.0 : s[i]);
      row += value * value;
    }
    sum += row;
  }
  return sum;
}

template <class T>
bool LowRankInverse<T>::prepare(std::span<const double> s, double mu) {
  const bool same = !small_.empty() && std::ranges::equal(s, s_);
  if (same && mu == mu_) return true;
  if (!same || rough_) {
    const bool rough = mu >= rough_error * trace(s);  // μ hides what the small matrix is wrong by
    if (!same || !rough) small_ = small_matrix(s, rough_ = rough);
    s_.assign(s.begin(), s.end());
  }
  mu_ = mu;
  const std::size_t stride = row_stride<double>(rank_);
  L_ = Buffer<double>(rank_ * stride);
  std::copy_n(small_.data(), small_.size(), L_.data());
  for (std::size_t r = 0; r < rank_; ++r) L_[r * stride + r] += mu;
  const bool factored = cholesky_factor(L_.data(), rank_, stride, threads_, progress_);
  if (!factored) mu_ = 0;
  return factored;
}

template <class T>
void LowRankInverse<T>::transposed_product(std::span<const double> V, std::size_t k,
                                           std::span<double> out) const {
  const SingleThreadedBlas one_thread;
  const std::size_t parts = parts_of(n_, chunk);
  Buffer<double> sums(parts * rank_ * k, 0.0);
  parallel_for(parts, threads_worth(n_ * rank_ * k, threads_), [&](std::size_t p) {
    const std::size_t begin = p * chunk;
    add_panel_products<T>(factor_ + begin, n_, rank_, std::min(chunk, n_ - begin), k, V.data() + begin * k,
                          sums.data() + p * rank_ * k, nullptr, nullptr);
  });
  std::fill_n(out.data(), rank_ * k, 0.0);
  for (std::size_t p = 0; p < parts; ++p)
    for (std::size_t e = 0; e < rank_ * k; ++e) out[e] += sums[p * rank_ * k + e];
}

template <class T>
void LowRankInverse<T>::product(std::span<const double> W, std::size_t k, std::span<double> out) const {
  const SingleThreadedBlas one_thread;
  std::fill_n(out.data(), n_ * k, 0.0);
  parallel_for(parts_of(n_, chunk), threads_worth(n_ * rank_ * k, threads_), [&](std::size_t p) {
    const std::size_t begin = p * chunk;
    add_panel_products<T>(factor_ + begin, n_, rank_, std::min(chunk, n_ - begin), k, nullptr, nullptr,
                          W.data(), out.data() + begin * k);
  });
}

template <class T>
void LowRankInverse<T>::apply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  std::vector<double> small(rank_ * k);
  const auto scale = [&](std::span<const double> from) {
    for (std::size_t e = 0; e < n_ * k; ++e) out[e] = from[e] * (s_.empty() ? 1.0 : s_[e / k]);
  };
  scale(V);
  transposed_product(out, k, small);
  cholesky_solve(L_.data(), rank_, row_stride<double>(rank_), small.data(), k);
  product(small, k, out);
  scale(out);
  for (std::size_t e = 0; e < n_ * k; ++e) out[e] = (V[e] - out[e]) / mu_;
}

template class LowRankInverse<float>;
template class LowRankInverse<double>;

}  // namespace mercer

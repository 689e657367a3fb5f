#include "operators/pivoted_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "mercer/progress.hpp"
#include "base/random.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

template <class T>
class Elimination {
 public:
  Elimination(const KernelOperator<T>& K, const PivotedOptions& options)
      : K_(K),
        options_(options),
        progress_(options.progress),
        random_(options.seed),
        n_(K.rows()),
        limit_(std::min(options.rank, n_)) {
    std::vector<T> diagonal(n_);
    K.diagonal(diagonal);
    left_.assign(diagonal.begin(), diagonal.end());
    for (const double value : left_) least_.push_back(rounding * value);
    result_.n = n_;
    result_.trace = result_.trace_left = std::accumulate(left_.begin(), left_.end(), 0.0);
    result_.factor = Buffer<T>(limit_ * n_);
  }

  PivotedCholesky<T> run() {
    // Few rounds where a proposal costs little beside a pass over K.
    const std::size_t block = std::clamp<std::size_t>(limit_ / (limit_ <= 256 ? 2 : 8), 16, 256);
    while (result_.rank < limit_ && K_.finite()) {
      const std::vector<std::size_t> proposals = options_.greedy ? largest(block) : draw(block);
      if (proposals.empty()) break;
      accept(proposals);
      eliminate();
      if (result_.trace_left <= options_.stop * result_.trace) break;
      if (options_.enough && options_.enough(result_.rank, result_.trace_left)) break;
    }
    return std::move(result_);
  }

 private:
  // What is left of a diagonal entry below this share of it is rounding.
  static constexpr double rounding = 32.0 * std::numeric_limits<T>::epsilon();
  bool real(std::size_t i) const { return left_[i] > least_[i]; }

  std::vector<std::size_t> draw(std::size_t count);
  std::vector<std::size_t> largest(std::size_t count);
  Buffer<T> rows_of_factor(std::span<const std::size_t> points) const;
  std::vector<double> what_is_left(std::span<const std::size_t> points) const;
  void accept(const std::vector<std::size_t>& proposals);
  void eliminate();

  const KernelOperator<T>& K_;
  const PivotedOptions& options_;
  Progress progress_;
  Random random_;
  std::size_t n_, limit_;
  std::vector<double> left_, least_;  // the diagonal of K − F Fᵀ, and what counts as 0
  double outside_ = 0;                // greedy: the largest entry that was not proposed
  PivotedCholesky<T> result_;
  std::vector<std::size_t> accepted_;
  Buffer<T> L_;  // of the accepted: accepted × accepted, row-major, lower
};

/// Different points, each drawn with probability ∝ left_; those drawn again are left out.
template <class T>
std::vector<std::size_t> Elimination<T>::draw(std::size_t count) {
  std::vector<double> sums(n_);
  double total = 0;
  for (std::size_t i = 0; i < n_; ++i) sums[i] = total += real(i) ? left_[i] : 0;
  std::vector<std::size_t> drawn;
  if (!(total > 0)) return drawn;
  for (std::size_t p = 0; p < count; ++p) {
    auto at = std::size_t(std::ranges::upper_bound(sums, random_.uniform() * total) - sums.begin());
    at = std::min(at, n_ - 1);
    if (real(at) && std::ranges::find(drawn, at) == drawn.end()) drawn.push_back(at);
  }
  return drawn;
}

template <class T>
std::vector<std::size_t> Elimination<T>::largest(std::size_t count) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < n_; ++i)
    if (real(i)) order.push_back(i);
  const std::size_t taken = std::min(count, order.size());
  const auto before = [&](std::size_t a, std::size_t b) {
    return left_[a] != left_[b] ? left_[a] > left_[b] : a < b;
  };
  std::partial_sort(order.begin(), order.begin() + std::ptrdiff_t(taken), order.end(), before);
  outside_ = 0;
  for (std::size_t i = taken; i < order.size(); ++i) outside_ = std::max(outside_, left_[order[i]]);
  order.resize(taken);
  return order;
}

/// points × rank, row-major.
template <class T>
Buffer<T> Elimination<T>::rows_of_factor(std::span<const std::size_t> points) const {
  Buffer<T> rows(points.size() * result_.rank);
  for (std::size_t r = 0; r < result_.rank; ++r)
    for (std::size_t p = 0; p < points.size(); ++p)
      rows[p * result_.rank + r] = result_.factor[r * n_ + points[p]];
  return rows;
}

/// (K − F Fᵀ)[points, points], row-major.
template <class T>
std::vector<double> Elimination<T>::what_is_left(std::span<const std::size_t> points) const {
  const std::size_t m = points.size(), rank = result_.rank;
  Buffer<T> H(m * m), transposed(m * rank);
  K_.square(points, H);
  if (rank > 0) {
    const Buffer<T> rows = rows_of_factor(points);
    for (std::size_t p = 0; p < m; ++p)
      for (std::size_t r = 0; r < rank; ++r) transposed[r * m + p] = rows[p * rank + r];
    const SingleThreadedBlas one_thread;
    gemm(CblasNoTrans, CblasNoTrans, m, m, rank, -1, rows.data(), rank, transposed.data(), m, 1, H.data(), m);
  }
  return {H.begin(), H.end()};
}

/// A Cholesky factorisation of what is left of the proposals that passes over those not accepted.
template <class T>
void Elimination<T>::accept(const std::vector<std::size_t>& proposals) {
  const std::size_t m = proposals.size(), room = limit_ - result_.rank;
  std::vector<double> H = what_is_left(proposals);
  std::vector<std::size_t> places;
  std::vector<std::vector<double>> columns;  // of the factor of H
  for (std::size_t step = 0; step < m && places.size() < room; ++step) {
    std::size_t i = step;
    for (std::size_t j = 0; j < m && options_.greedy; ++j) i = H[j * m + j] > H[i * m + i] ? j : i;
    const double pivot = H[i * m + i];
    const double wanted = options_.greedy ? 0.5 * outside_ : random_.uniform() * left_[proposals[i]];
    if (!(pivot > std::max(wanted, least_[proposals[i]]))) continue;
    std::vector<double> column(m);
    for (std::size_t j = 0; j < m; ++j) column[j] = H[j * m + i] / std::sqrt(pivot);
    for (std::size_t j = 0; j < m; ++j)
      for (std::size_t l = 0; l < m; ++l) H[j * m + l] -= column[j] * column[l];
    H[i * m + i] = 0;
    places.push_back(i);
    columns.push_back(std::move(column));
  }
  const std::size_t count = places.size();
  // Where not even the first is accepted, what seemed left of it was rounding.
  if (count == 0) left_[proposals.front()] = 0;
  accepted_.clear();
  L_ = Buffer<T>(count * count, T(0));
  for (std::size_t a = 0; a < count; ++a) {
    accepted_.push_back(proposals[places[a]]);
    for (std::size_t b = 0; b <= a; ++b) L_[a * count + b] = T(columns[b][places[a]]);
  }
}

/// The next rows of the factor, of the accepted pivots: L⁻¹ (K[accepted, :] − F[accepted, :] Fᵀ).
template <class T>
void Elimination<T>::eliminate() {
  const std::size_t count = accepted_.size(), rank = result_.rank;
  if (count == 0) return;
  const Buffer<T> known = rows_of_factor(accepted_);
  constexpr std::size_t chunk = 2048;
  const std::size_t chunks = (n_ + chunk - 1) / chunk;
  std::vector<double> traces(chunks);
  const SingleThreadedBlas one_thread;
  parallel_for(chunks, threads_worth(n_ * count * (rank + count), options_.threads), [&](std::size_t c) {
    const Range columns{c * chunk, std::min(n_, (c + 1) * chunk)};
    T* rows = result_.factor.data() + rank * n_ + columns.begin;
    K_.block(accepted_, columns, row_pointers(rows, count, n_));
    if (rank > 0)
      gemm(CblasNoTrans, CblasNoTrans, count, columns.size(), rank, -1, known.data(), rank,
           result_.factor.data() + columns.begin, n_, 1, rows, n_);
    trsm(CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, count, columns.size(), 1,
         std::as_const(L_).data(), count, rows, n_);
    for (std::size_t r = 0; r < count; ++r)
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const double value = rows[r * n_ + j];
        left_[columns.begin + j] = std::max(0.0, left_[columns.begin + j] - value * value);
      }
    traces[c] = std::accumulate(left_.begin() + std::ptrdiff_t(columns.begin),
                                left_.begin() + std::ptrdiff_t(columns.end), 0.0);
    progress_.check("pivoted Cholesky", double(rank) / double(limit_));
  });
  for (const std::size_t pivot : accepted_) left_[pivot] = 0;
  result_.pivots.insert(result_.pivots.end(), accepted_.begin(), accepted_.end());
  result_.rank += count;
  result_.trace_left = std::accumulate(traces.begin(), traces.end(), 0.0);
}

}  // namespace

template <class T>
PivotedCholesky<T> pivoted_cholesky(const KernelOperator<T>& K, const PivotedOptions& options) {
  if (!K.symmetric())
    throw Error(ErrorCode::invalid_argument,
                "a pivoted Cholesky factor is made of a symmetric Gram matrix only");
  return Elimination<T>(K, options).run();
}

template PivotedCholesky<float> pivoted_cholesky(const KernelOperator<float>&, const PivotedOptions&);
template PivotedCholesky<double> pivoted_cholesky(const KernelOperator<double>&, const PivotedOptions&);

}  // namespace mercer

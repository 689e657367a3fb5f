#include "cluster/spread_factor.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "cluster/points_message.hpp"
#include "operators/feature_operator.hpp"

namespace mercer::cluster {

namespace {

constexpr std::size_t proposals_at_once = 128;
constexpr std::size_t largest_coupled = 6000;  // rows of the small matrix of coupled outputs

// Which of the own rows are drawn: each rank draws the same numbers, and keeps those that fall into its part
// of the diagonal that is left.
std::vector<std::size_t> drawn_rows(const Communicator& ranks, std::span<const double> left,
                                    std::size_t count, std::uint64_t seed) {
  const double mine = std::accumulate(left.begin(), left.end(), 0.0);
  const std::vector<double> parts = ranks.gather(std::span(&mine, 1), true);
  double below = 0, total = 0;
  for (int r = 0; r < ranks.size(); ++r) {
    if (r < ranks.rank()) below += parts[std::size_t(r)];
    total += parts[std::size_t(r)];
  }
  std::vector<double> ends(left.size());
  std::partial_sum(left.begin(), left.end(), ends.begin());
  Random random(seed);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < count; ++i) {
    const double at = random.uniform() * total - below;
    if (at < 0 || at >= mine) continue;
    const std::size_t row = std::size_t(std::ranges::upper_bound(ends, at) - ends.begin());
    if (row < left.size() && left[row] > 0) rows.push_back(row);
  }
  std::ranges::sort(rows);
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

// The Cholesky factor of some of the proposals: each is accepted with the probability that is left of it.
struct Accepted {
  std::vector<std::size_t> which;
  std::vector<double> L;  // their number squared
};

Accepted accept(std::vector<double> H, std::size_t m, double least, std::uint64_t seed) {
  Random random(seed);
  Accepted found;
  std::vector<std::vector<double>> columns;  // of the factor, m each
  std::vector<double> diagonal(m);
  for (std::size_t i = 0; i < m; ++i) diagonal[i] = H[i * m + i];
  const std::vector<double> before = diagonal;
  for (std::size_t i = 0; i < m; ++i) {
    if (!(diagonal[i] > least) || diagonal[i] < random.uniform() * before[i]) continue;
    std::vector<double> column(m);
    const double root = std::sqrt(diagonal[i]);
    for (std::size_t j = 0; j < m; ++j) {
      double value = H[j * m + i];
      for (const auto& c : columns) value -= c[j] * c[i];
      column[j] = value / root;
    }
    for (std::size_t j = 0; j < m; ++j) diagonal[j] -= column[j] * column[j];
    diagonal[i] = 0;
    found.which.push_back(i);
    columns.push_back(std::move(column));
  }
  const std::size_t taken = found.which.size();
  found.L.assign(taken * taken, 0.0);
  for (std::size_t a = 0; a < taken; ++a)
    for (std::size_t b = 0; b <= a; ++b) found.L[a * taken + b] = columns[b][found.which[a]];
  return found;
}

}  // namespace

SpreadFactor::SpreadFactor(const Communicator& ranks, const Kernel& kernel, const Points& own,
                           const FactorOptions& options)
    : ranks_(ranks), options_(options), own_rows_(own.rows()) {
  const std::vector<std::size_t> counts = ranks.gather(std::span<const std::size_t>(&own_rows_, 1), true);
  for (int r = 0; r < ranks.size(); ++r) {
    if (r < ranks.rank()) first_row_ += counts[std::size_t(r)];
    all_rows_ += counts[std::size_t(r)];
  }
  std::vector<double> left(own_rows_);
  if (own_rows_ > 0) {
    KernelOperator<double>(kernel, own, {.threads = options.threads}).diagonal(left);
  }
  const auto trace_of = [&] { return ranks_.sum(std::accumulate(left.begin(), left.end(), 0.0)); };
  trace_ = trace_left_ = trace_of();
  const std::size_t most = std::min(options.most_rank, all_rows_);
  RankChoice choice(options.costs, options.c, trace_);
  for (std::uint64_t round = 1; rank_ < most; ++round) {
    if (!(trace_left_ > 1e-14 * trace_)) break;  // rounding
    const std::size_t room = std::min(proposals_at_once, most - rank_),
                      added = add_block(kernel, own, left, room, options.seed * 1000003 + round);
    trace_left_ = trace_of();
    if (added == 0 || choice.enough(rank_, trace_left_)) break;
  }
}

std::size_t SpreadFactor::add_block(const Kernel& kernel, const Points& own, std::vector<double>& left,
                                    std::size_t proposals, std::uint64_t seed) {
  const std::vector<std::size_t> rows = drawn_rows(ranks_, left, proposals, seed);
  // The proposals of all ranks: their points, their rows of F, their numbers.
  std::vector<std::size_t> sizes;
  const std::vector<std::byte> messages = ranks_.gather_bytes(bytes_of(own.select_rows(rows)), true, &sizes);
  std::vector<double> own_F(rows.size() * rank_);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t r = 0; r < rank_; ++r) own_F[i * rank_ + r] = F_[r * own_rows_ + rows[i]];
  const std::vector<double> all_F = ranks_.gather(std::span<const double>(own_F), true);
  std::vector<std::size_t> numbers(rows);
  for (std::size_t& row : numbers) row += first_row_;
  numbers = ranks_.gather(std::span<const std::size_t>(numbers), true);
  const std::size_t m = numbers.size();
  if (m == 0) return 0;
  std::vector<Points> parts;
  for (std::size_t place = 0, r = 0; r < sizes.size(); place += sizes[r++])
    parts.push_back(points_of(std::span(messages).subspan(place, sizes[r]), own.names()));
  const Points proposed = joined(parts);

  // Rank 0 decides, so that all take the same.
  Accepted accepted;
  if (ranks_.first()) {
    std::vector<double> H(m * m);
    KernelOperator<double>(kernel, proposed, proposed, {.threads = options_.threads}).matrix(H);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < m; ++j) {
        double known = 0;
        for (std::size_t r = 0; r < rank_; ++r) known += all_F[i * rank_ + r] * all_F[j * rank_ + r];
        H[i * m + j] -= known;
      }
    accepted = accept(std::move(H), m, 1e-14 * trace_ / double(all_rows_), seed + 1);
  }
  ranks_.broadcast(accepted.which);
  ranks_.broadcast(accepted.L);
  const std::size_t b = accepted.which.size();
  if (b == 0) return 0;

  F_.resize((rank_ + b) * own_rows_);
  const Points pivots = proposed.select_rows(accepted.which);
  std::vector<double> pivot_F(b * rank_);
  for (std::size_t a = 0; a < b; ++a)
    std::copy_n(all_F.data() + accepted.which[a] * rank_, rank_, pivot_F.data() + a * rank_);
  if (own_rows_ > 0) add_columns(kernel, own, pivots, pivot_F, accepted.L, left);
  for (const std::size_t which : accepted.which) {
    pivots_.push_back(numbers[which]);
    if (numbers[which] >= first_row_ && numbers[which] < first_row_ + own_rows_)
      left[numbers[which] - first_row_] = 0;
  }
  rank_ += b;
  return b;
}

// L⁻¹ (K(pivots, own) − F_pivots F_ownᵀ), pivots × own rows.
void SpreadFactor::add_columns(const Kernel& kernel, const Points& own, const Points& pivots,
                               std::span<const double> pivot_F, std::span<const double> L,
                               std::span<double> left) {
  const std::size_t b = pivots.rows();
  double* const added = F_.data() + rank_ * own_rows_;
  KernelOperator<double>(kernel, pivots, own, {.threads = options_.threads})
      .matrix(std::span(added, b * own_rows_));
  const SingleThreadedBlas one_thread;
  parallel_blocks(own_rows_, 1024, options_.threads, [&](std::size_t begin, std::size_t end) {
    const std::size_t n = end - begin;
    if (rank_ > 0)
      gemm(CblasNoTrans, CblasNoTrans, b, n, rank_, -1.0, pivot_F.data(), rank_,
           std::as_const(F_).data() + begin, own_rows_, 1.0, added + begin, own_rows_);
    trsm(CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, b, n, 1.0, L.data(), b, added + begin, own_rows_);
  });
  for (std::size_t a = 0; a < b; ++a)
    for (std::size_t i = 0; i < own_rows_; ++i) {
      const double f = added[a * own_rows_ + i];
      left[i] = std::max(0.0, left[i] - f * f);
    }
}

// The rows × columns below the diagonal are made; what is above becomes 0.
bool SpreadFactor::factorise() {
  const auto size = std::size_t(std::llround(std::sqrt(double(L_.size()))));
  for (std::size_t r = 0; r < size; ++r)
    std::fill(L_.begin() + std::ptrdiff_t(r * size + r + 1), L_.begin() + std::ptrdiff_t((r + 1) * size),
              0.0);
  ranks_.sum(std::span(L_));
  for (std::size_t r = 0; r < size; ++r) L_[r * size + r] += mu_;
  const bool factored = size == 0 || lapack::potrf(L_.data(), size, size);
  return !ranks_.any(!factored);
}

bool SpreadFactor::prepare(std::span<const double> s, double c) {
  const SingleThreadedBlas
      one_thread;  // what is spread has its threads; the small matrix does not pay for them
  s_.assign(s.begin(), s.end());
  coupled_ = 0;
  double squares = s.empty() ? double(own_rows_) : 0;
  for (const double value : s) squares += value * value;
  squares = ranks_.sum(squares) / double(std::max<std::size_t>(all_rows_, 1));
  const double per_row = squares / double(std::max<std::size_t>(all_rows_, 1));
  // A third of what is left of the diagonal: as the preconditioner of one machine has it.
  mu_ = std::max({c + 0.3 * trace_left_ * per_row, 1e-15 * trace_ * per_row, 1e-300});
  L_.assign(rank_ * rank_, 0.0);
  if (rank_ > 0 && own_rows_ > 0) {
    const ColumnFeatures F(F_.data(), rank_, own_rows_, options_.threads, options_.progress);
    const Buffer<double> small = F.normal_matrix(s_, F.rough_suffices(s_, mu_));
    std::copy_n(small.data(), rank_ * rank_, L_.data());
  }
  return factorise();
}

bool SpreadFactor::prepare(const RowFactors& factors, double c) {
  const std::size_t k = factors.outputs, size = rank_ * k;
  // tr BBᵀ over the outputs that it leaves.
  std::vector<double> average(own_rows_), lengths(own_rows_, 0.0);
  for (std::size_t i = 0; i < own_rows_; ++i) {
    double trace = 0;
    for (std::size_t o = i * k; o < (i + 1) * k; ++o) {
      trace += factors.s[o] * factors.s[o] * (1 - factors.u[o] * factors.u[o]);
      lengths[i] += factors.u[o] * factors.u[o];
    }
    average[i] = std::sqrt(std::max(0.0, trace / std::max(double(k) - lengths[i], 0.5)));
  }
  if (!prepare(average, c)) return false;
  if (size == 0 || size > largest_coupled) return true;
  const SingleThreadedBlas one_thread;
  const std::vector<double> L = L_;
  s_.assign(factors.s.begin(), factors.s.end());
  u_.assign(factors.u.begin(), factors.u.end());
  coupled_ = k;
  L_.assign(size * size, 0.0);
  if (own_rows_ > 0) {
    const ColumnFeatures F(F_.data(), rank_, own_rows_, options_.threads, options_.progress);
    std::vector<double> root(own_rows_);
    for (std::size_t a = 0; a < k; ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        // Wᵢ[a, b] = sₐ s_b (δ − (2 − |u|²) uₐ u_b): of one sign over the rows.
        for (std::size_t i = 0; i < own_rows_; ++i) {
          const double *s = s_.data() + i * k, *u = u_.data() + i * k;
          const double entry = s[a] * s[b] * ((a == b) - (2 - lengths[i]) * u[a] * u[b]);
          root[i] = std::sqrt(a == b ? std::max(entry, 0.0) : std::abs(entry));
        }
        const Buffer<double> block = F.normal_matrix(root, true);
        const double sign = a == b ? 1 : -1;
        for (std::size_t i = 0; i < rank_; ++i)
          for (std::size_t j = 0; j < rank_; ++j) {
            const std::size_t row = i * k + a, column = j * k + b;
            L_[std::max(row, column) * size + std::min(row, column)] =
                sign * block[std::max(i, j) * rank_ + std::min(i, j)];
          }
      }
  }
  if (factorise()) return true;
  s_ = average;
  L_ = L;
  coupled_ = 0;
  return true;
}

// (V − U (μI + UᵀU)⁻¹ UᵀV)/μ with U = Bᵀ(F ⊗ I).
void SpreadFactor::apply_coupled(std::span<const double> V, std::span<double> out) const {
  const std::size_t k = coupled_, size = rank_ * k;
  const RowFactors B(s_, u_, k);
  std::vector<double> small(size, 0.0);
  const ColumnFeatures F(F_.data(), rank_, own_rows_, options_.threads, options_.progress);
  std::ranges::copy(V, out.begin());
  if (own_rows_ > 0) {
    B.apply(out, 1);
    F.multiply_transposed(out, k, small);
  }
  ranks_.sum(std::span(small));
  if (own_rows_ == 0) return;
  trsv(CblasLower, CblasNoTrans, CblasNonUnit, size, L_.data(), size, small.data(), 1);
  trsv(CblasLower, CblasTrans, CblasNonUnit, size, L_.data(), size, small.data(), 1);
  F.multiply(small, k, out);
  B.apply_transposed(out, 1);
  for (std::size_t e = 0; e < out.size(); ++e) out[e] = (V[e] - out[e]) / mu_;
}

void SpreadFactor::apply(std::span<const double> V, std::size_t k, std::span<double> out) const {
  const SingleThreadedBlas one_thread;
  if (coupled_ > 0) return apply_coupled(V, out);
  const auto scaled = [&](std::span<const double> from) {
    for (std::size_t e = 0; e < own_rows_ * k; ++e) out[e] = from[e] * (s_.empty() ? 1.0 : s_[e / k]);
  };
  std::vector<double> small(rank_ * k, 0.0);
  const ColumnFeatures F(F_.data(), rank_, own_rows_, options_.threads, options_.progress);
  if (rank_ > 0 && own_rows_ > 0) {
    scaled(V);
    F.multiply_transposed(out, k, small);
  }
  ranks_.sum(std::span(small));
  if (rank_ > 0 && own_rows_ > 0) {
    trsm(CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, rank_, k, 1.0, L_.data(), rank_, small.data(), k);
    trsm(CblasLeft, CblasLower, CblasTrans, CblasNonUnit, rank_, k, 1.0, L_.data(), rank_, small.data(), k);
    F.multiply(small, k, out);
    scaled(out);
  } else {
    std::fill(out.begin(), out.end(), 0.0);
  }
  for (std::size_t e = 0; e < own_rows_ * k; ++e) out[e] = (V[e] - out[e]) / mu_;
}

// μ^(n − r) det(μI + FᵀS²F)
double SpreadFactor::log_determinant() const {
  double sum = (double(all_rows_) - double(rank_)) * std::log(mu_);
  for (std::size_t r = 0; r < rank_; ++r) sum += 2 * std::log(L_[r * rank_ + r]);
  return sum;
}

// S F g + √μ h
std::vector<double> SpreadFactor::draws(std::size_t k, std::uint64_t seed) const {
  std::vector<double> g(rank_ * k), out(own_rows_ * k);
  Random common(seed);
  for (double& number : g) number = common.normal();
  if (rank_ > 0 && own_rows_ > 0)
    ColumnFeatures(F_.data(), rank_, own_rows_, options_.threads, options_.progress).multiply(g, k, out);
  for (std::size_t i = 0; i < own_rows_; ++i) {
    Random own(seed + 0x9e3779b97f4a7c15u * (first_row_ + i + 1));
    for (std::size_t q = 0; q < k; ++q)
      out[i * k + q] = (s_.empty() ? 1.0 : s_[i]) * out[i * k + q] + std::sqrt(mu_) * own.normal();
  }
  return out;
}

}  // namespace mercer::cluster

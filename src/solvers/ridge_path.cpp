#include "solvers/ridge_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "mercer/error.hpp"
#include "operators/pivoted_cholesky.hpp"
#include "solvers/dense_cholesky.hpp"
#include "solvers/eigen.hpp"

namespace mercer {

namespace {

// C (m × k) = A (m × n) · B (n × k) or Aᵀ · B, in blocks of rows of C that do not depend on the threads.
void product(bool transposed, std::size_t m, std::size_t n, std::size_t k, const double* A,
             std::size_t stride, const double* B, double* C, int threads) {
  constexpr std::size_t step = 256;
  parallel_for((m + step - 1) / step, threads, [&](std::size_t block) {
    const SingleThreadedBlas one_thread;
    const std::size_t begin = block * step, rows = std::min(step, m - begin);
    gemm(transposed ? CblasTrans : CblasNoTrans, CblasNoTrans, rows, k, n, 1,
         A + (transposed ? begin : begin * stride), stride, B, k, 0, C + begin * k, k);
  });
}

// The lower half of GᵀG, G being n × r, in blocks likewise; what is above it in a block comes along.
void inner_products(std::size_t n, std::size_t r, const double* G, double* out, int threads) {
  constexpr std::size_t step = 128;
  parallel_for((r + step - 1) / step, threads, [&](std::size_t block) {
    const SingleThreadedBlas one_thread;
    const std::size_t begin = block * step, rows = std::min(step, r - begin);
    gemm(CblasTrans, CblasNoTrans, rows, begin + rows, n, 1, G + begin, r, G, r, 0, out + begin * r, r);
  });
}

[[noreturn]] void refuse() {
  throw Error(ErrorCode::invalid_data, "the other rows say nothing about the held-out ones",
              {.hint = "hold out fewer rows, or give a larger penalty"});
}

}  // namespace

RidgePath::RidgePath(const KernelOperator<double>& K, std::span<const double> s, std::span<const double> Y,
                     std::size_t outputs, bool bias, const Options& options)
    : n_(K.rows()),
      columns_(outputs + bias),
      outputs_(outputs),
      bias_(bias),
      s_(s.begin(), s.end()),
      right_(n_ * columns_) {
  for (std::size_t i = 0; i < n_; ++i) {
    for (std::size_t o = 0; o < outputs; ++o) right_[i * columns_ + o] = s_[i] * Y[i * outputs + o];
    if (bias) right_[i * columns_ + outputs] = s_[i];
  }
  if (!factor_low_rank(K, options)) factor_densely(K, options);
  if (shifted_) return;
  inside_.resize(rank_ * columns_);
  product(true, rank_, n_, columns_, Q_.data(), rank_, right_.data(), inside_.data(), options.threads);
  with_ones_.assign(columns_, 0.0);
  for (std::size_t e = 0; bias && e < right_.size(); ++e)
    with_ones_[e % columns_] += s_[e / columns_] * right_[e];
  missing_.resize(n_);
  for (std::size_t i = 0; i < n_; ++i)
    missing_[i] =
        std::max(0.0, 1 - blas().ddot(blasint(rank_), Q_.data() + i * rank_, 1, Q_.data() + i * rank_, 1));
  if (rank_ == n_) std::ranges::fill(missing_, 0.0);
}

// S K S ≈ GGᵀ, GᵀG = VΛVᵀ, Q = GVΛ^(−½). What is left of the trace bounds every eigenvalue left out. Of a
// bounded rank that is not small: functions outside the columns look like noise of the variance left.
bool RidgePath::factor_low_rank(const KernelOperator<double>& K, const Options& options) {
  const bool bounded = options.rank > 0 && n_ > 2 * options.rank;
  const std::size_t most = bounded ? options.rank : n_ / 3;
  if (most < 16 || most * n_ * 24 > options.memory) return false;
  std::vector<double> diagonal(n_);
  K.diagonal(diagonal);
  const double trace = std::accumulate(diagonal.begin(), diagonal.end(), 0.0);
  if (!(trace > 0)) return false;
  const double allowed = 1e-8 * double(n_) * options.smallest;
  // Eigenvalues fall ever more slowly on a logarithmic scale: a factor that is far behind stays behind,
  // unless the rank is finite, which half of the columns would nearly always have shown.
  const auto behind = [&](std::size_t rank, double left) {
    return !bounded && most > 200 && rank >= most / 2 &&
           left > trace * std::pow(allowed / trace, 0.9 * double(rank) / double(most));
  };
  const auto factor = pivoted_cholesky(K, {.rank = most,
                                           .stop = allowed / trace,
                                           .seed = options.seed,
                                           .progress = options.progress,
                                           .threads = options.threads,
                                           .enough = behind});
  const bool whole = factor.trace_left <= allowed;
  if (!whole && !bounded) return false;
  const std::size_t r = factor.rank;
  std::vector<double> G(n_ * r), small(r * r);
  for (std::size_t i = 0; i < n_; ++i)
    for (std::size_t j = 0; j < r; ++j) G[i * r + j] = s_[i] * factor.factor[j * n_ + i];
  inner_products(n_, r, G.data(), small.data(), options.threads);
  const Eigen eigen = symmetric_eigen(small, r, true);
  const double least = eigen.values.back() * 1e-14 * double(r);
  std::size_t first = 0;
  while (first < r && eigen.values[first] <= least) ++first;
  rank_ = r - first;
  lambda_.assign(eigen.values.begin() + std::ptrdiff_t(first), eigen.values.end());
  std::vector<double> V(r * rank_);
  for (std::size_t i = 0; i < r; ++i)
    for (std::size_t j = 0; j < rank_; ++j)
      V[i * rank_ + j] = eigen.vectors[i * r + first + j] / std::sqrt(lambda_[j]);
  Q_.resize(n_ * rank_);
  product(false, n_, r, rank_, G.data(), r, V.data(), Q_.data(), options.threads);
  for (std::size_t i = 0; i < n_ && !whole; ++i) {
    const double* own = G.data() + i * r;
    rest_ +=
        std::max(0.0, s_[i] * s_[i] * diagonal[i] - blas().ddot(blasint(r), own, 1, own, 1)) / double(n_);
  }
  words_ = whole ? fmt::format("numerical rank {} of K at the smallest lambda", rank_)
                 : fmt::format("{} columns of K, the rest of its diagonal as noise", rank_);
  return true;
}

void RidgePath::factor_densely(const KernelOperator<double>& K, const Options& options) {
  const double bytes = ShiftedInverse::bytes(n_);
  if (bytes > double(options.memory))
    throw Error(
        ErrorCode::out_of_memory,
        fmt::format("the eigenvalues of {} rows take {:.1f} GB but {:.1f} GB are allowed", n_, bytes / 1e9,
                    double(options.memory) / 1e9),
        {.hint = "give lambda", .hints = {{Remedy::more_memory}, {Remedy::approximate, "nystrom:2000"}}});
  Buffer<double> SKS(n_ * n_);
  const auto fill = [&] {
    K.matrix(SKS);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j) SKS[i * n_ + j] *= s_[i] * s_[j];
  };
  fill();
  if (!options.folds) {
    shifted_.emplace(std::move(SKS), n_, options.smallest, options.threads, options.progress);
    words_ = shifted_->in_float32() ? "a band form of K in float32" : "a band form of K";
    if (shifted_->possible()) return;
    shifted_.reset();
    SKS = Buffer<double>(n_ * n_);
    fill();
  }
  Eigen eigen = symmetric_eigen(SKS, n_, true);
  rank_ = n_;
  Q_ = std::move(eigen.vectors);
  lambda_ = std::move(eigen.values);
  for (double& value : lambda_) value = std::max(0.0, value);
  words_ = fmt::format("all {} eigenvalues of K", n_);
}

std::vector<double> RidgePath::solve(double c) const {
  // Q[(Λ + c)⁻¹ − 1/c]Qᵀ right + right/c; of full rank the second part is within the first.
  std::vector<double> scaled(inside_), out(right_.size());
  const bool whole = rank_ == n_;
  c += rest_;
  for (std::size_t j = 0; j < rank_; ++j)
    for (std::size_t q = 0; q < columns_; ++q)
      scaled[j * columns_ + q] *= 1 / (lambda_[j] + c) - (whole ? 0 : 1 / c);
  product(false, n_, rank_, columns_, Q_.data(), rank_, scaled.data(), out.data(), 1);
  if (!whole)
    for (std::size_t e = 0; e < out.size(); ++e) out[e] += right_[e] / c;
  return out;
}

std::vector<double> RidgePath::inverse_diagonal(double c) const {
  std::vector<double> inverse(rank_), diagonal(n_);
  for (std::size_t j = 0; j < rank_; ++j) inverse[j] = 1 / (lambda_[j] + c + rest_);
  for (std::size_t i = 0; i < n_; ++i) {
    double sum = missing_[i] / (c + rest_);
    const double* q = Q_.data() + i * rank_;
    for (std::size_t j = 0; j < rank_; ++j) sum += q[j] * q[j] * inverse[j];
    diagonal[i] = sum;
  }
  return diagonal;
}

auto RidgePath::at(std::span<const double> penalties, const Progress& progress) const -> std::vector<Point> {
  std::vector<Point> points;
  if (shifted_) {
    const auto values = shifted_->at(penalties, right_, columns_, progress);
    for (std::size_t p = 0; p < penalties.size(); ++p)
      points.push_back(point(penalties[p], values[p].X, values[p].diagonal));
  } else {
    for (const double c : penalties) points.push_back(point(c, solve(c), inverse_diagonal(c)));
  }
  return points;
}

std::vector<double> RidgePath::solution(double c, double tolerance) const {
  return shifted_ ? shifted_->solve(c, right_, columns_, tolerance) : solve(c);
}

// X: A⁻¹ of the right-hand sides, A = S K S + cI; diagonal: that of A⁻¹.
auto RidgePath::point(double c, std::span<const double> X, std::span<const double> diagonal) const -> Point {
  // A free constant takes one direction away: A⁻¹ − uuᵀ/(1ᵀSu) with u = A⁻¹S1.
  double along = 0;
  for (std::size_t i = 0; bias_ && i < n_; ++i)
    along += right_[i * columns_ + outputs_] * X[i * columns_ + outputs_];
  std::vector<double> constant(outputs_, 0);
  for (std::size_t o = 0; bias_ && o < outputs_; ++o) {
    for (std::size_t i = 0; i < n_; ++i) constant[o] += right_[i * columns_ + outputs_] * X[i * columns_ + o];
    constant[o] /= along;
  }
  Point point{0, 0, 0};
  double errors = 0, weight = 0, trace = 0;
  for (std::size_t i = 0; i < n_; ++i) {
    const double u = bias_ ? X[i * columns_ + outputs_] : 0, own = diagonal[i] - (bias_ ? u * u / along : 0);
    for (std::size_t o = 0; o < outputs_; ++o) {
      const double x = X[i * columns_ + o] - (bias_ ? constant[o] * u : 0);  // (s·residual)/c
      point.leave_one_out += (x / own) * (x / own);  // w·(residual left out)²: residual = x/(own·s)
      errors += c * x * c * x;
    }
    weight += s_[i] * s_[i];
    trace += 1 - c * own;
  }
  point.degrees_of_freedom = trace;
  point.leave_one_out /= weight * double(outputs_);
  const double left = 1 - trace / double(n_);
  point.generalised = errors / (weight * double(outputs_)) / (left * left);
  return point;
}

// Rows left out together from the factorisation of all rows. With A = S K S + cI, A⁻¹ = Q D Qᵀ + βI (β = 0
// and D = (Λ + c)⁻¹ where Q is square, else β = 1/c and D = (Λ + c)⁻¹ − β), and B = A⁻¹ − uuᵀ/(1ᵀSu), u =
// A⁻¹S1, where a constant is free, the residuals of the rows F by a fit without them are S⁻¹ (B_FF)⁻¹ (B S
// Y)_F: block elimination of the other rows.

/// The rows of Q and of the right-hand sides that are left out.
struct RidgePath::Part {
  std::size_t size;
  std::vector<double> Q, right;  // size × rank, size × columns
  std::vector<double> inner;     // rank × rank: QᵀQ of these rows; empty where it is not needed
};

auto RidgePath::penalty(double c) const -> AtPenalty {
  c += rest_;
  AtPenalty penalty{rank_ == n_ ? 0 : 1 / c, std::vector<double>(rank_), inside_, 0,
                    std::vector<double>(outputs_, 0.0)};
  for (std::size_t j = 0; j < rank_; ++j) penalty.inside[j] = 1 / (lambda_[j] + c) - penalty.beyond;
  for (std::size_t e = 0; e < inside_.size(); ++e) penalty.scaled[e] *= penalty.inside[e / columns_];
  if (!bias_) return penalty;
  std::vector<double> sums(columns_, 0.0);
  for (std::size_t j = 0; j < rank_; ++j)
    for (std::size_t q = 0; q < columns_; ++q)
      sums[q] += inside_[j * columns_ + outputs_] * penalty.scaled[j * columns_ + q];
  for (std::size_t q = 0; q < columns_; ++q) sums[q] += penalty.beyond * with_ones_[q];
  penalty.along = sums[outputs_];
  for (std::size_t o = 0; o < outputs_; ++o) penalty.constant[o] = sums[o] / penalty.along;
  return penalty;
}

auto RidgePath::at_penalties(std::span<const double> values) const -> std::vector<AtPenalty> {
  std::vector<AtPenalty> all;
  for (const double c : values) all.push_back(penalty(c));
  return all;
}

auto RidgePath::part(std::span<const std::size_t> rows, bool low_rank) const -> Part {
  Part part{rows.size(), {}, {}, {}};
  for (const std::size_t i : rows) {
    part.Q.insert(part.Q.end(), Q_.begin() + std::ptrdiff_t(i * rank_),
                  Q_.begin() + std::ptrdiff_t((i + 1) * rank_));
    part.right.insert(part.right.end(), right_.begin() + std::ptrdiff_t(i * columns_),
                      right_.begin() + std::ptrdiff_t((i + 1) * columns_));
  }
  if (!low_rank) return part;
  part.inner.resize(rank_ * rank_);
  const auto r = blasint(rank_);
  syrk(CblasLower, CblasTrans, r, part.size, 1, part.Q.data(), r, 0, part.inner.data(), r);
  return part;
}

// X (size × columns, the last u_F where a constant is free) becomes the residuals times S; so below.
void RidgePath::residuals_of_one(const AtPenalty& penalty, const Part& part, std::vector<double>& X) const {
  double own = penalty.beyond;
  for (std::size_t j = 0; j < rank_; ++j) own += part.Q[j] * part.Q[j] * penalty.inside[j];
  if (bias_) own -= X[outputs_] * X[outputs_] / penalty.along;
  for (std::size_t o = 0; o < outputs_; ++o) X[o] /= own;
}

void RidgePath::residuals_by_block(const AtPenalty& penalty, const Part& part, std::vector<double>& X) const {
  const std::size_t m = part.size;
  std::vector<double> scaled(part.Q), B(m * m);
  for (std::size_t e = 0; e < scaled.size(); ++e) scaled[e] *= std::sqrt(std::abs(penalty.inside[e % rank_]));
  syrk(CblasLower, CblasNoTrans, m, rank_, penalty.beyond > 0 ? -1 : 1, scaled.data(), rank_, 0, B.data(), m);
  for (std::size_t i = 0; i < m; ++i) {
    B[i * m + i] += penalty.beyond;
    for (std::size_t j = 0; bias_ && j <= i; ++j)
      B[i * m + j] -= X[i * columns_ + outputs_] * X[j * columns_ + outputs_] / penalty.along;
  }
  if (!cholesky_factor(B.data(), m, m, 1, Progress())) refuse();
  cholesky_solve(B.data(), m, m, X.data(), columns_);
}

// Of more rows than the rank: with V = (Q_F√−D, u_F/√1ᵀSu), B_FF = βI − VVᵀ and
//   (B_FF)⁻¹ = (I + V(βI − VᵀV)⁻¹Vᵀ)/β.
void RidgePath::residuals_by_rank(const AtPenalty& penalty, const Part& part, std::vector<double>& X) const {
  const std::size_t m = part.size, r = rank_, size = r + bias_;
  std::vector<double> V(m * size), inner(size * size, 0.0), inside(size * columns_);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < r; ++j) V[i * size + j] = part.Q[i * r + j] * std::sqrt(-penalty.inside[j]);
    if (bias_) V[i * size + r] = X[i * columns_ + outputs_] / std::sqrt(penalty.along);
  }
  for (std::size_t a = 0; a < r; ++a)
    for (std::size_t b = 0; b <= a; ++b)
      inner[a * size + b] = -part.inner[a * r + b] * std::sqrt(penalty.inside[a] * penalty.inside[b]);
  for (std::size_t i = 0; bias_ && i < m; ++i)
    for (std::size_t b = 0; b < size; ++b) inner[r * size + b] -= V[i * size + r] * V[i * size + b];
  for (std::size_t a = 0; a < size; ++a) inner[a * size + a] += penalty.beyond;
  if (!cholesky_factor(inner.data(), size, size, 1, Progress())) refuse();
  const auto k = blasint(columns_), wide = blasint(size), rows = blasint(m);
  gemm(CblasTrans, CblasNoTrans, wide, k, rows, 1, V.data(), wide, X.data(), k, 0, inside.data(), k);
  cholesky_solve(inner.data(), size, size, inside.data(), columns_);
  gemm(CblasNoTrans, CblasNoTrans, rows, k, wide, 1, V.data(), wide, inside.data(), k, 1, X.data(), k);
  for (double& x : X) x /= penalty.beyond;
}

std::vector<std::vector<double>> RidgePath::left_out(std::span<const std::size_t> rows,
                                                     std::span<const AtPenalty> penalties) const {
  const SingleThreadedBlas one_thread;
  const std::size_t m = rows.size();
  const bool by_rank = m > rank_ && rank_ < n_;
  std::vector<std::vector<double>> all;
  if (m == 0) return std::vector<std::vector<double>>(penalties.size());
  if (bias_ && m == n_) refuse();
  const Part part = this->part(rows, by_rank && m > 1);
  for (const AtPenalty& penalty : penalties) {
    std::vector<double> X(part.right);
    const auto k = blasint(columns_), r = blasint(rank_);
    gemm(CblasNoTrans, CblasNoTrans, m, k, r, 1, part.Q.data(), r, penalty.scaled.data(), k, penalty.beyond,
         X.data(), k);
    // The constant of all rows is taken off; that of the others follows with their residuals.
    for (std::size_t i = 0; bias_ && i < m; ++i)
      for (std::size_t o = 0; o < outputs_; ++o)
        X[i * columns_ + o] -= penalty.constant[o] * X[i * columns_ + outputs_];
    if (m == 1)
      residuals_of_one(penalty, part, X);
    else if (by_rank)
      residuals_by_rank(penalty, part, X);
    else
      residuals_by_block(penalty, part, X);
    std::vector<double>& values = all.emplace_back();
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t o = 0; o < outputs_; ++o)
        values.push_back((part.right[i * columns_ + o] - X[i * columns_ + o]) / s_[rows[i]]);
  }
  return all;
}

std::optional<double> degrees_of_freedom(const Kernel& kernel, const Points& points,
                                         std::span<const double> s, double c, bool bias, int threads) {
  constexpr std::size_t most = 1500;
  const std::size_t n = points.rows();
  if (n > most || !(c > 0)) return {};
  const Progress progress;
  Buffer<double> A(n * n), scratch(n * n);
  KernelOperator<double>(kernel, points, {.threads = threads}).matrix(A);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) A[i * n + j] *= s[i] * s[j];
    A[i * n + i] += c;
  }
  if (!cholesky_factor(A.data(), n, n, threads, progress)) return {};
  cholesky_inverse(A.data(), n, scratch.data(), threads, progress);
  double trace = 0, squares = 0, along = 0;
  for (std::size_t i = 0; i < n; ++i) {
    trace += A[i * n + i];
    double u = 0;
    for (std::size_t j = 0; j < n; ++j) u += A[i * n + j] * s[j];
    squares += u * u;
    along += s[i] * u;
  }
  return double(n) - c * (trace - (bias ? squares / along : 0));
}

}  // namespace mercer

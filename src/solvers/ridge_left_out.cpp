// Rows left out together from the factorisation of all rows. With A = S K S + cI, A⁻¹ = Q D Qᵀ + βI (β = 0
// and D = (Λ + c)⁻¹ where Q is square, else β = 1/c and D = (Λ + c)⁻¹ − β), and B = A⁻¹ − uuᵀ/(1ᵀSu), u =
// A⁻¹S1, where a constant is free, the residuals of the rows F by a fit without them are S⁻¹ (B_FF)⁻¹ (B S
// Y)_F: block elimination of the other rows.

#include <cmath>

#include "base/blas.hpp"
#include "mercer/error.hpp"
#include "solvers/dense_cholesky.hpp"
#include "solvers/ridge_path.hpp"

namespace mercer {

namespace {

[[noreturn]] void refuse() {
  throw Error(ErrorCode::invalid_data, "the other rows say nothing about the held-out ones",
              {.hint = "hold out fewer rows, or give a larger penalty"});
}

}  // namespace

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

// X (size × columns, the last u_F where a constant is free) becomes the residuals times S; so in the two
// below.
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

}  // namespace mercer

#include "solvers/shifted_inverse.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "solvers/refinement.hpp"

namespace mercer {

namespace {

constexpr std::size_t least_rows_in_float32 = 1000;
constexpr std::size_t rows_sampled = 32;
// Root mean square of the relative errors of the sampled entries. They have either sign, so that the mean
// over n rows, which a path is judged by, is far better.
constexpr double most_error = 5e-3;
constexpr std::size_t steps_in_round = 2, most_rounds = 25;
constexpr double solution_error = 1e-7;  // relative, of X

}  // namespace

ShiftedInverse::ShiftedInverse(Buffer<double> A, std::size_t n, double smallest, int threads,
                               const Progress& progress)
    : A_(std::move(A)), n_(n), threads_(threads) {
  if (n >= least_rows_in_float32) {
    single_.emplace(std::span<const double>(A_), n, threads, progress);
    if (good_in_float32(smallest)) return;
    single_.reset();
  }
  double_.emplace(std::span<const double>(A_), n, threads, progress);
  possible_ = double_->factor(smallest).has_value();
}

// out = A V + V diag(c), n × c.size()
void ShiftedInverse::multiply(std::span<const double> V, std::span<const double> c,
                              std::span<double> out) const {
  constexpr std::size_t step = 640;  // rows for which BLAS packs V once
  const std::size_t k = c.size();
  parallel_blocks(n_, step, threads_worth(n_ * n_ * k, threads_), [&](std::size_t first, std::size_t last) {
    const SingleThreadedBlas one_thread;
    gemm<double>(CblasNoTrans, CblasNoTrans, last - first, k, n_, 1, A_.data() + first * n_, n_, V.data(), k,
                 0, out.data() + first * k, k);
    for (std::size_t e = first * k; e < last * k; ++e) out[e] += c[e % k] * V[e];
  });
}

bool ShiftedInverse::good_in_float32(double c) const {
  const auto factor = single_->factor(c);
  if (!factor) return false;
  Random random(1);
  std::vector<std::size_t> rows(rows_sampled);
  std::vector<double> unit(n_ * rows_sampled, 0.0), P(unit.size()), product(unit.size());
  for (std::size_t s = 0; s < rows_sampled; ++s) unit[(rows[s] = random.below(n_)) * rows_sampled + s] = 1;
  single_->apply_inverse(std::vector(rows_sampled, &*factor), unit, P);
  multiply(P, std::vector(rows_sampled, c), product);
  double squares = 0;
  for (std::size_t s = 0; s < rows_sampled; ++s) {
    const double found = P[rows[s] * rows_sampled + s];
    double better = 2 * found;
    for (std::size_t i = 0; i < n_; ++i) better -= P[i * rows_sampled + s] * product[i * rows_sampled + s];
    squares += (found / better - 1) * (found / better - 1) / double(rows_sampled);
  }
  return squares <= most_error * most_error;  // false where it is not a number
}

auto ShiftedInverse::at(std::span<const double> c, std::span<const double> R, std::size_t k,
                        const Progress& progress) const -> std::vector<Values> {
  return single_ ? at(*single_, c, R, k, progress) : at(*double_, c, R, k, progress);
}

template <class T>
auto ShiftedInverse::at(const BandForm<T>& form, std::span<const double> c, std::span<const double> R,
                        std::size_t k, const Progress& progress) const -> std::vector<Values> {
  std::vector<BandFactor> factors(c.size());
  parallel_for(c.size(), threads_, [&](std::size_t f) { factors[f] = form.factor(c[f]).value(); });
  std::vector<Values> all(c.size());
  const std::vector<double> diagonals = form.inverse_diagonals(factors, progress.part(0, 0.8));
  for (std::size_t f = 0; f < c.size(); ++f)
    all[f].diagonal.assign(diagonals.begin() + std::ptrdiff_t(f * n_),
                           diagonals.begin() + std::ptrdiff_t((f + 1) * n_));
  std::vector<const BandFactor*> of_columns;
  std::vector<double> shifts, right(n_ * c.size() * k);
  for (std::size_t q = 0; q < c.size() * k; ++q) {
    of_columns.push_back(&factors[q / k]);
    shifts.push_back(c[q / k]);
    for (std::size_t i = 0; i < n_; ++i) right[i * c.size() * k + q] = R[i * k + q % k];
  }
  // ‖(A + cI)⁻¹r‖ ≤ ‖r‖/c
  const std::vector<double> X = solve(
      form, of_columns, shifts, right,
      [&](std::size_t q, double residual, double size) {
        return residual <= solution_error * shifts[q] * size;
      },
      progress.part(0.8, 1));
  for (std::size_t f = 0; f < c.size(); ++f) {
    all[f].X.resize(n_ * k);
    for (std::size_t i = 0; i < n_; ++i)
      std::copy_n(X.data() + (i * c.size() + f) * k, k, all[f].X.data() + i * k);
  }
  return all;
}

// Conjugate gradients, begun again after a few steps with the columns that are not good enough: most need
// few.
template <class T>
std::vector<double> ShiftedInverse::solve(const BandForm<T>& form, std::span<const BandFactor* const> factors,
                                          std::span<const double> c, std::span<const double> R,
                                          const GoodEnough& good_enough, const Progress& progress) const {
  const std::size_t columns = c.size();
  std::vector<double> left(R.begin(), R.end()), X(n_ * columns, 0.0);
  std::vector<std::size_t> open(columns);
  std::iota(open.begin(), open.end(), std::size_t(0));
  for (std::size_t round = 0; round < most_rounds && !open.empty(); ++round) {
    const std::size_t k = open.size();
    std::vector<const BandFactor*> own_factors;
    std::vector<double> own_c, residual(n_ * k), Z(n_ * k);
    for (const std::size_t q : open) own_factors.push_back(factors[q]), own_c.push_back(c[q]);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t q = 0; q < k; ++q) residual[i * k + q] = left[i * columns + open[q]];
    const BlockOperator A = [&](std::span<const double> V, std::size_t, std::span<double> out) {
      multiply(V, own_c, out);
    };
    const BlockOperator inverse = [&](std::span<const double> V, std::size_t, std::span<double> out) {
      form.apply_inverse(own_factors, V, out);
    };
    progress.check("leave-one-out errors", double(round) / most_rounds);
    conjugate_gradients(A, inverse, residual, k, Z,
                        {.goals = std::vector<double>(k, 0.0), .most = steps_in_round});
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t q = 0; q < k; ++q) {
        X[i * columns + open[q]] += Z[i * k + q];
        left[i * columns + open[q]] = residual[i * k + q];
      }
    const std::vector<double> norms = column_norms(left, columns), sizes = column_norms(X, columns);
    std::erase_if(open, [&](std::size_t q) { return good_enough(q, norms[q], sizes[q]); });
  }
  return X;
}

std::vector<double> ShiftedInverse::solve(double c, std::span<const double> R, std::size_t k,
                                          double tolerance) const {
  const std::vector<double> norms = column_norms(R, k);
  const auto with = [&](const auto& form) {
    const BandFactor factor = form.factor(c).value();
    return solve(form, std::vector(k, &factor), std::vector(k, c), R,
                 [&](std::size_t q, double residual, double) { return residual <= tolerance * norms[q]; },
                 {});
  };
  return single_ ? with(*single_) : with(*double_);
}

}  // namespace mercer

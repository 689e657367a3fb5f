#include "solvers/normal_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/blas.hpp"
#include "solvers/dense_cholesky.hpp"
#include "solvers/eigen.hpp"

namespace mercer {

NormalEquations::NormalEquations(const RowFeatures& features, std::span<const double> v,
                                 std::span<const double> Y, std::size_t outputs, bool bias, int threads,
                                 const Progress& progress)
    : p_(features.features()),
      outputs_(outputs),
      bias_(bias),
      threads_(threads),
      progress_(progress),
      G_(p_ * p_),
      r_(p_ * outputs),
      squares_(outputs),
      mean_(p_, 0.0),
      mean_y_(outputs, 0.0) {
  const std::size_t n = features.rows(), more = outputs + 1, size = p_ + more;
  std::vector<double> roots(n), beside(n * more);  // 1 and Y
  for (std::size_t i = 0; i < n; ++i) {
    roots[i] = std::sqrt(v[i]);
    beside[i * more] = 1;
    std::copy_n(Y.data() + i * outputs, outputs, beside.data() + i * more + 1);
  }
  const Buffer<double> all = features.normal_matrix_with(  // of Φ, 1 and Y
      beside, more, roots, [&](double done) { progress.check("normal equations", done); });
  const auto entry = [&](std::size_t i, std::size_t j) {
    return all[std::max(i, j) * size + std::min(i, j)];
  };
  weight_ = entry(p_, p_);
  if (bias) {
    for (std::size_t j = 0; j < p_; ++j) mean_[j] = entry(p_, j) / weight_;
    for (std::size_t o = 0; o < outputs; ++o) mean_y_[o] = entry(p_ + 1 + o, p_) / weight_;
  }
  for (std::size_t i = 0; i < p_; ++i) {
    for (std::size_t j = 0; j < p_; ++j) G_[i * p_ + j] = entry(i, j) - weight_ * mean_[i] * mean_[j];
    for (std::size_t o = 0; o < outputs; ++o)
      r_[i * outputs + o] = entry(p_ + 1 + o, i) - weight_ * mean_[i] * mean_y_[o];
  }
  for (std::size_t o = 0; o < outputs; ++o)
    squares_[o] = std::max(0.0, entry(p_ + 1 + o, p_ + 1 + o) - weight_ * mean_y_[o] * mean_y_[o]);
}

auto NormalEquations::solve(double c) const -> Solution {
  Solution found{.W = std::vector<double>(outputs_ * p_), .b = mean_y_};
  std::vector<double> X = r_;  // p × outputs
  const SingleThreadedBlas one_thread;
  Buffer<double> L(p_ * p_);
  std::ranges::copy(G_, L.begin());
  for (std::size_t i = 0; i < p_; ++i) L[i * p_ + i] += c;
  if (c > 0 && cholesky_factor(L.data(), p_, p_, threads_, progress_)) {
    cholesky_solve(L.data(), p_, p_, X.data(), outputs_);
    // One step of refinement: G is known better than its factor.
    std::vector<double> left = r_;
    for (std::size_t e = 0; e < left.size(); ++e) left[e] -= c * X[e];
    const auto p = blasint(p_), k = blasint(outputs_);
    gemm(CblasNoTrans, CblasNoTrans, p, k, p, -1, G_.data(), p, X.data(), k, 1, left.data(), k);
    cholesky_solve(L.data(), p_, p_, left.data(), outputs_);
    for (std::size_t e = 0; e < X.size(); ++e) X[e] += left[e];
    Buffer<double> scratch(p_ * p_);
    cholesky_inverse(L.data(), p_, scratch.data(), threads_, progress_);
    for (std::size_t j = 0; j < p_; ++j) found.degrees_of_freedom += 1 - c * L[j * p_ + j];
  } else {
    const Eigen eigen = symmetric_eigen(G_, p_, true);
    const double largest = eigen.values.empty() ? 0 : std::max(eigen.values.back(), 0.0),
                 rounding = double(p_) * std::numeric_limits<double>::epsilon() * largest;
    std::ranges::fill(X, 0.0);
    for (std::size_t e = 0; e < p_; ++e) {
      if (eigen.values[e] <= rounding) {
        found.unique = found.unique && c > 0;
        continue;
      }
      found.degrees_of_freedom += eigen.values[e] / (eigen.values[e] + c);
      for (std::size_t o = 0; o < outputs_; ++o) {
        double along = 0;
        for (std::size_t i = 0; i < p_; ++i) along += eigen.vectors[i * p_ + e] * r_[i * outputs_ + o];
        along /= eigen.values[e] + c;
        for (std::size_t i = 0; i < p_; ++i) X[i * outputs_ + o] += along * eigen.vectors[i * p_ + e];
      }
    }
  }
  found.degrees_of_freedom += bias_;
  std::vector<double> GX(p_ * outputs_, 0.0);
  if (p_ > 0)
    gemm(CblasNoTrans, CblasNoTrans, p_, outputs_, p_, 1, G_.data(), p_, X.data(), outputs_, 0, GX.data(),
         outputs_);
  double errors = 0;
  for (std::size_t o = 0; o < outputs_; ++o) {
    double error = squares_[o], difference = 0, whole = 0;
    for (std::size_t i = 0; i < p_; ++i) {
      const double w = X[i * outputs_ + o], right = r_[i * outputs_ + o], left = GX[i * outputs_ + o];
      found.W[o * p_ + i] = w;
      found.b[o] -= w * mean_[i];
      found.norm += w * w;
      error += w * (left - 2 * right);
      difference += std::pow(right - left - c * w, 2);
      whole += right * right;
    }
    errors += std::max(error, 0.0);
    if (whole > 0) found.residual = std::max(found.residual, std::sqrt(difference / whole));
  }
  found.loss = errors / weight_;
  return found;
}

double NormalEquations::trace() const {
  double sum = 0;
  for (std::size_t j = 0; j < p_; ++j) sum += G_[j * p_ + j];
  return sum;
}

}  // namespace mercer

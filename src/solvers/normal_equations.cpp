#include "solvers/normal_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/blas.hpp"
#include "base/parallel.hpp"
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

// Blocks of rows one after the other, parts of a block side by side, each with its own sums.
std::vector<RidgePath::Point> NormalEquations::path(std::span<const double> penalties,
                                                    const RowFeatures& features, std::span<const double> v,
                                                    std::span<const double> Y,
                                                    const Progress& progress) const {
  constexpr std::size_t block = 4096, part = 128;
  const SingleThreadedBlas one_thread;
  const std::size_t n = features.rows(), p = p_, count = penalties.size(), k = outputs_, width = count * k;
  Eigen eigen = symmetric_eigen(G_, p, true);
  std::vector<double> shares(p * count), weights(p * width), rotated(p * k);  // 1/(Λ + c), (Λ + c)⁻¹Uᵀr
  gemm(CblasTrans, CblasNoTrans, p, k, p, 1, eigen.vectors.data(), p, r_.data(), k, 0, rotated.data(), k);
  std::vector<RidgePath::Point> points(count, {0, 0, double(bias_)});
  for (std::size_t j = 0; j < p; ++j)
    for (std::size_t l = 0; l < count; ++l) {
      const double value = std::max(eigen.values[j], 0.0);
      shares[j * count + l] = 1 / (value + penalties[l]);
      points[l].degrees_of_freedom += value * shares[j * count + l];
      for (std::size_t o = 0; o < k; ++o)
        weights[j * width + l * k + o] = rotated[j * k + o] * shares[j * count + l];
    }
  for (std::size_t first = 0; first < n; first += block) {
    std::vector<std::size_t> rows(std::min(block, n - first));
    std::iota(rows.begin(), rows.end(), first);
    const Points table = features.select(rows).table();
    const std::size_t parts = (rows.size() + part - 1) / part;
    std::vector<double> sums(parts * 2 * count, 0.0);
    parallel_for(parts, threads_worth(rows.size() * p * p, threads_), [&](std::size_t b) {
      const std::size_t begin = b * part, height = std::min(part, rows.size() - begin);
      Buffer<double> phi(height * p), Z(height * p), f(height * width), h(height * count);
      for (std::size_t i = 0; i < height; ++i) {
        table.copy_row(begin + i, {phi.data() + i * p, p});
        for (std::size_t j = 0; j < p; ++j) phi[i * p + j] -= mean_[j];
      }
      gemm(CblasNoTrans, CblasNoTrans, height, p, p, 1, phi.data(), p, eigen.vectors.data(), p, 0, Z.data(),
           p);
      gemm(CblasNoTrans, CblasNoTrans, height, width, p, 1, Z.data(), p, weights.data(), width, 0, f.data(),
           width);
      for (double& z : Z) z *= z;
      gemm(CblasNoTrans, CblasNoTrans, height, count, p, 1, Z.data(), p, shares.data(), count, 0, h.data(),
           count);
      for (std::size_t i = 0; i < height; ++i)
        for (std::size_t l = 0; l < count; ++l) {
          const std::size_t row = first + begin + i;
          const double own = v[row] * (h[i * count + l] + (bias_ ? 1 / weight_ : 0));
          for (std::size_t o = 0; o < k; ++o) {
            const double error = Y[row * k + o] - mean_y_[o] - f[i * width + l * k + o];
            sums[(b * count + l) * 2] += v[row] * std::pow(error / std::max(1 - own, 1e-12), 2);
            sums[(b * count + l) * 2 + 1] += v[row] * error * error;
          }
        }
    });
    for (std::size_t e = 0; e < parts * count; ++e) {
      points[e % count].leave_one_out += sums[2 * e];
      points[e % count].generalised += sums[2 * e + 1];
    }
    progress.check("rows left out", double(first + rows.size()) / double(n));
  }
  for (RidgePath::Point& point : points) {
    const double left = 1 - point.degrees_of_freedom / double(n);
    point.leave_one_out /= weight_ * double(k);
    point.generalised /= weight_ * double(k) * left * left;
  }
  return points;
}

double NormalEquations::mean_square() const {
  return (trace() + weight_ * std::inner_product(mean_.begin(), mean_.end(), mean_.begin(), 0.0)) / weight_;
}

double NormalEquations::trace() const {
  double sum = 0;
  for (std::size_t j = 0; j < p_; ++j) sum += G_[j * p_ + j];
  return sum;
}

}  // namespace mercer

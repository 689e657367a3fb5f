#include "solvers/feature_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/blas.hpp"

namespace mercer {

FeatureEvidence::FeatureEvidence(const FeatureOperator& features, std::span<const double> targets,
                                 std::size_t outputs, std::span<const double> weights)
    : rows_(features.rows()),
      columns_(features.features()),
      outputs_(outputs),
      right_(columns_ * outputs, 0),
      z_(columns_, 0) {
  const std::size_t D = columns_;
  std::vector<double> roots(rows_), weighted(targets.begin(), targets.end());
  for (std::size_t i = 0; i < rows_; ++i) {
    roots[i] = std::sqrt(weights[i]);
    log_weights_ += std::log(weights[i]);
    for (std::size_t e = i * outputs; e < (i + 1) * outputs; ++e) {
      weighted[e] *= weights[i];
      squares_ += weighted[e] * targets[e];
    }
  }
  const Buffer<double> normal = features.normal_matrix(roots);
  G_.assign(normal.begin(), normal.end());
  features.multiply_transposed(weighted, outputs, right_);
  for (std::size_t i = 0; i < D; ++i)
    for (std::size_t j = i + 1; j < D; ++j) G_[i * D + j] = G_[j * D + i];
  eigen_ = symmetric_eigen(G_, D, true);
  for (double& value : eigen_.values) value = std::max(value, 0.0);
  for (std::size_t o = 0; o < outputs; ++o)
    for (std::size_t e = 0; e < D; ++e)
      z_[e] += std::pow(
          blas().ddot(blasint(D), eigen_.vectors.data() + e, blasint(D), right_.data() + o, blasint(outputs)),
          2);
}

double FeatureEvidence::operator()(std::span<const double> t, std::span<double> gradient) const {
  const double c = std::exp(t[0]), noise = std::exp(t[1]), m = double(outputs_),
               beyond = double(rows_) - double(columns_);
  double fitted = 0, bend = 0, log_det = beyond * std::log(noise) - log_weights_, by_factor = 0,
         by_noise = beyond;
  for (std::size_t e = 0; e < columns_; ++e) {
    const double total = c * eigen_.values[e] + noise;
    fitted += c * z_[e] / total;
    bend += c * z_[e] / (total * total);
    log_det += std::log(total);
    by_factor += c * eigen_.values[e] / total;
    by_noise += noise / total;
  }
  const double quadratic = (squares_ - fitted) / noise;
  if (!gradient.empty()) {
    gradient[0] = 0.5 * bend - 0.5 * m * by_factor;
    gradient[1] = 0.5 * (quadratic - bend) - 0.5 * m * by_noise;
  }
  return -0.5 * quadratic - 0.5 * m * (log_det + double(rows_) * std::log(2 * std::numbers::pi));
}

std::vector<double> FeatureEvidence::coefficients(double c, double noise) const {
  const std::size_t D = columns_;
  const SingleThreadedBlas one_thread;
  std::vector<double> a(D * outputs_, 0);
  for (std::size_t o = 0; o < outputs_; ++o)
    for (std::size_t e = 0; e < D; ++e) {
      const double along = blas().ddot(blasint(D), eigen_.vectors.data() + e, blasint(D), right_.data() + o,
                                       blasint(outputs_)) /
                           (c * eigen_.values[e] + noise);
      blas().daxpy(blasint(D), along, eigen_.vectors.data() + e, blasint(D), a.data() + o, blasint(outputs_));
    }
  return a;
}

std::vector<double> FeatureEvidence::precision(double c, double noise) const {
  const std::size_t D = columns_;
  const SingleThreadedBlas one_thread;
  std::vector<double> scaled = eigen_.vectors, P(D * D);
  for (std::size_t e = 0; e < D; ++e)
    blas().dscal(blasint(D), eigen_.values[e] / (c * eigen_.values[e] + noise), scaled.data() + e,
                 blasint(D));
  gemm(CblasNoTrans, CblasTrans, D, D, D, 1, scaled.data(), D, eigen_.vectors.data(), D, 0, P.data(), D);
  return P;
}

double FeatureEvidence::degrees_of_freedom(double c, double noise) const {
  double sum = 0;
  for (const double s : eigen_.values) sum += c * s / (c * s + noise);
  return sum;
}

double FeatureEvidence::residual(std::span<const double> a, double c, double noise) const {
  double difference = 0, size = 0;
  for (std::size_t o = 0; o < outputs_; ++o)
    for (std::size_t i = 0; i < columns_; ++i) {
      double left = noise * a[i * outputs_ + o];
      for (std::size_t j = 0; j < columns_; ++j) left += c * G_[i * columns_ + j] * a[j * outputs_ + o];
      difference += std::pow(right_[i * outputs_ + o] - left, 2);
      size += std::pow(right_[i * outputs_ + o], 2);
    }
  return size > 0 ? std::sqrt(difference / size) : 0;
}

}  // namespace mercer

#include "solvers/linear_evidence.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/blas.hpp"

namespace mercer {

LinearEvidence::LinearEvidence(const Points& points, std::span<const double> targets, std::size_t outputs,
                               std::span<const double> weights)
    : rows_(points.rows()),
      columns_(points.cols()),
      outputs_(outputs),
      G_(columns_ * columns_, 0),
      right_(columns_ * outputs, 0),
      z_(columns_, 0) {
  constexpr std::size_t at_once = 512;
  const SingleThreadedBlas one_thread;
  const std::size_t D = columns_;
  std::vector<double> block(at_once * D), y(at_once * outputs);
  for (std::size_t begin = 0; begin < rows_; begin += at_once) {
    const std::size_t count = std::min(at_once, rows_ - begin);
    for (std::size_t i = 0; i < count; ++i) {
      const double root = std::sqrt(weights[begin + i]);
      points.copy_row(begin + i, std::span(block).subspan(i * D, D));
      for (std::size_t k = 0; k < D; ++k) block[i * D + k] *= root;
      for (std::size_t o = 0; o < outputs; ++o) {
        y[i * outputs + o] = root * targets[(begin + i) * outputs + o];
        squares_ += y[i * outputs + o] * y[i * outputs + o];
      }
      log_weights_ += std::log(weights[begin + i]);
    }
    blas().dsyrk(CblasRowMajor, CblasLower, CblasTrans, blasint(D), blasint(count), 1, block.data(),
                 blasint(D), 1, G_.data(), blasint(D));
    blas().dgemm(CblasRowMajor, CblasTrans, CblasNoTrans, blasint(D), blasint(outputs), blasint(count), 1,
                 block.data(), blasint(D), y.data(), blasint(outputs), 1, right_.data(), blasint(outputs));
  }
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

double LinearEvidence::operator()(std::span<const double> t, std::span<double> gradient) const {
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

std::vector<double> LinearEvidence::coefficients(double c, double noise) const {
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

std::vector<double> LinearEvidence::precision(double c, double noise) const {
  const std::size_t D = columns_;
  const SingleThreadedBlas one_thread;
  std::vector<double> scaled = eigen_.vectors, P(D * D);
  for (std::size_t e = 0; e < D; ++e)
    blas().dscal(blasint(D), eigen_.values[e] / (c * eigen_.values[e] + noise), scaled.data() + e,
                 blasint(D));
  blas().dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, blasint(D), blasint(D), blasint(D), 1, scaled.data(),
               blasint(D), eigen_.vectors.data(), blasint(D), 0, P.data(), blasint(D));
  return P;
}

double LinearEvidence::degrees_of_freedom(double c, double noise) const {
  double sum = 0;
  for (const double s : eigen_.values) sum += c * s / (c * s + noise);
  return sum;
}

double LinearEvidence::residual(std::span<const double> a, double c, double noise) const {
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

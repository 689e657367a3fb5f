#include "solvers/evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/blas.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {

namespace {

constexpr std::size_t many_rows = 500;  // fewer take no time in float64
constexpr std::size_t compared_columns = 16;
// Of a trace, whose n terms are taken to err either way. A maximum is missed by about its square over twice
// the curvature there: with the 70 seen along the flattest direction of 3,000 rows, by 6e-6 of evidence.
constexpr double most_error = 0.03;

}  // namespace

double LogEvidence::operator()(std::span<const double> t, std::span<double> gradient) {
  if (const auto found = value(t, gradient)) return *found;
  throw no_value(t);
}

Evidence::Evidence(Data data, KernelCoordinates coordinates, int threads, const Progress& progress)
    : LogEvidence(std::move(coordinates), threads, progress), data_(std::move(data)), A_(rows() * rows()) {}

// A = L Lᵀ with the noise and the jitter on the diagonal; false where it is not positive definite.
bool Evidence::factor(const Kernel& kernel, double noise_variance) {
  const std::size_t n = rows();
  noise_ = noise_variance;
  KernelOperator<double>(kernel, data_.points, {.threads = threads_}).matrix(std::span(A_.data(), A_.size()));
  for (std::size_t i = 0; i < n; ++i) A_[i * n + i] += noise(i);
  return cholesky_factor(A_.data(), n, n, threads_, progress_);
}

Error Evidence::no_value(std::span<const double> t) const {
  return Error(ErrorCode::indefinite_kernel,
               fmt::format("K + noise is not positive definite with noise {:g} for {}", noise_ + jitter_,
                           coordinates_.at(t).text()),
               {.hint = "raise the noise"});
}

std::unique_ptr<LogEvidence> Evidence::of_rows(std::span<const std::size_t> rows) const {
  const std::size_t m = data_.outputs;
  Data part{data_.points.select_rows(rows), {}, m, {}};
  for (const std::size_t i : rows) {
    part.targets.insert(part.targets.end(), data_.targets.begin() + std::ptrdiff_t(i * m),
                        data_.targets.begin() + std::ptrdiff_t((i + 1) * m));
    part.noise_factors.push_back(data_.noise_factors[i]);
  }
  return std::make_unique<Evidence>(std::move(part), coordinates_, threads_, progress_);
}

std::optional<double> Evidence::value(std::span<const double> t, std::span<double> gradient) {
  const std::size_t n = rows(), m = data_.outputs, count = coordinates_.size();
  const Kernel kernel = coordinates_.at(t);
  jitter_ = 0;
  if (!factor(kernel, std::exp(t[count]))) {
    std::vector<double> diagonal(n);
    KernelOperator<double>(kernel, data_.points, {.threads = 1}).diagonal(diagonal);
    double mean = 0;
    for (const double entry : diagonal) mean += entry / double(n);
    for (jitter_ = 1e-10 * mean; !factor(kernel, std::exp(t[count])); jitter_ *= 10)
      if (!(jitter_ < 1e-4 * mean)) return std::nullopt;
  }
  double value = -0.5 * double(n * m) * std::log(2 * std::numbers::pi);
  for (std::size_t i = 0; i < n; ++i) value -= double(m) * std::log(A_[i * n + i]);
  alpha_ = data_.targets;
  cholesky_solve(A_.data(), n, n, alpha_.data(), m);
  for (std::size_t e = 0; e < alpha_.size(); ++e) value -= 0.5 * data_.targets[e] * alpha_[e];
  diagonal_.clear();
  inverted_ = false;
  if (gradient.empty()) return value;
  invert();
  const WeightRow rows_of_weights = [&](std::size_t i, Range columns, std::span<double> out) {
    weights(i, columns, out);
  };
  for (std::size_t i = 0; i < count; ++i)
    gradient[i] = 0.5 * (i == 0 && coordinates_.leading_factor()
                             ? kernel_trace()
                             : weighted_slope({coordinates_, t, i}, data_.points, rows_of_weights, threads_,
                                              progress_));
  gradient[count] = 0;
  for (std::size_t i = 0; i < n; ++i) {
    double own = -double(m) * diagonal_[i];
    for (std::size_t o = 0; o < m; ++o) own += alpha_[i * m + o] * alpha_[i * m + o];
    gradient[count] += 0.5 * own * noise_ * data_.noise_factors[i];
  }
  return value;
}

void Evidence::invert() {
  const std::size_t n = rows();
  diagonal_.resize(n);
  if (n >= many_rows && invert_in_float32()) {
    for (std::size_t i = 0; i < n; ++i) diagonal_[i] = double(narrow_[i * n + i]);
    return;
  }
  narrow_ = {};
  if (scratch_.empty()) scratch_ = Buffer<double>(n * n);
  cholesky_inverse(A_.data(), n, scratch_.data(), threads_, progress_);
  inverted_ = true;
  for (std::size_t i = 0; i < n; ++i) diagonal_[i] = A_[i * n + i];
}

// False where float32 is not enough. What the gradient has of A⁻¹ is the trace of its product with a
// derivative of K, which is about as large as K: so the diagonal of A·A⁻¹ is looked at, in places spread over
// the matrix.
bool Evidence::invert_in_float32() {
  const std::size_t n = rows(), k = compared_columns;
  scratch_ = {};
  if (narrow_.empty()) narrow_ = Buffer<float>(2 * n * n);
  for (std::size_t i = 0; i < n; ++i)
    std::transform(A_.data() + i * n, A_.data() + i * n + i + 1, narrow_.data() + i * n,
                   [](double entry) { return float(entry); });
  cholesky_inverse(narrow_.data(), n, narrow_.data() + n * n, threads_, progress_);
  std::vector<double> along(n * k, 0);  // LᵀX of the columns X of A⁻¹
  const auto place = [&](std::size_t c) { return (2 * c + 1) * n / (2 * k); };
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < k; ++c) along[i * k + c] = double(narrow_[place(c) * n + i]);
  const SingleThreadedBlas one_thread;
  trmm(CblasLeft, CblasTrans, n, k, 1, A_.data(), n, along.data(), k);
  double squares = 0;
  for (std::size_t c = 0; c < k; ++c) {
    const double* L = A_.data() + place(c) * n;
    double entry = -1;
    for (std::size_t j = 0; j <= place(c); ++j) entry += L[j] * along[j * k + c];
    squares += entry * entry / double(k);
  }
  return squares * double(n) <= most_error * most_error;  // false where it is not a number
}

void Evidence::weights(std::size_t i, Range columns, std::span<double> out) const {
  const std::size_t n = rows(), m = data_.outputs;
  for (std::size_t j = columns.begin; j < columns.end; ++j) {
    const double entry = inverted_ ? A_[i * n + j] : double(narrow_[i * n + j]);
    double product = -double(m) * entry;
    for (std::size_t o = 0; o < m; ++o) product += alpha_[i * m + o] * alpha_[j * m + o];
    out[j - columns.begin] = product;
  }
}

std::vector<double> Evidence::take_matrix() && {
  const std::size_t n = rows();
  for (std::size_t i = 0; i < n && !inverted_; ++i) std::fill_n(A_.data() + i * n + i + 1, n - i - 1, 0.0);
  return std::move(A_);
}

double Evidence::inverse_noise_trace() const {
  const std::size_t n = rows();
  std::vector<double> diagonal = diagonal_;
  if (diagonal.empty()) {
    diagonal.resize(n);
    cholesky_inverse_diagonal(A_.data(), n, diagonal.data(), threads_);
  }
  double trace = 0;
  for (std::size_t i = 0; i < n; ++i) trace += noise(i) * diagonal[i];
  return trace;
}

// tr (ααᵀ − m·A⁻¹)K with K = A − noise: αᵀKα = αᵀy − Σ noise·α² and tr A⁻¹K = n − tr A⁻¹·noise.
double Evidence::kernel_trace() const {
  const std::size_t m = data_.outputs;
  double trace = -double(m) * (double(rows()) - inverse_noise_trace());
  for (std::size_t e = 0; e < alpha_.size(); ++e)
    trace += alpha_[e] * (data_.targets[e] - noise(e / m) * alpha_[e]);
  return trace;
}

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

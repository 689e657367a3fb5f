#include "solvers/coregional_evidence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/blas.hpp"
#include "mercer/kernel_operator.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {

CoregionalEvidence::CoregionalEvidence(Data data, KernelCoordinates coordinates, int threads,
                                       const Progress& progress)
    : LogEvidence(std::move(coordinates), threads, progress), data_(std::move(data)), K_(rows() * rows()) {
  for (std::size_t e = 0; e < data_.targets.size(); ++e)
    if (!std::isnan(data_.targets[e])) observed_.push_back(e);
}

double CoregionalEvidence::bytes() const {
  const double n = double(rows()), p = double(data_.outputs), N = double(observed());
  return 8 * (complete() ? (p + 3) * n * n : 2 * N * N + 2 * n * n);
}

std::unique_ptr<LogEvidence> CoregionalEvidence::of_rows(std::span<const std::size_t> rows) const {
  const std::size_t p = data_.outputs;
  Data part{data_.points.select_rows(rows), {}, p, {}, data_.rank};
  for (const std::size_t i : rows) {
    part.targets.insert(part.targets.end(), data_.targets.begin() + std::ptrdiff_t(i * p),
                        data_.targets.begin() + std::ptrdiff_t((i + 1) * p));
    part.noise_factors.push_back(data_.noise_factors[i]);
  }
  return std::make_unique<CoregionalEvidence>(std::move(part), coordinates_, threads_, progress_);
}

Error CoregionalEvidence::no_value(std::span<const double> t) const {
  return Error(
      ErrorCode::indefinite_kernel,
      fmt::format("the covariance of the outputs is not positive definite for {}", coordinates_.at(t).text()),
      {.hint = "raise the noise"});
}

std::vector<double> CoregionalEvidence::mixing(std::span<const double> t) const {
  const std::size_t p = data_.outputs, r = data_.rank, first = coordinates_.size();
  std::vector<double> B(p * p, 0.0);
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j < p; ++j) {
      for (std::size_t q = 0; q < r; ++q) B[i * p + j] += t[first + i * r + q] * t[first + j * r + q];
      if (i == j) B[i * p + j] += std::exp(t[first + p * r + i]);
    }
  return B;
}

std::vector<double> CoregionalEvidence::noise(std::span<const double> t) const {
  const std::size_t p = data_.outputs, first = coordinates_.size() + p * data_.rank + p;
  std::vector<double> noise(p);
  for (std::size_t j = 0; j < p; ++j) noise[j] = std::exp(t[first + j]);
  return noise;
}

std::optional<double> CoregionalEvidence::value(std::span<const double> t, std::span<double> gradient) {
  const std::size_t p = data_.outputs, r = data_.rank, count = coordinates_.size();
  B_ = mixing(t);
  noise_ = noise(t);
  KernelOperator<double>(coordinates_.at(t), data_.points, {.threads = threads_})
      .matrix(std::span(K_.data(), K_.size()));
  value_ = -0.5 * double(observed()) * std::log(2 * std::numbers::pi);
  if (!(complete() ? solve_rotated() : solve_whole()) || !std::isfinite(value_)) return std::nullopt;
  if (gradient.empty()) return value_;
  if (complete())
    sum_rotated();
  else
    sum_whole();
  const std::size_t n = rows();
  const WeightRow weights = [&](std::size_t i, Range columns, std::span<double> out) {
    std::copy_n(kernel_weights_.data() + i * n + columns.begin, columns.size(), out.begin());
  };
  for (std::size_t i = 0; i < count; ++i)
    gradient[i] = weighted_slope({coordinates_, t, i}, data_.points, weights, threads_, progress_);
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t q = 0; q < r; ++q) {
      double sum = 0;
      for (std::size_t j = 0; j < p; ++j) sum += H_[i * p + j] * t[count + j * r + q];
      gradient[count + i * r + q] = 2 * sum;
    }
    gradient[count + p * r + i] = H_[i * p + i] * std::exp(t[count + p * r + i]);
    gradient[count + p * r + p + i] = by_noise_[i] * noise_[i];
  }
  return value_;
}

// --- Every output observed: p systems of the rows.

bool CoregionalEvidence::solve_rotated() {
  const std::size_t n = rows(), p = data_.outputs;
  std::vector<double> scaled(p * p);
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j < p; ++j) scaled[i * p + j] = B_[i * p + j] / std::sqrt(noise_[i] * noise_[j]);
  if (std::ranges::any_of(scaled, [](double v) { return !std::isfinite(v); })) return false;
  const Eigen eigen = symmetric_eigen(scaled, p, true);
  U_ = eigen.vectors;
  lambda_ = eigen.values;
  for (double& value : lambda_) value = std::max(value, 0.0);
  for (const double d : noise_) value_ -= 0.5 * double(n) * std::log(d);
  inverses_.resize(p);
  if (scratch_.size() != n * n) scratch_ = Buffer<double>(n * n);
  rotated_.assign(n * p, 0.0);
  std::vector<double> y(n), a(n);
  for (std::size_t l = 0; l < p; ++l) {
    if (inverses_[l].size() != n * n) inverses_[l] = Buffer<double>(n * n);
    double* A = inverses_[l].data();
    for (std::size_t e = 0; e < n * n; ++e) A[e] = lambda_[l] * K_[e];
    for (std::size_t i = 0; i < n; ++i) {
      A[i * n + i] += data_.noise_factors[i];
      y[i] = 0;
      for (std::size_t j = 0; j < p; ++j)
        y[i] += data_.targets[i * p + j] * U_[j * p + l] / std::sqrt(noise_[j]);
    }
    if (!cholesky_factor(A, n, n, threads_, progress_)) return false;
    a = y;
    cholesky_solve(A, n, n, a.data(), 1);
    for (std::size_t i = 0; i < n; ++i) {
      value_ -= 0.5 * y[i] * a[i] + std::log(A[i * n + i]);
      rotated_[i * p + l] = a[i];
    }
    cholesky_inverse(A, n, scratch_.data(), threads_, progress_);
  }
  alpha_.assign(n * p, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < p; ++j)
      for (std::size_t l = 0; l < p; ++l)
        alpha_[i * p + j] += rotated_[i * p + l] * U_[j * p + l] / std::sqrt(noise_[j]);
  return true;
}

void CoregionalEvidence::sum_rotated() {
  const std::size_t n = rows(), p = data_.outputs;
  kernel_weights_.assign(n * n, 0.0);
  std::vector<double> Ka(n * p), G(p * p, 0.0), N(p * p, 0.0);
  gemm(CblasNoTrans, CblasNoTrans, n, p, n, 1, K_.data(), n, rotated_.data(), p, 0, Ka.data(), p);
  for (std::size_t l = 0; l < p; ++l) {
    const double* M = inverses_[l].data();
    double with_K = 0, with_noise = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double ai = rotated_[i * p + l];
      with_noise += M[i * n + i] * data_.noise_factors[i];
      for (std::size_t j = 0; j < n; ++j) {
        with_K += M[i * n + j] * K_[i * n + j];
        kernel_weights_[i * n + j] += 0.5 * lambda_[l] * (ai * rotated_[j * p + l] - M[i * n + j]);
      }
    }
    G[l * p + l] -= 0.5 * with_K;
    N[l * p + l] -= 0.5 * with_noise;
    for (std::size_t q = 0; q < p; ++q)
      for (std::size_t i = 0; i < n; ++i) {
        G[l * p + q] += 0.5 * rotated_[i * p + l] * Ka[i * p + q];
        N[l * p + q] += 0.5 * rotated_[i * p + l] * rotated_[i * p + q] * data_.noise_factors[i];
      }
  }
  // Back from the rotated outputs: D^(−½) U · Uᵀ D^(−½).
  const auto turned_back = [&](const std::vector<double>& X) {
    std::vector<double> back(p * p, 0.0);
    for (std::size_t i = 0; i < p; ++i)
      for (std::size_t j = 0; j < p; ++j)
        for (std::size_t l = 0; l < p; ++l)
          for (std::size_t q = 0; q < p; ++q)
            back[i * p + j] +=
                U_[i * p + l] * X[l * p + q] * U_[j * p + q] / std::sqrt(noise_[i] * noise_[j]);
    return back;
  };
  H_ = turned_back(G);
  const std::vector<double> of_noise = turned_back(N);
  by_noise_.resize(p);
  for (std::size_t j = 0; j < p; ++j) by_noise_[j] = of_noise[j * p + j];
}

// --- Some outputs missing: one system of all numbers.

bool CoregionalEvidence::solve_whole() {
  const std::size_t n = rows(), p = data_.outputs, N = observed();
  inverses_.resize(1);
  if (inverses_[0].size() != N * N) {
    inverses_[0] = Buffer<double>(N * N);
    scratch_ = Buffer<double>(N * N);
  }
  double* A = inverses_[0].data();
  for (std::size_t a = 0; a < N; ++a) {
    const std::size_t i = observed_[a] / p, j = observed_[a] % p;
    for (std::size_t b = 0; b < N; ++b)
      A[a * N + b] = B_[j * p + observed_[b] % p] * K_[i * n + observed_[b] / p];
    A[a * N + a] += noise_[j] * data_.noise_factors[i];
  }
  if (!cholesky_factor(A, N, N, threads_, progress_)) return false;
  std::vector<double> y(N);
  for (std::size_t a = 0; a < N; ++a) y[a] = data_.targets[observed_[a]];
  std::vector<double> solved = y;
  cholesky_solve(A, N, N, solved.data(), 1);
  alpha_.assign(n * p, 0.0);
  for (std::size_t a = 0; a < N; ++a) {
    value_ -= 0.5 * y[a] * solved[a] + std::log(A[a * N + a]);
    alpha_[observed_[a]] = solved[a];
  }
  cholesky_inverse(A, N, scratch_.data(), threads_, progress_);
  return true;
}

void CoregionalEvidence::sum_whole() {
  const std::size_t n = rows(), p = data_.outputs, N = observed();
  const double* inverse = inverses_[0].data();
  kernel_weights_.assign(n * n, 0.0);
  H_.assign(p * p, 0.0);
  by_noise_.assign(p, 0.0);
  for (std::size_t a = 0; a < N; ++a) {
    const std::size_t i = observed_[a] / p, j = observed_[a] % p;
    for (std::size_t b = 0; b < N; ++b) {
      const std::size_t k = observed_[b] / p, q = observed_[b] % p;
      const double weight = 0.5 * (alpha_[observed_[a]] * alpha_[observed_[b]] - inverse[a * N + b]);
      kernel_weights_[i * n + k] += weight * B_[j * p + q];
      H_[j * p + q] += weight * K_[i * n + k];
      if (a == b) by_noise_[j] += weight * data_.noise_factors[i];
    }
  }
}

// --- The posterior.

std::vector<double> CoregionalEvidence::coefficients() const {
  const std::size_t n = rows(), p = data_.outputs;
  std::vector<double> found(n * p, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < p; ++j)
      for (std::size_t l = 0; l < p; ++l) found[i * p + j] += alpha_[i * p + l] * B_[l * p + j];
  return found;
}

std::vector<double> CoregionalEvidence::precision() const {
  const std::size_t n = rows(), p = data_.outputs, N = observed();
  std::vector<double> P(p * n * n, 0.0);
  for (std::size_t o = 0; o < p; ++o) {
    double* own = P.data() + o * n * n;
    if (complete()) {
      for (std::size_t l = 0; l < p; ++l) {
        const double share = noise_[o] * std::pow(U_[o * p + l] * lambda_[l], 2);
        for (std::size_t e = 0; e < n * n; ++e) own[e] += share * inverses_[l][e];
      }
      continue;
    }
    for (std::size_t a = 0; a < N; ++a)
      for (std::size_t b = 0; b < N; ++b)
        own[observed_[a] / p * n + observed_[b] / p] +=
            B_[o * p + observed_[a] % p] * B_[o * p + observed_[b] % p] * inverses_[0][a * N + b];
  }
  return P;
}

}  // namespace mercer

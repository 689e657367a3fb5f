// What the tests of regularised risks share: the risk and its gradient in double loops over a dense K.
#pragma once

#include "methods/problems.hpp"
#include "mercer/loss.hpp"

namespace mercer::testing {

/// The data that a loss asks for: numbers, counts, two classes or three.
inline Dataset data_for(const Loss& loss, std::size_t n, std::uint64_t seed = 1) {
  switch (loss.target()) {
    case LossTarget::counts:
      return counts(n, seed);
    case LossTarget::signs:
      return blobs(n, 2, seed, 1.5);
    case LossTarget::classes:
      return blobs(n, 3, seed, 1.5);
    case LossTarget::real:
      break;
  }
  return wave(n, seed);
}

/// (1/Σw)·Σ w·L(y, f(x) + b) + λ·Ω(‖f‖²) over Σ αᵢ k(xᵢ, ·) of the rows of `data`.
struct PlainRisk {
  const Dataset& data;
  const Loss& loss;
  double lambda;
  Rerm::Omega omega = Rerm::Omega::square;
  KernelFunction kernel = [](auto& x, auto& z) { return rbf(x, z, 0.5); };
  std::vector<double> K = {}, y = {}, v = {};
  std::size_t outputs = 1;

  PlainRisk(const Dataset& rows, const Loss& one, double penalty,
            Rerm::Omega regulariser = Rerm::Omega::square)
      : data(rows), loss(one), lambda(penalty), omega(regulariser) {
    const std::size_t n = data.rows();
    double weight = 0;
    for (std::size_t e = 0; e < n * n; ++e)
      K.push_back(kernel(data.points.row(e / n), data.points.row(e % n)));
    for (std::size_t i = 0; i < n; ++i) {
      if (loss.target() == LossTarget::signs)
        y.push_back(data.target.codes[i] == 0 ? 1 : -1);
      else
        y.push_back(loss.target() == LossTarget::classes ? double(data.target.codes[i])
                                                         : data.target.values[i]);
      weight += data.weights.empty() ? 1 : data.weights[i];
      v.push_back(data.weights.empty() ? 1 : data.weights[i]);
    }
    for (double& share : v) share /= weight;
    if (loss.target() == LossTarget::classes) outputs = data.target.labels.size();
  }
  std::size_t n() const { return y.size(); }
  std::vector<double> times_K(const std::vector<double>& A) const {
    std::vector<double> out(A.size(), 0.0);
    for (std::size_t i = 0; i < n(); ++i)
      for (std::size_t j = 0; j < n(); ++j)
        for (std::size_t c = 0; c < outputs; ++c) out[i * outputs + c] += K[i * n() + j] * A[j * outputs + c];
    return out;
  }
  /// As Predictions::scores: one of two classes is positive for the second.
  std::vector<double> scores(const std::vector<double>& A, const std::vector<double>& b) const {
    std::vector<double> all = f(A, b);
    if (outputs == 1 && data.target.labels.size() == 2)
      for (double& score : all) score = -score;
    return all;
  }
  std::vector<double> f(const std::vector<double>& A, const std::vector<double>& b) const {
    std::vector<double> sums = times_K(A);
    for (std::size_t e = 0; e < sums.size(); ++e) sums[e] += b[e % outputs];
    return sums;
  }
  double norm(const std::vector<double>& A) const { return dot(A, times_K(A)); }
  double training_loss(const std::vector<double>& A, const std::vector<double>& b) const {
    const std::vector<double> at = f(A, b);
    double sum = 0;
    for (std::size_t i = 0; i < n(); ++i)
      sum += v[i] * loss.value(y[i], std::span(at).subspan(i * outputs, outputs));
    return sum;
  }
  double operator()(const std::vector<double>& A, const std::vector<double>& b) const {
    const double t = std::max(0.0, norm(A));
    return training_loss(A, b) + lambda * (omega == Rerm::Omega::norm     ? std::sqrt(t)
                                           : omega == Rerm::Omega::fourth ? t * t
                                                                          : t);
  }
  /// The length of v∘L′ + 2λΩ′(‖f‖²)α in the space of the kernel, and of Σ v L′.
  std::pair<double, double> gradient(const std::vector<double>& A, const std::vector<double>& b) const {
    const double t = norm(A);
    return gradient_with(A, b,
                         t == 0                         ? 0
                         : omega == Rerm::Omega::norm   ? 0.5 / std::sqrt(t)
                         : omega == Rerm::Omega::fourth ? 2 * t
                                                        : 1);
  }
  std::pair<double, double> gradient_with(const std::vector<double>& A, const std::vector<double>& b,
                                          double slope) const {
    const std::vector<double> at = f(A, b);
    std::vector<double> r(A.size()), sums(outputs, 0.0), g(outputs);
    for (std::size_t i = 0; i < n(); ++i) {
      loss.derivative(y[i], std::span(at).subspan(i * outputs, outputs), g);
      for (std::size_t c = 0; c < outputs; ++c)
        r[i * outputs + c] = v[i] * g[c] + 2 * lambda * slope * A[i * outputs + c], sums[c] += v[i] * g[c];
    }
    return {std::sqrt(std::max(0.0, dot(r, times_K(r)))), std::sqrt(dot(sums, sums))};
  }
  /// The gradient of the best constant, or of 0 without one, where that is above 1: the unit of the
  /// certificate. Of one output.
  double unit(bool bias) const {
    double low = bias ? -1e4 : 0, high = -low;
    for (int step = 0; step < 100 && bias; ++step) {
      double slope = 0, g = 0;
      const double middle = (low + high) / 2;
      for (std::size_t i = 0; i < n(); ++i)
        loss.derivative(y[i], std::span(&middle, 1), std::span(&g, 1)), slope += v[i] * g;
      (slope < 0 ? low : high) = middle;
    }
    return std::max(1.0, gradient(std::vector<double>(n(), 0.0), {low}).first);
  }
};

struct Coefficients {
  std::vector<double> A, b;
};
/// α (rows of the data × outputs) and b of a model whose rows are distinct.
inline Coefficients coefficients_and_constant(const Model& model, const Dataset& data) {
  const std::size_t outputs = model.fitted.rho.size();
  Coefficients c{std::vector<double>(data.rows() * outputs), {}};
  for (std::size_t o = 0; o < outputs; ++o) {
    const std::vector<double> column = coefficients_of(model, data.points, o);
    for (std::size_t i = 0; i < data.rows(); ++i) c.A[i * outputs + o] = column[i];
    c.b.push_back(-model.fitted.rho[o]);
  }
  return c;
}

/// No neighbour of (A, b) has a risk that is lower by more than `slack`.
inline void expect_no_lower(const PlainRisk& risk, const Coefficients& at, bool bias, double slack) {
  const double lowest = risk(at.A, at.b);
  Random random(3);
  for (int trial = 0; trial < 30; ++trial) {
    const double length = std::pow(10, random.uniform(-4, 0));
    Coefficients near = at;
    // At random, or towards 0, where most neighbours are of larger norm.
    for (double& value : near.A)
      value +=
          trial % 2 == 0 ? length * random.normal() / std::sqrt(double(at.A.size())) : -0.5 * length * value;
    for (double& value : near.b) value += bias ? length * random.normal() : 0;
    EXPECT_GE(risk(near.A, near.b), lowest - slack) << trial;
  }
}

/// The model is the minimum of the risk, its report tells so, and its scores are f.
inline void expect_minimum(const Model& model, const PlainRisk& risk, bool bias, double tolerance) {
  const Coefficients at = coefficients_and_constant(model, risk.data);
  const FitReport& report = model.fitted.report;
  EXPECT_TRUE(report.converged) << report.violation;
  EXPECT_EQ(report.certificate, CertificateKind::gradient_norm);
  EXPECT_LE(report.violation, tolerance);
  const auto [inside, constant] = risk.gradient(at.A, at.b);
  if (risk.outputs == 1) tolerance *= risk.unit(bias);
  EXPECT_LE(inside, 1.01 * tolerance + 1e-12);
  if (bias) {
    EXPECT_LE(constant, 1.01 * tolerance + 1e-12);
  } else {
    for (const double b : at.b) EXPECT_EQ(b, 0);
  }
  const double value = risk(at.A, at.b);
  EXPECT_NEAR(report.objective, value, 1e-9 * (1 + std::abs(value)));
  EXPECT_NEAR(*report.norm, risk.norm(at.A), 1e-9 * (1 + *report.norm));
  EXPECT_NEAR(*report.loss, risk.training_loss(at.A, at.b), 1e-9 * (1 + std::abs(value)));
  expect_near(model.predict(risk.data.points).scores, risk.scores(at.A, at.b), 1e-9);
  expect_no_lower(risk, at, bias, 10 * tolerance * tolerance + 1e-11 * (1 + std::abs(value)) + 2 * tolerance);
}

}  // namespace mercer::testing

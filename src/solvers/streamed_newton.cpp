#include "solvers/streamed_newton.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mercer {

namespace {

double dot_product(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t e = 0; e < a.size(); ++e) sum += a[e] * b[e];
  return sum;
}

class StreamedDescent {
 public:
  StreamedDescent(const RowFeatures& features, const RiskProblem& problem, double constant)
      : features_(features), p_(problem), constant_(constant), k_(problem.outputs) {
    X.assign(features_.features() * k_, 0.0);
    gradient.resize(X.size());
    f.assign(p_.y.size() * k_, 0.0);
  }

  std::size_t own() const { return features_.features() - (constant_ != 0); }
  std::span<const double> weights(std::span<const double> of) const { return of.first(own() * k_); }
  double norm() const { return dot_product(weights(X), weights(X)); }
  double loss() const {
    std::vector<double> losses(p_.y.size());
    p_.loss.values(p_.y, f, losses);
    return dot_product(p_.v, losses);
  }

  /// One pass: f and the gradient at X.
  void evaluate() {
    features_.pass(
        X, k_,
        [&](Range rows, double* F) {
          const std::size_t first = rows.begin * k_, count = rows.size() * k_;
          std::copy_n(F, count, f.data() + first);
          p_.loss.derivatives(p_.y.subspan(rows.begin, rows.size()), std::span(f).subspan(first, count),
                              {F, count});
          for (std::size_t e = 0; e < count; ++e) F[e] *= p_.v[(first + e) / k_];
        },
        gradient);
    ++passes;
    for (std::size_t e = 0; e < own() * k_; ++e) gradient[e] += 2 * p_.lambda * X[e];
  }

  /// The constant's part of the gradient is a times b's.
  double gradient_norm() const {
    const auto rest = std::span(gradient).subspan(own() * k_);
    const double of_b = constant_ != 0 ? dot_product(rest, rest) / (constant_ * constant_) : 0;
    return std::sqrt(weights_gradient() + of_b);
  }
  double weights_gradient() const { return dot_product(weights(gradient), weights(gradient)); }

  void set_bias(std::span<const double> b) {
    for (std::size_t c = 0; c < k_; ++c) X[own() * k_ + c] = b[c] / constant_;
  }
  std::vector<double> bias() const {
    std::vector<double> b(k_, 0.0);
    for (std::size_t c = 0; c < k_ && constant_ != 0; ++c) b[c] = constant_ * X[own() * k_ + c];
    if (k_ > 1 && constant_ != 0) {  // free up to a shift of all: the one whose sum is 0
      double mean = 0;
      for (const double level : b) mean += level / double(k_);
      for (double& level : b) level -= mean;
    }
    return b;
  }

  /// Goes along D while the risk falls as its slope promises (Armijo 1966). The whole step is tried by a pass
  /// that gives the gradient, too.
  bool go_along(std::span<const double> D) {
    const double before = loss() + p_.lambda * norm(), promised = dot_product(gradient, D);
    if (!(promised < 0)) return false;
    const std::vector<double> X0 = X, f0 = f, g0 = gradient;
    const double rounding = 1e-12 * std::abs(before);
    for (double length = 1; length >= 0.1; length /= 2) {
      for (std::size_t e = 0; e < X.size(); ++e) X[e] = X0[e] + length * D[e];
      if (length == 1) {
        evaluate();
        whole_ = f;
      } else {
        for (std::size_t e = 0; e < f.size(); ++e) f[e] = f0[e] + length * (whole_[e] - f0[e]);
      }
      const double risk = loss() + p_.lambda * norm();
      const bool drowns = length == 1 && -promised <= rounding && risk <= before + rounding;
      if (std::isfinite(risk) && (drowns || risk <= before + 1e-4 * length * promised)) {
        if (length < 1) evaluate();
        return true;
      }
    }
    X = X0;
    f = f0;
    gradient = g0;
    return false;
  }

  std::vector<double> X, gradient;  // features × k
  std::vector<double> f;            // n × k
  std::size_t passes = 0;

 private:
  const RowFeatures& features_;
  const RiskProblem& p_;
  double constant_;
  std::size_t k_;
  std::vector<double> whole_;
};

}  // namespace

StreamedRisk stream_risk(const RowFeatures& features, const RiskProblem& problem, const RiskOptions& options,
                         const FeatureSystemOptions& how) {
  const std::size_t k = problem.outputs, n = problem.y.size();
  const bool free = problem.constant > 0;
  const double constant = free ? std::sqrt(std::max(problem.constant, 2e4 * problem.lambda)) : 0;
  const RowFeatures extended = free ? features.with_constant(constant) : features;
  StreamedDescent state(extended, problem, constant);
  if (free) {
    std::vector<double> b(k, 0.0);
    fit_constant(problem, state.f, b);
    state.set_bias(b);
  }
  state.evaluate();
  StreamedRisk result;
  double gradient = result.first = state.gradient_norm(), more = 0;
  const double aim = options.tolerance * std::max(1.0, result.first);
  const auto go_on = [&] {
    return !options.progress || options.progress(fmt::format("gradient {:.2g}", gradient),
                                                 decades_done(result.first, gradient, aim));
  };
  const Progress told = [&](std::string_view, double) { return go_on(), true; };
  FeatureSystem system(extended, how);
  bool rough = true;  // while steps from kernel values in float32 are good ones
  std::vector<double> s(n * k), u(n * k), R(state.X.size()), D(state.X.size());
  while (gradient > aim && result.steps < options.most_steps && go_on()) {
    ++result.steps;
    problem.loss.curvatures(problem.y, state.f, s, u);
    for (std::size_t e = 0; e < n * k; ++e) s[e] = std::sqrt(problem.v[e / k] * (s[e] * s[e] + more));
    // Quadratic convergence: a residual that falls with the gradient (Dembo, Eisenstat & Steihaug 1982).
    const double inside = std::clamp(0.1 * gradient / result.first, 1e-4, 0.1);
    system.prepare({s, k > 1 ? std::span<const double>(u) : std::span<const double>(), k}, 2 * problem.lambda,
                   {}, told, inside);
    for (std::size_t e = 0; e < R.size(); ++e) R[e] = -state.gradient[e];
    system.descend(
        R, k, inside, D, [&](double) { return go_on(); }, rough);
    if (!go_on()) break;  // the step was cut short
    const double before = gradient;
    if (state.go_along(D))
      more = more < 1e-3 ? 0 : more / 10;
    else if (more > 1e6)
      break;
    else
      more = std::max(1.0, 10 * more);
    gradient = state.gradient_norm();
    rough = rough && gradient < 0.5 * before;
  }
  result.gradient = gradient;
  result.converged = gradient <= aim;
  result.b = state.bias();
  result.norm = state.norm();
  result.loss = state.loss();
  result.risk = result.loss + problem.lambda * result.norm;
  result.gap = state.weights_gradient() / (4 * problem.lambda);
  result.passes = state.passes + system.passes();
  const std::size_t p = features.features();
  for (std::size_t c = 0; c < k; ++c)
    for (std::size_t j = 0; j < p; ++j) result.W.push_back(state.X[j * k + c]);
  return result;
}

}  // namespace mercer

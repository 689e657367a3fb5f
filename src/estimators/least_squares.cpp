#include "estimators/least_squares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solvers/kernel_system.hpp"

namespace mercer {

namespace {

struct Answer {
  std::vector<double> alpha;  // n × outputs
  std::vector<double> b;      // outputs
};

// α and b from the solutions X (n × columns, the last of them to S1 where b is free).
Answer coefficients(std::span<const double> s, std::span<const double> X, std::size_t outputs, bool bias) {
  const std::size_t n = s.size(), columns = outputs + bias;
  Answer answer{std::vector<double>(n * outputs), std::vector<double>(outputs, 0.0)};
  double ones = 0;
  for (std::size_t i = 0; bias && i < n; ++i) ones += s[i] * X[i * columns + outputs];
  for (std::size_t o = 0; o < outputs; ++o) {
    for (std::size_t i = 0; bias && i < n; ++i) answer.b[o] += s[i] * X[i * columns + o] / ones;
    for (std::size_t i = 0; i < n; ++i) answer.alpha[i * outputs + o] = s[i] * (X[i * columns + o] - (bias ? answer.b[o] * X[i * columns + outputs] : 0));
  }
  return answer;
}

// ‖f‖² = Σ αᵀKα, the mean squared error and what was minimised.
void add_facts(FitReport& report, const KernelSystem& system, const Rows& rows, const Answer& answer, std::span<const double> Y, double c) {
  const std::size_t outputs = answer.b.size();
  std::vector<double> f(answer.alpha.size());
  system.multiply(answer.alpha, outputs, f);
  double norm = 0, errors = 0, weight = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    weight += rows.weights[i];
    for (std::size_t e = i * outputs; e < (i + 1) * outputs; ++e) {
      norm += answer.alpha[e] * f[e];
      const double error = Y[e] - f[e] - answer.b[e % outputs];
      errors += rows.weights[i] * error * error;
    }
  }
  report.norm = norm;
  report.loss = errors / weight;
  report.objective = *report.loss + c / weight * norm;
}

}  // namespace

Fitted fit_least_squares(const Training& training, const Rows& rows, Watch& watch, double c, bool bias) {
  const std::vector<double> Y = rows.values(training.target);
  const std::size_t n = rows.size(), outputs = Y.size() / n, columns = outputs + bias;
  std::vector<double> s(n), R(n * columns), X(n * columns);
  for (std::size_t i = 0; i < n; ++i) {
    s[i] = std::sqrt(rows.weights[i]);
    for (std::size_t o = 0; o < outputs; ++o) R[i * columns + o] = s[i] * Y[i * outputs + o];
    if (bias) R[i * columns + outputs] = s[i];
  }
  const FitOptions& options = training.options;
  KernelSystem system(training.kernel, rows.points, {.threads = options.threads, .memory = options.memory, .seed = options.seed, .way = options.solver,
                                                     .progress = watch.progress(0, 0.5)});
  const auto solution = system.solve(rows.weighted() ? std::span<const double>(s) : std::span<const double>(), c, R, columns, training.tolerance, X,
                                     [&](double residual) { return watch.go_on(fmt::format("residual {:.1e}", residual), 0.5 + 0.5 * std::min(1.0, std::log(std::max(residual, 1e-300)) / std::log(training.tolerance))); });
  Answer answer = coefficients(s, X, outputs, bias);
  FitReport report{.converged = solution.converged, .cut_short = watch.cut_short()};
  add_facts(report, system, rows, answer, Y, c);
  for (double& level : answer.b) level = -level;
  Fitted fitted = expand(training, rows.points, std::move(answer.alpha), std::move(answer.b), Rule::value);
  report.support_vectors = fitted.report.support_vectors;
  report.certificate = "relative residual";
  report.violation = solution.residual;
  report.tolerance = training.tolerance;
  report.iterations = solution.iterations;
  report.kernel_evaluations = system.evaluations();
  report.solver = system.reason();
  if (solution.minimum_norm) report.warnings.emplace_back("K is singular and nothing is added to it: of all solutions the one of least norm was taken");
  else if (!report.converged && !report.cut_short) report.warnings.push_back(fmt::format("the tolerance was not reached: the residual is {:.3g}", report.violation));
  report.seconds = watch.seconds();
  fitted.report = std::move(report);
  return fitted;
}

}  // namespace mercer

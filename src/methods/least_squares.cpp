#include "methods/least_squares.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mercer/kernel_operator.hpp"
#include "mercer/kernels/constant.hpp"
#include "solvers/ridge_path.hpp"
#include "operators/row_features.hpp"
#include "solvers/kernel_system.hpp"
#include "solvers/normal_equations.hpp"
#include "solvers/streamed_least_squares.hpp"

namespace mercer {

namespace {

struct Answer {
  std::vector<double> alpha;  // n × outputs
  std::vector<double> b;      // outputs
};

// R − S K S X, n × columns each.
std::vector<double> left_over(const KernelSystem& system, std::span<const double> s,
                              std::span<const double> R, std::span<const double> X) {
  const std::size_t columns = X.size() / s.size();
  std::vector<double> scaled(X.begin(), X.end()), left(X.size());
  for (std::size_t e = 0; e < scaled.size(); ++e) scaled[e] *= s[e / columns];
  system.multiply(scaled, columns, left);
  for (std::size_t e = 0; e < left.size(); ++e) left[e] = R[e] - s[e / columns] * left[e];
  return left;
}

double product_of_columns(std::span<const double> A, std::span<const double> B, std::size_t columns,
                          std::size_t a, std::size_t b) {
  double sum = 0;
  for (std::size_t row = 0; row < A.size(); row += columns) sum += A[row + a] * B[row + b];
  return sum;
}

// α and b from the solutions X (n × columns, the last of them to S1 where b is free). `left`: where K is
// singular, the part of R that no f reaches. If there is such a part of 1, it alone fits that of y, and b
// follows; if not, 1ᵀα = 0 gives the least norm.
Answer coefficients(std::span<const double> s, std::span<const double> R, std::span<const double> X,
                    std::span<const double> left, std::size_t outputs, bool bias) {
  const std::size_t n = s.size(), columns = outputs + bias;
  Answer answer{std::vector<double>(n * outputs), std::vector<double>(outputs, 0.0)};
  const auto square_of_ones = [&](std::span<const double> V) {
    return product_of_columns(V, V, columns, outputs, outputs);
  };
  const bool beyond = bias && !left.empty() && square_of_ones(left) > 1e-12 * square_of_ones(R);
  const std::span<const double> of = beyond ? left : X, with = beyond ? left : R;
  for (std::size_t o = 0; o < outputs; ++o) {
    if (bias)
      answer.b[o] = product_of_columns(with, of, columns, outputs, o) /
                    product_of_columns(with, of, columns, outputs, outputs);
    for (std::size_t i = 0; i < n; ++i)
      answer.alpha[i * outputs + o] =
          s[i] * (X[i * columns + o] - (bias ? answer.b[o] * X[i * columns + outputs] : 0));
  }
  return answer;
}

// Where K is singular R is not reached, and the solution is that of the normal equations: the largest ‖A(R −
// AX)‖/‖AR‖.
double normal_residual(const KernelSystem& system, std::span<const double> s, std::span<const double> R,
                       std::span<const double> left) {
  const std::size_t columns = R.size() / s.size();
  const std::vector<double> zero(R.size(), 0.0);
  const std::vector<double> of_left = left_over(system, s, zero, left),
                            of_all = left_over(system, s, zero, R);
  double largest = 0;
  for (std::size_t q = 0; q < columns; ++q) {
    const double whole = product_of_columns(of_all, of_all, columns, q, q);
    if (whole > 0)
      largest = std::max(largest, std::sqrt(product_of_columns(of_left, of_left, columns, q, q) / whole));
  }
  return largest;
}

// As degrees_of_freedom() of solvers/ridge_path.hpp; the last column of X is u.
std::optional<double> freedom(const KernelSystem& system, std::span<const double> s,
                              std::span<const double> X, double c, bool bias) {
  const auto trace = system.inverse_trace();
  if (!trace) return {};
  const std::size_t n = s.size(), columns = X.size() / n;
  double squares = 0, along = 0;
  for (std::size_t i = 0; i < n && bias; ++i) {
    const double u = X[(i + 1) * columns - 1];
    squares += u * u;
    along += s[i] * u;
  }
  return double(n) - c * (*trace - (bias ? squares / along : 0));
}

// ‖f‖² = Σ αᵀKα, the mean squared error and what was minimised.
void add_error_and_norm(FitReport& report, const KernelSystem& system, const Rows& rows, const Answer& answer,
                        std::span<const double> Y, double c) {
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

// What the report tells of least squares over features that are computed again in each pass.
void report_features(FitReport& report, const NormalEquations::Solution& solution, const Training& training,
                     const Rows& rows, double c) {
  report.support_vectors = rows.size();
  report.certificate = CertificateKind::normal_equations_residual;
  report.violation = solution.residual;
  report.tolerance = training.tolerance;
  report.norm = solution.norm;
  report.loss = solution.loss;
  report.objective =
      solution.loss + c / std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0) * solution.norm;
  report.plan = {FitPlan::Way::primal, rows.features->features()};
}

Fitted over_solution(const Rows& rows, const NormalEquations::Solution& solution, std::size_t outputs) {
  Fitted fitted = over_weights(*rows.features, solution.W, outputs, Rule::value);
  for (const double b : solution.b) fitted.rho.push_back(-b);
  return fitted;
}

// A model over features is its weights. Where these are computed again in each pass, one has to suffice; the
// coefficients of the rows, which a model does not need, would take another.
Fitted fit_over_features(const Training& training, const Rows& rows, Watch& watch, double c, bool bias) {
  const std::vector<double> Y = rows.values(training.target);
  const std::size_t outputs = Y.size() / rows.size();
  const Progress progress = watch.progress(0, 1);
  const NormalEquations equations(*rows.features, rows.weights, Y, outputs, bias, training.options.threads,
                                  progress);
  const NormalEquations::Solution solution = equations.solve(c);
  Fitted fitted = over_solution(rows, solution, outputs);
  FitReport& report = fitted.report;
  report_features(report, solution, training, rows, c);
  report.converged = report.violation <= report.tolerance;
  report.degrees_of_freedom = solution.degrees_of_freedom;
  report.iterations = 1;
  report.solver = "normal equations of the features, one pass over the rows";
  if (!solution.unique)
    report.warnings.emplace_back(
        "ΦᵀΦ is singular and nothing is added to it: of all solutions the one of least "
        "norm was taken");
  report.seconds = watch.seconds();
  return fitted;
}

// Products with landmarks cost far less than their features, of which there are p² products in ΦᵀΦ.
bool streams(const Rows& rows, double c) {
  constexpr std::size_t few = 512;
  return rows.features->landmarks() && rows.features->features() > few && c > 0;
}

Fitted fit_by_passes(const Training& training, const Rows& rows, Watch& watch, double c, bool bias) {
  const std::vector<double> Y = rows.values(training.target);
  const std::size_t outputs = Y.size() / rows.size();
  const StreamedLeastSquares found =
      stream_least_squares(*rows.features, rows.weights, Y, outputs, bias, c, training.tolerance,
                           {.seed = training.options.seed, .threads = training.options.threads},
                           watch.progress(0, 0.3), watch.keeping(0.3, 1));
  Fitted fitted = over_solution(rows, found.solution, outputs);
  FitReport& report = fitted.report;
  report_features(report, found.solution, training, rows, c);
  report.cut_short = watch.cut_short();
  report.converged = found.converged;
  report.iterations = found.iterations;
  report.kernel_evaluations = found.passes * rows.size() * rows.features->features();
  report.solver = fmt::format(
      "conjugate gradients over {} features, {} passes over the rows, preconditioned by {} of them",
      rows.features->features(), found.passes, found.sampled);
  if (!report.converged && !report.cut_short)
    report.warnings.push_back(
        fmt::format("the tolerance was not reached: the residual is {:.3g}", report.violation));
  report.seconds = watch.seconds();
  return fitted;
}

}  // namespace

Fitted fit_least_squares(const Training& training, const Rows& rows, Watch& watch, double c, bool bias,
                         std::span<const double> start) {
  if (training.over_features && !rows.features->held())
    return streams(rows, c) ? fit_by_passes(training, rows, watch, c, bias)
                            : fit_over_features(training, rows, watch, c, bias);
  const std::vector<double> Y = rows.values(training.target);
  const std::size_t n = rows.size(), outputs = Y.size() / n, columns = outputs + bias;
  std::vector<double> s(n), R(n * columns), X(start.begin(), start.end());
  X.resize(n * columns);
  for (std::size_t i = 0; i < n; ++i) {
    s[i] = std::sqrt(rows.weights[i]);
    for (std::size_t o = 0; o < outputs; ++o) R[i * columns + o] = s[i] * Y[i * outputs + o];
    if (bias) R[i * columns + outputs] = s[i];
  }
  const FitOptions& options = training.options;
  KernelSystem system =
      system_of(training.kernel, rows.points, rows.features, options.solver, options, watch.progress(0, 0.5));
  const std::span<const double> scales =
      rows.weighted() ? std::span<const double>(s) : std::span<const double>();
  const auto solution =
      system.solve(scales, c, R, columns, training.tolerance, X, watch.keeping(0.5, 1), !start.empty());
  const std::vector<double> left = solution.minimum_norm ? left_over(system, s, R, X) : std::vector<double>();
  Answer answer = coefficients(s, R, X, left, outputs, bias);
  FitReport report{.converged = solution.converged, .cut_short = watch.cut_short()};
  add_error_and_norm(report, system, rows, answer, Y, c);
  report.degrees_of_freedom = freedom(system, s, X, c, bias);
  if (!report.degrees_of_freedom && !rows.features)
    report.degrees_of_freedom = degrees_of_freedom(training.kernel, rows.points, s, c, bias, options.threads);
  for (double& level : answer.b) level = -level;
  Fitted fitted = expand(training, rows, std::move(answer.alpha), std::move(answer.b), Rule::value);
  report.support_vectors = fitted.report.support_vectors;
  report.certificate =
      solution.minimum_norm ? CertificateKind::normal_equations_residual : CertificateKind::relative_residual;
  report.violation = solution.minimum_norm ? normal_residual(system, s, R, left) : solution.residual;
  report.tolerance = training.tolerance;
  report.iterations = solution.iterations;
  report.kernel_evaluations = system.evaluations();
  report.solver = solution.iterations == 0 && !start.empty() ? "" : system.reason();
  if (const auto features = system.features()) report.plan = {FitPlan::Way::primal, *features};
  if (!solution.unique)
    report.warnings.emplace_back(
        "K is singular and nothing is added to it: of all solutions the one of least norm was taken");
  else if (!report.converged && !report.cut_short)
    report.warnings.push_back(
        fmt::format("the tolerance was not reached: the residual is {:.3g}", report.violation));
  report.seconds = watch.seconds();
  fitted.report = std::move(report);
  return fitted;
}

bool valid_conditionally(const Kernel& kernel) {
  const Properties p = kernel.properties();
  return !p.psd && p.conditional_order == 1;
}

// With Σα = 0 and m(x) the mean of k(x, ·) over the rows, Σ αᵢ (k(xᵢ, x) − m(xᵢ) − m(x) + m̄) = Σ αᵢ k(xᵢ, x)
// − Σ αᵢ m(xᵢ): the same f over k itself, with another constant. A centred K sends 1 to 0; where nothing is
// penalised a constant of its size is added to the kernel, which changes nothing as Σα = 0, and makes the
// system regular.
Fitted fit_centred(const Training& training, bool penalised,
                   const std::function<Fitted(const Training&)>& fit) {
  const Rows rows(training);
  const std::size_t n = rows.size();
  const KernelOperator<double> K(training.kernel, rows.points,
                                 {.memory = training.options.memory, .threads = training.options.threads});
  const std::vector<double> shares(n, 1 / double(n));
  std::vector<double> means(n), diagonal(n);
  K.multiply(shares, 1, means);
  K.diagonal(diagonal);
  double level = 0;  // the mean of the diagonal of the centred K
  for (std::size_t i = 0; i < n && !penalised; ++i) level += (diagonal[i] - means[i]) / double(n);
  const Kernel kernel =
      level > 0 ? center(training.kernel) + constant({.c = level}) : center(training.kernel);
  const Training centred{training.points, training.target,  training.weights,
                         kernel,          training.options, training.tolerance};
  Fitted fitted = fit(centred);
  Expansion& e = fitted.expansion;
  for (std::size_t o = 0; o < e.width; ++o) {
    double sum =
        0;  // rounding alone; a centred kernel sums to 0 over the rows, so that it may be taken from all
    for (std::size_t i = 0; i < n; ++i) sum += e.coefficients[i * e.width + o];
    fitted.rho[o] -= level * sum;
    for (std::size_t i = 0; i < n; ++i) {
      e.coefficients[i * e.width + o] -= sum / double(n);
      fitted.rho[o] += e.coefficients[i * e.width + o] * means[i];
    }
  }
  e.kernel = training.kernel;
  fitted.report.solver += "; the kernel centred, as it is positive semidefinite only conditionally";
  return fitted;
}

}  // namespace mercer

#include "methods/feature_gp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/evidence_search.hpp"
#include "mercer/error.hpp"
#include "solvers/evidence.hpp"
#include "solvers/maximise.hpp"

namespace mercer {

namespace {

void check_gp_memory(std::size_t columns, std::size_t memory) {
  if (FeatureEvidence::bytes(columns) <= double(memory)) return;
  throw Error(ErrorCode::out_of_memory,
              fmt::format("a Gaussian process of {} columns needs {:.1f} MB, but {:.1f} MB are allowed",
                          columns, FeatureEvidence::bytes(columns) / 1e6, double(memory) / 1e6),
              {.hints = {{Remedy::more_memory}}});
}

Dense<double> unit_vectors(std::size_t D) {
  Dense<double> unit{D, D, Buffer<double>(D * D, 0.0)};
  for (std::size_t k = 0; k < D; ++k) unit.values[k * D + k] = 1;
  return unit;
}

double mean_squared_error(const Fitted& fitted, const Points& points, std::span<const double> targets,
                          int threads) {
  std::vector<double> f(targets.size());
  fitted.expansion.sums(points, f, threads);
  double sum = 0;
  for (std::size_t e = 0; e < f.size(); ++e) sum += std::pow(targets[e] - f[e], 2);
  return sum / double(f.size());
}

// Coefficients a and precision P of features L⁻¹k(Z, x) are L⁻ᵀa and L⁻ᵀPL⁻¹ of k(Z, x).
void move_to_landmarks(const LandmarkForm& form, std::size_t outputs, Fitted& fitted) {
  const std::size_t m = form.count();
  form.to_coefficients(fitted.expansion.coefficients, outputs);
  std::vector<double>& P = fitted.precision;
  for (int side = 0; side < 2; ++side) {
    form.to_coefficients(P, m);
    for (std::size_t i = 0; i < m; ++i)
      for (std::size_t j = 0; j < i; ++j) std::swap(P[i * m + j], P[j * m + i]);
  }
  for (std::size_t i = 0; i < m; ++i)
    for (std::size_t j = 0; j < i; ++j) P[i * m + j] = P[j * m + i] = (P[i * m + j] + P[j * m + i]) / 2;
}

}  // namespace

Fitted fit_feature_gp(const Training& training, const Rows& rows, const RowFeatures& features,
                      std::span<const double> targets, std::size_t outputs, const FeatureGp& how,
                      Watch& watch) {
  const std::size_t D = features.features();
  check_gp_memory(D, training.options.memory);
  watch.go_on("products of columns", 0);
  const FeatureEvidence evidence(features, targets, outputs, rows.weights);
  std::vector<double> t{0, std::log(how.noise)};
  Maximum maximum;
  maximum.found = !how.optimised;
  if (how.optimised) {
    t = {std::log(how.variance), std::log(std::clamp(how.noise, 1e-3 * how.variance, how.variance))};
    const double widest = std::log(1e5), none = -700;
    Box box{{t[0] - widest, std::log(1e-8 * how.variance)}, {t[0] + widest, std::log(1e2 * how.variance)}};
    const auto keep_within = [&](std::size_t i, const SearchBounds* bounds, double start) {
      if (!bounds) return;
      box.low[i] = std::max(none, std::log(bounds->low)),
      box.high[i] = std::max(none, std::log(bounds->high));
      t[i] = std::clamp(std::max(none, std::log(start)), box.low[i], box.high[i]);
    };
    keep_within(0, bounds_of(training.options, "factor"), 1);
    keep_within(1, bounds_of(training.options, "noise"), how.noise);
    const Progress progress = [&](std::string_view, double) { return watch.go_on("evidence", 0.9); };
    maximum =
        search([&](std::span<const double> at, std::span<double> gradient) { return evidence(at, gradient); },
               box, t, {.gain = 1e-9, .progress = progress});
    if (!maximum.at.empty()) t = maximum.at;
  }
  const double c = how.optimised ? std::exp(t[0]) : 1, noise = how.optimised ? std::exp(t[1]) : how.noise;

  const LandmarkForm* form = features.landmarks();
  const Kernel& kernel = form ? form->kernel : training.kernel;
  Fitted fitted{
      .expansion = {.kernel = c == 1 ? kernel : c * kernel,
                    .points = form ? form->landmarks : *features.points_of(unit_vectors(D), rows.points),
                    .blocks = {D}},
      .rule = Rule::value};
  fitted.expansion.width = outputs;
  fitted.expansion.coefficients = evidence.coefficients(c, noise);
  fitted.precision = evidence.precision(c, noise);
  const std::vector<double> weights = fitted.expansion.coefficients;
  if (form) move_to_landmarks(*form, outputs, fitted);
  FitReport& report = fitted.report;
  const double value = evidence(t);
  report.objective = -value;
  report.add("log_marginal_likelihood", "log marginal likelihood", value);
  report.add("noise_variance", "noise variance", noise, "target²");
  if (how.optimised) report.add("factor", "factor", c);
  report.certificate = CertificateKind::relative_residual;
  report.violation = evidence.residual(weights, c, noise);
  report.tolerance = training.tolerance;
  double norm = 0;
  for (const double a : weights) norm += c * a * a;
  report.norm = norm;
  report.loss = mean_squared_error(fitted, rows.points, targets, training.options.threads);
  report.degrees_of_freedom = evidence.degrees_of_freedom(c, noise);
  if (!maximum.found && !watch.cut_short())
    report.warnings.push_back("the evidence may rise further: its evaluations were used up");
  report.support_vectors = D;
  report.iterations = std::max<std::size_t>(1, maximum.evaluations);
  report.plan = {FitPlan::Way::primal, D};
  report.kernel_evaluations = form ? 3 * rows.size() * D : 0;  // ΦᵀΦ, Φᵀy and f
  report.solver = fmt::format(
      "eigenvalues of {} {}{}", D, form ? "features" : "columns",
      how.optimised ? fmt::format("; evidence by BFGS, {} evaluations", maximum.evaluations) : "");
  return fitted;
}

}  // namespace mercer

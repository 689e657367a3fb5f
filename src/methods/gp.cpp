// The posterior of a Gaussian process (Rasmussen & Williams 2006, alg. 2.1): α = (K + noise)⁻¹(y − mean), and
// the Cholesky factor, or the inverse where a gradient of the evidence needed it, from which the variances
// come. The kernel of the model is the one that the evidence chose.
#include "mercer/methods/gp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/evidence_search.hpp"
#include "kernels/linear_form.hpp"
#include "methods/feature_gp.hpp"
#include "methods/rows.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {

namespace {

// Beyond so many rows degrees of freedom would take as long as the fit.
constexpr std::size_t most_rows_for_freedom = 1500;

// The matrix, what its inverse is made in, and what the model keeps.
void check_memory(std::size_t n, std::size_t memory) {
  const double needed = Evidence::bytes(n) + 8 * double(n) * double(n);
  if (needed <= double(memory)) return;
  throw Error(ErrorCode::out_of_memory,
              fmt::format("a Gaussian process of {} rows needs {:.1f} MB for its matrix, the inverse and the "
                          "model, but {:.1f} MB are allowed",
                          n, needed / 1e6, double(memory) / 1e6),
              {.hints = {{Remedy::more_memory}, {Remedy::approximate, "nystrom:2000"}}});
}

struct Posterior {
  const Evidence& evidence;
  const Kernel& kernel;
  double noise;
  const Training& training;

  /// ‖y − (K + noise)α‖/‖y‖, the norm αᵀKα and the mean of (y − Kα)², from kernel values computed anew.
  void measure(FitReport& report) const {
    const Evidence::Data& data = evidence.data();
    const std::vector<double>& alpha = evidence.alpha();
    std::vector<double> f(alpha.size());
    KernelOperator<double>(kernel, data.points, {.threads = training.options.threads})
        .multiply(alpha, data.outputs, f);
    double residual = 0, squares = 0, norm = 0, loss = 0;
    for (std::size_t e = 0; e < f.size(); ++e) {
      const double error = data.targets[e] - f[e];
      const double own_noise = noise * data.noise_factors[e / data.outputs] + evidence.jitter();
      residual += std::pow(error - own_noise * alpha[e], 2);
      squares += std::pow(data.targets[e], 2);
      norm += alpha[e] * f[e];
      loss += error * error / double(f.size());
    }
    report.certificate = CertificateKind::relative_residual;
    report.violation = squares > 0 ? std::sqrt(residual / squares) : 0;
    report.tolerance = training.tolerance;
    report.norm = norm;
    report.loss = loss;
    if (evidence.has_diagonal() || evidence.rows() <= most_rows_for_freedom)
      report.degrees_of_freedom = double(evidence.rows()) - evidence.inverse_noise_trace();
  }
};

void tell_numbers(FitReport& report, const Evidence& evidence, const Kernel& kernel, double noise,
                  double value, bool optimised) {
  report.objective = -value;
  report.add("log_marginal_likelihood", "log marginal likelihood", value);
  report.add("noise_variance", "noise variance", noise + evidence.jitter(), "target²");
  if (optimised) {
    Diagnostic found{"kernel_parameters", "", {}};
    for (const KernelParameter& p : numeric_parameters(kernel))
      found.values.push_back(p.value), found.names.push_back(p.name);
    report.diagnostics.push_back(std::move(found));
  }
  if (evidence.jitter() > 0)
    report.warnings.push_back(
        fmt::format("K + noise was not positive definite; {:.2g} was added to the noise", evidence.jitter()));
}

std::string words_of(const FoundEvidence& found, std::size_t n) {
  if (found.evaluations + found.sampled_evaluations == 0) return "Cholesky";
  const auto times = [](std::size_t count) {
    return fmt::format("{} evaluation{}", count, count == 1 ? "" : "s");
  };
  if (found.sampled_rows == n) return fmt::format("Cholesky; evidence by BFGS, {}", times(found.evaluations));
  return fmt::format("Cholesky; evidence by BFGS, {} on {} rows and {} on all",
                     times(found.sampled_evaluations), found.sampled_rows, times(found.evaluations));
}

}  // namespace

Fitted Gp::fit(const Training& training) const {
  Watch watch(training.options);
  const Rows rows(training);
  const std::size_t n = rows.size();
  Evidence::Data data{rows.points, rows.values(training.target), training.target.outputs, {}};
  for (const double weight : rows.weights) data.noise_factors.push_back(1 / weight);
  std::vector<double> means(data.outputs, 0);
  if (mean == Mean::constant) means = subtract_means(data.targets, rows.weights);
  const double variance = mean_square(data.targets);
  // Without anything to explain, the evidence grows without end as factor and noise become small.
  const bool constant = variance == 0, optimised = optimize == Optimize::evidence && !constant;
  const auto finish = [&](Fitted& fitted) {
    FitReport& report = fitted.report;
    for (const double level : means) fitted.rho.push_back(-level);
    if (constant && optimize == Optimize::evidence)
      report.warnings.push_back(
          "the target is constant, so that the evidence has no maximum: kernel and noise are as given");
    report.cut_short = watch.cut_short();
    report.converged = !report.cut_short && report.violation <= report.tolerance;
    report.seconds = watch.seconds();
  };
  if (!training.options.bounds.empty() && optimize == Optimize::none)
    throw Error(ErrorCode::invalid_argument, "bounds are of a search by the evidence, but optimize is none");
  const Kernel first =
      optimised ? with_free_scale(training.kernel, ard, rows.points.cols(), variance, training.options)
                : training.kernel;
  if (optimised) check_bounds(first, true, training.options);
  if (training.over_features && training.features->landmarks()) {
    if (ard)
      throw Error(ErrorCode::unsupported,
                  "landmarks are chosen for one width, and ard finds one for each column",
                  {.owner = "gp", .hint = "leave ard out, or learn from fewer rows"});
    if (!(optimised || noise > 0))
      throw Error::of_parameter("gp", "noise", "must be above 0 with a kernel approximation", "0");
    Fitted fitted = fit_feature_gp(training, rows, *rows.features, data.targets, data.outputs,
                                   {noise, variance, optimised}, watch);
    finish(fitted);
    return fitted;
  }
  const auto form = LinearForm::of(training.kernel);
  if (form && !ard && (optimised || noise > 0) && n > form->columns(rows.points)) {
    const auto features = RowFeatures::of(training.kernel, rows.points, training.options.threads);
    Fitted fitted = fit_feature_gp(training, rows, *features, data.targets, data.outputs,
                                   {noise, variance, optimised}, watch);
    if (restarts > 0)
      fitted.report.warnings.emplace_back(
          "restarts ignored: the evidence of the linear kernel has two parameters and one starting point");
    finish(fitted);
    return fitted;
  }

  check_memory(n, training.options.memory);
  const Progress progress = [&](std::string_view what, double) { return watch.go_on(what, 0), true; };
  Evidence evidence(std::move(data), KernelCoordinates(first), training.options.threads, progress);
  FoundEvidence found{.at = evidence.coordinates().start()};
  if (optimised) {
    found = maximise_evidence(
        evidence, search_with_noise(evidence, noise, variance, restarts, training.options), watch);
  } else {
    found.at.push_back(std::log(noise));
    watch.go_on("Cholesky factor", 0);
    found.value = evidence(found.at);
  }

  const double variance_of_noise = optimised ? std::exp(found.at.back()) : noise;
  Fitted fitted{
      .expansion = {.kernel = evidence.coordinates().at(found.at), .points = rows.points, .blocks = {n}},
      .rule = Rule::value};
  fitted.expansion.width = means.size();
  fitted.expansion.coefficients = evidence.alpha();
  fitted.support.rows = rows.numbers;
  FitReport& report = fitted.report;
  Posterior{evidence, fitted.expansion.kernel, variance_of_noise, training}.measure(report);
  tell_numbers(report, evidence, fitted.expansion.kernel, variance_of_noise, found.value, optimised);
  (evidence.inverted() ? fitted.precision : fitted.factor) = std::move(evidence).take_matrix();
  if (optimised && !found.complete && !watch.cut_short())
    report.warnings.push_back("the evidence may rise further: its evaluations were used up");
  report.support_vectors = n;
  report.iterations = std::max<std::size_t>(1, found.evaluations + found.sampled_evaluations);
  report.kernel_evaluations = n * (n + 1) / 2 * std::max<std::size_t>(1, found.evaluations);
  report.solver = words_of(found, n);
  finish(fitted);
  return fitted;
}

}  // namespace mercer

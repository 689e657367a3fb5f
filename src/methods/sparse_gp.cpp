// The posterior of a Gaussian process through inducing points (solvers/sparse_evidence.hpp). The inducing
// points are training rows, drawn by randomly pivoted Cholesky of the kernel as given (Chen et al. 2024; for
// inducing points Burt, Rasmussen & van der Wilk 2020 want just such pivots), and stay where they are: what
// the search moves are the kernel's numbers and the noise. The model is an expansion over the inducing
// points.
#include "mercer/methods/sparse_gp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "methods/evidence_search.hpp"
#include "methods/rows.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "solvers/nystrom.hpp"
#include "solvers/sparse_evidence.hpp"

namespace mercer {

namespace {

void check_inducing_memory(std::size_t m, std::size_t memory) {
  const double needed = SparseEvidence::bytes(m) + 8 * double(m) * double(m);
  if (needed <= double(memory)) return;
  throw Error(ErrorCode::out_of_memory,
              fmt::format("{} inducing points need {:.1f} MB for their matrices, but {:.1f} MB are allowed",
                          m, needed / 1e6, double(memory) / 1e6),
              {.hint = "take fewer inducing points", .hints = {{Remedy::more_memory}}});
}

// Training rows, ascending.
std::vector<std::size_t> inducing_rows_of(const Kernel& kernel, const Points& points, std::size_t count,
                                          const FitOptions& options, const Progress& progress) {
  const KernelOperator<double> K(kernel, points, {.threads = options.threads});
  std::vector<std::size_t> rows = choose_landmarks(LandmarkRule::pivoted, K,
                                                   {.count = std::min(count, points.rows()),
                                                    .seed = options.seed,
                                                    .threads = options.threads,
                                                    .progress = progress})
                                      .rows;
  std::ranges::sort(rows);
  return rows;
}

// ‖K_ZX W(y − K_XZ a)/s − C a‖ / ‖K_ZX W y/s‖ from kernel values computed anew, the norm aᵀCa and the mean of
// (y − f)².
void measure_bound(const SparseEvidence& evidence, const Kernel& kernel, double noise, int threads,
                   FitReport& report) {
  const SparseEvidence::Data& data = evidence.data();
  const std::size_t n = evidence.rows(), m = evidence.inducing(), outputs = data.outputs;
  const std::vector<double>& a = evidence.a();
  std::vector<double> f(n * outputs), weighted(n * outputs), of_targets(m * outputs), of_errors(m * outputs),
      Ca(m * outputs), own(m);
  KernelOperator<double>(kernel, data.points, data.inducing, {.threads = threads}).multiply(a, outputs, f);
  const KernelOperator<double> back(kernel, data.inducing, data.points, {.threads = threads});
  const KernelOperator<double> C(kernel, data.inducing, {.threads = threads});
  C.multiply(a, outputs, Ca);
  C.diagonal(own);
  double jitter = 0, residual = 0, size = 0, norm = 0, loss = 0;
  for (const double value : own) jitter += SparseEvidence::jitter_share * value / double(m);
  for (std::size_t e = 0; e < f.size(); ++e) {
    weighted[e] = data.weights[e / outputs] * data.targets[e] / noise;
    loss += std::pow(data.targets[e] - f[e], 2) / double(f.size());
  }
  back.multiply(weighted, outputs, of_targets);
  for (std::size_t e = 0; e < f.size(); ++e)
    weighted[e] = data.weights[e / outputs] * (data.targets[e] - f[e]) / noise;
  back.multiply(weighted, outputs, of_errors);
  for (std::size_t e = 0; e < m * outputs; ++e) {
    residual += std::pow(of_errors[e] - Ca[e] - jitter * a[e], 2);
    size += std::pow(of_targets[e], 2);
    norm += a[e] * Ca[e];
  }
  report.certificate = CertificateKind::relative_residual;
  report.violation = size > 0 ? std::sqrt(residual / size) : 0;
  report.norm = norm;
  report.loss = loss;
  report.degrees_of_freedom = evidence.degrees_of_freedom();
}

std::string bound_words(const FoundEvidence& found, std::size_t inducing, std::size_t n) {
  std::string words = fmt::format("{} inducing points by pivoted Cholesky", inducing);
  if (found.evaluations + found.sampled_evaluations == 0) return words;
  if (found.sampled_rows < n)
    return words + fmt::format("; bound by BFGS, {} evaluations on {} rows and {} on all",
                               found.sampled_evaluations, found.sampled_rows, found.evaluations);
  return words + fmt::format("; bound by BFGS, {} evaluations", found.evaluations);
}

}  // namespace

Fitted SparseGp::fit(const Training& training) const {
  Watch watch(training.options);
  const Rows rows(training);
  const std::size_t n = rows.size();
  check_for_landmarks(training.kernel);
  check_inducing_memory(std::min<std::size_t>(std::size_t(inducing), n), training.options.memory);
  if (!training.options.bounds.empty() && optimize == Optimize::none)
    throw Error(ErrorCode::invalid_argument, "bounds are of a search by the evidence, but optimize is none");
  SparseEvidence::Data data{
      rows.points, rows.values(training.target), training.target.outputs, rows.weights, {}};
  std::vector<double> means(data.outputs, 0);
  if (mean == Mean::constant) means = subtract_means(data.targets, rows.weights);
  const double variance = mean_square(data.targets);
  const bool constant = variance == 0, optimised = optimize == Optimize::evidence && !constant;
  const Kernel first =
      optimised ? with_free_scale(training.kernel, ard, rows.points.cols(), variance, training.options)
                : training.kernel;
  if (optimised) check_bounds(first, true, training.options);
  const Progress progress = [&](std::string_view what, double) { return watch.go_on(what, 0), true; };
  std::vector<std::size_t> chosen = inducing_rows_of(training.kernel, rows.points, std::size_t(inducing),
                                                     training.options, watch.progress(0, 0.1));
  data.inducing = rows.points.select_rows(chosen);
  const std::size_t m = chosen.size();
  SparseEvidence evidence(std::move(data), KernelCoordinates(first), training.options.threads, progress);
  FoundEvidence found{.at = evidence.coordinates().start()};
  if (optimised) {
    EvidenceSearch how = search_with_noise(evidence, noise, variance, restarts, training.options);
    how.sample =
        std::max<std::size_t>(2000, 4 * m);  // fewer rows than that say little of so many inducing points
    found = maximise_evidence(evidence, how, watch);
  } else {
    found.at.push_back(std::log(noise));
    found.value = evidence(found.at);
  }
  const double variance_of_noise = optimised ? std::exp(found.at.back()) : noise;
  Fitted fitted{.expansion = {.kernel = evidence.coordinates().at(found.at),
                              .points = evidence.data().inducing,
                              .blocks = {m}},
                .rule = Rule::value};
  fitted.expansion.width = means.size();
  fitted.expansion.coefficients = evidence.a();
  fitted.precision = evidence.precision();
  for (const std::size_t row : chosen) fitted.support.rows.push_back(rows.numbers[row]);
  for (const double level : means) fitted.rho.push_back(-level);
  FitReport& report = fitted.report;
  measure_bound(evidence, fitted.expansion.kernel, variance_of_noise, training.options.threads, report);
  report.objective = -found.value;
  report.add("evidence_lower_bound", "evidence lower bound", found.value);
  report.add("noise_variance", "noise variance", variance_of_noise, "target²");
  report.add("trace_left_over", "trace left over", evidence.trace_left());
  if (optimised) {
    Diagnostic numbers{"kernel_parameters", "", {}};
    for (const KernelParameter& p : numeric_parameters(fitted.expansion.kernel))
      numbers.values.push_back(p.value), numbers.names.push_back(p.name);
    report.diagnostics.push_back(std::move(numbers));
    if (!found.complete && !watch.cut_short())
      report.warnings.push_back("the bound may rise further: its evaluations were used up");
  }
  if (constant && optimize == Optimize::evidence)
    report.warnings.push_back(
        "the target is constant, so that the evidence has no maximum: kernel and noise are as given");
  report.tolerance = training.tolerance;
  report.support_vectors = m;
  report.iterations = std::max<std::size_t>(1, found.evaluations + found.sampled_evaluations);
  report.kernel_evaluations = n * m * std::max<std::size_t>(1, found.evaluations);
  report.solver = bound_words(found, m, n);
  report.cut_short = watch.cut_short();
  report.converged = !report.cut_short && report.violation <= report.tolerance;
  report.seconds = watch.seconds();
  return fitted;
}

}  // namespace mercer

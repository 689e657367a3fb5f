// Two classes have one function f, positive for the second; more classes one each, against the rest, whose
// probabilities are brought to the sum 1. All share one kernel, the one of the greatest sum of the evidences.
// The model keeps a (two columns for two classes, −a and a) and, of each function, the T of
// solvers/laplace.hpp.
#include "mercer/methods/gp_classifier.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "methods/evidence_search.hpp"
#include "methods/rows.hpp"
#include "mercer/error.hpp"
#include "mercer/geometry.hpp"
#include "mercer/kernel_operator.hpp"
#include "solvers/laplace.hpp"

namespace mercer {

namespace {

std::size_t latent_functions(std::size_t classes) { return classes == 2 ? 1 : classes; }

void check_classes(const Target& target, const std::vector<std::int32_t>& codes) {
  const std::size_t classes = target.labels.size();
  if (classes < 2)
    throw Error(ErrorCode::invalid_data,
                fmt::format("gp_classifier needs classes, but the target has {}", classes),
                {.hint = "it must have two or more"});
  for (std::size_t c = 0; c < classes; ++c)
    if (std::ranges::find(codes, std::int32_t(c)) == codes.end())
      throw Error(ErrorCode::invalid_data,
                  fmt::format("class '{}' has no row with weight above 0", target.labels[c]));
}

void check_room(std::size_t n, std::size_t functions, std::size_t memory) {
  const double needed = LaplaceEvidence::bytes(n) + 8 * double(functions) * double(n) * double(n);
  if (needed <= double(memory)) return;
  throw Error(
      ErrorCode::out_of_memory,
      fmt::format("a Gaussian process of {} rows and {} function{} needs {:.1f} MB for its matrices and the "
                  "model, but {:.1f} MB are allowed",
                  n, functions, functions == 1 ? "" : "s", needed / 1e6, double(memory) / 1e6),
      {.hint = "fit fewer rows", .hints = {{Remedy::more_memory}}});
}

std::vector<double> signs_of(const std::vector<std::int32_t>& codes, std::size_t classes) {
  std::vector<double> signs;
  for (const std::int32_t code : codes)
    for (std::size_t c = classes == 2 ? 1 : 0; c < classes; ++c)
      signs.push_back(std::size_t(code) == c ? 1 : -1);
  return signs;
}

// n × classes.
std::vector<double> class_coefficients(const std::vector<LaplaceEvidence::Mode>& modes, std::size_t n) {
  std::vector<double> coefficients;
  for (std::size_t i = 0; i < n; ++i) {
    if (modes.size() == 1) coefficients.push_back(-modes[0].a[i]);
    for (const LaplaceEvidence::Mode& mode : modes) coefficients.push_back(mode.a[i]);
  }
  return coefficients;
}

void tell_modes(FitReport& report, const LaplaceEvidence& laplace, double value) {
  double norm = 0, loss = 0, steps = 0;
  for (const LaplaceEvidence::Mode& mode : laplace.modes()) {
    report.violation = std::max(report.violation, mode.residual);
    for (std::size_t i = 0; i < mode.a.size(); ++i) norm += mode.a[i] * mode.f[i];
    loss -= mode.log_likelihood / double(laplace.rows() * laplace.modes().size());
    steps += double(mode.steps);
  }
  report.certificate = CertificateKind::gradient_norm;
  report.norm = norm;
  report.loss = loss;
  report.objective = -value;
  report.iterations = std::size_t(steps);
  report.add("log_marginal_likelihood", "log marginal likelihood (Laplace)", value);
}

std::string words_for(const FoundEvidence& found, std::size_t n) {
  if (found.evaluations + found.sampled_evaluations == 0) return "Newton's method";
  return found.sampled_rows == n
             ? fmt::format("Newton's method; evidence by BFGS, {} evaluations", found.evaluations)
             : fmt::format("Newton's method; evidence by BFGS, {} evaluations on {} rows and {} on all",
                           found.sampled_evaluations, found.sampled_rows, found.evaluations);
}

// Of one block of rows: the means of the functions in `means` (rows × columns of the expansion) become
// probabilities.
void squash(std::span<double> means, std::size_t classes, std::size_t functions,
            std::span<const double> variances, std::size_t rows) {
  for (std::size_t i = 0; i < rows; ++i) {
    double* row = means.data() + i * classes;
    if (functions == 1) {
      row[1] = averaged_sigmoid(row[1], variances[i]);
      row[0] = 1 - row[1];
      continue;
    }
    double sum = 0;
    for (std::size_t c = 0; c < classes; ++c)
      sum += row[c] = averaged_sigmoid(row[c], variances[c * rows + i]);
    for (std::size_t c = 0; c < classes; ++c) row[c] = sum > 0 ? row[c] / sum : 1 / double(classes);
  }
}

}  // namespace

Fitted GpClassifier::fit(const Training& training) const {
  Watch watch(training.options);
  const Rows rows(training);
  const std::size_t n = rows.size(), classes = training.target.labels.size();
  const std::vector<std::int32_t> codes = rows.codes(training.target);
  check_classes(training.target, codes);
  const std::size_t functions = latent_functions(classes);
  check_room(n, functions, training.options.memory);
  const bool optimised = optimize == Optimize::evidence;
  if (!training.options.bounds.empty() && !optimised)
    throw Error(ErrorCode::invalid_argument, "bounds are of a search by the evidence, but optimize is none");
  const Kernel first = optimised
                           ? with_free_scale(training.kernel, ard, rows.points.cols(), 1, training.options)
                           : training.kernel;
  if (optimised) check_bounds(first, false, training.options);
  const Progress progress = [&](std::string_view what, double) { return watch.go_on(what, 0), true; };
  LaplaceEvidence laplace({rows.points, functions, signs_of(codes, classes), rows.weights},
                          KernelCoordinates(first), training.options.threads, progress);
  FoundEvidence found{.at = laplace.coordinates().start()};
  if (optimised && laplace.coordinates().size() > 0)
    found = maximise_evidence(laplace, search_of(laplace, 0, restarts, training.options), watch);
  Fitted fitted{
      .expansion = {.kernel = laplace.coordinates().at(found.at), .points = rows.points, .blocks = {n}},
      .rule = Rule::shares};
  fitted.precision.resize(functions * n * n);
  const double value = laplace.posterior(found.at, fitted.precision);
  fitted.expansion.width = classes;
  fitted.expansion.coefficients = class_coefficients(laplace.modes(), n);
  fitted.rho.assign(classes, 0);
  fitted.support.rows = rows.numbers;
  FitReport& report = fitted.report;
  tell_modes(report, laplace, value);
  if (optimised) {
    Diagnostic numbers{"kernel_parameters", "", {}};
    for (const KernelParameter& p : numeric_parameters(fitted.expansion.kernel))
      numbers.values.push_back(p.value), numbers.names.push_back(p.name);
    if (!numbers.values.empty()) report.diagnostics.push_back(std::move(numbers));
    if (found.evaluations > 0 && !found.complete && !watch.cut_short())
      report.warnings.push_back("the evidence may rise further: its evaluations were used up");
  }
  report.tolerance = training.tolerance;
  report.support_vectors = n;
  report.kernel_evaluations = n * (n + 1) / 2 * (1 + found.evaluations);
  report.solver = words_for(found, n);
  report.cut_short = watch.cut_short();
  report.converged = !report.cut_short && report.violation <= report.tolerance;
  report.seconds = watch.seconds();
  return fitted;
}

void GpClassifier::evaluate(const Fitted& fitted, const Points& at, std::span<double> out, int threads,
                            const Progress& progress) const {
  const Expansion& e = fitted.expansion;
  const std::size_t m = e.points.rows(), n = at.rows(), functions = latent_functions(e.width);
  if (fitted.precision.size() != functions * m * m)
    throw Error(ErrorCode::invalid_data, "the model of gp_classifier has no factors for its variances");
  constexpr std::size_t rows_at_once = 256;
  const std::vector<double> own = self_similarities(e.kernel, at, e.points);
  const KernelOperator<double> K(e.kernel, at, e.points, {.threads = 1});
  parallel_for((n + rows_at_once - 1) / rows_at_once, threads, progress, "prediction",
               [&](std::size_t block) {
                 const SingleThreadedBlas one_thread;
                 const Range rows{block * rows_at_once, std::min(n, (block + 1) * rows_at_once)};
                 const std::size_t count = rows.size();
                 std::vector<double> k(count * m), solved(count * m), variances(functions * count);
                 K.tile(rows, {0, m}, k);
                 double* means = out.data() + rows.begin * e.width;
                 gemm(CblasNoTrans, CblasNoTrans, count, e.width, m, 1, k.data(), m, e.coefficients.data(),
                      e.width, 0, means, e.width);
                 for (std::size_t f = 0; f < functions; ++f) {
                   solved = k;
                   trsm(CblasRight, CblasLower, CblasTrans, CblasNonUnit, count, m, 1,
                        fitted.precision.data() + f * m * m, m, solved.data(), m);
                   for (std::size_t i = 0; i < count; ++i) {
                     const double* v = solved.data() + i * m;
                     variances[f * count + i] =
                         std::max(0.0, own[rows.begin + i] - blas().ddot(blasint(m), v, 1, v, 1));
                   }
                 }
                 squash({means, count * e.width}, e.width, functions, variances, count);
               });
}

}  // namespace mercer

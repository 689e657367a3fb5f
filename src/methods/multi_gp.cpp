// The posterior of a Gaussian process of several outputs (solvers/coregional_evidence.hpp). The search begins
// at the covariance of the targets, B's leading eigenvectors being W, with targets divided by their standard
// deviation, so that all coordinates are of the size of 1; kernels that are shorter or longer than the one
// given are looked at first.
#include "mercer/methods/multi_gp.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "methods/evidence_search.hpp"
#include "methods/rows.hpp"
#include "solvers/coregional_evidence.hpp"

namespace mercer {

namespace {

struct OutputScales {
  std::vector<double> mean, deviation;  // of each output
};

// Subtracts the means from the numbers there are. An output without any has nothing to learn.
OutputScales standardise(std::vector<double>& targets, const std::vector<double>& weights, std::size_t p,
                         bool centred, const std::vector<std::string>& names) {
  OutputScales found{std::vector<double>(p, 0.0), std::vector<double>(p, 0.0)};
  std::vector<double> total(p, 0.0);
  for (std::size_t e = 0; e < targets.size(); ++e)
    if (!std::isnan(targets[e])) {
      total[e % p] += weights[e / p];
      found.mean[e % p] += weights[e / p] * targets[e];
    }
  for (std::size_t j = 0; j < p; ++j) {
    if (total[j] == 0)
      throw Error(ErrorCode::invalid_data, fmt::format("the target {} has no number in any row", names[j]),
                  {.hint = "leave it out"});
    found.mean[j] = centred ? found.mean[j] / total[j] : 0;
  }
  for (std::size_t e = 0; e < targets.size(); ++e)
    if (!std::isnan(targets[e])) {
      targets[e] -= found.mean[e % p];
      found.deviation[e % p] += weights[e / p] * targets[e] * targets[e] / total[e % p];
    }
  for (double& deviation : found.deviation) deviation = deviation > 0 ? std::sqrt(deviation) : 1;
  return found;
}

// Σ y_i·y_j over the rows where both are observed, over their number.
std::vector<double> covariance(const std::vector<double>& targets, std::size_t p) {
  std::vector<double> C(p * p, 0.0);
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = 0; j < p; ++j) {
      double count = 0;
      for (std::size_t row = 0; row < targets.size() / p; ++row) {
        const double product = targets[row * p + i] * targets[row * p + j];
        if (!std::isnan(product)) C[i * p + j] += product, ++count;
      }
      if (count > 0) C[i * p + j] /= count;
    }
  return C;
}

// W and log κ with WWᵀ + diag(κ) near C.
void add_factors(std::vector<double>& t, const std::vector<double>& C, std::size_t p, std::size_t rank) {
  const Eigen eigen = symmetric_eigen(C, p, true);
  std::vector<double> W(p * rank, 0.0), left(p);
  for (std::size_t i = 0; i < p; ++i) {
    left[i] = C[i * p + i];
    for (std::size_t q = 0; q < rank; ++q) {
      const std::size_t from = p - 1 - q;
      W[i * rank + q] = std::sqrt(std::max(eigen.values[from], 0.0)) * eigen.vectors[i * p + from];
      left[i] -= W[i * rank + q] * W[i * rank + q];
    }
  }
  t.insert(t.end(), W.begin(), W.end());
  for (const double value : left) t.push_back(std::log(std::max(value, 0.05)));
}

Box box_of(const CoregionalEvidence& evidence, const FitOptions& options, std::vector<double>& start) {
  Box box;
  const KernelCoordinates& coordinates = evidence.coordinates();
  const std::size_t p = evidence.data().outputs, r = evidence.data().rank;
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    start[i] =
        add_range(box, bounds_of(options, coordinates.parameters()[i].name), start[i], coordinates.low(i),
                  coordinates.high(i), coordinates.least(i), coordinates.most(i), coordinates.logarithmic(i));
  const auto add = [&](std::size_t count, double low, double high) {
    box.low.insert(box.low.end(), count, low);
    box.high.insert(box.high.end(), count, high);
  };
  add(p * r, -300, 300);
  add(p, std::log(1e-6), std::log(1e5));  // κ
  add(p, std::log(1e-7), std::log(1e2));  // noise
  for (std::size_t i = 0; i < start.size(); ++i) start[i] = std::clamp(start[i], box.low[i], box.high[i]);
  return box;
}

struct FoundMaximum {
  Maximum best;
  std::size_t evaluations = 0;
};

FoundMaximum maximise(CoregionalEvidence& evidence, std::vector<double> start, int restarts,
                      const FitOptions& options, Watch& watch) {
  const Box box = box_of(evidence, options, start);
  const std::size_t count = evidence.coordinates().size();
  FoundMaximum found;
  const SmoothFunction f = [&](std::span<const double> t,
                               std::span<double> gradient) -> std::optional<double> {
    ++found.evaluations;
    try {
      return evidence.value(t, gradient);
    } catch (const Error& error) {
      if (error.code() != ErrorCode::not_finite) throw;  // else: an entry of K overflows there
      return std::nullopt;
    }
  };
  const Progress go_on = [&](std::string_view, double) {
    return watch.go_on("evidence", 0.9 * (1 - 1 / (1 + double(found.evaluations) / 30)));
  };
  const auto moved = [&](const auto& by) {
    std::vector<double> t = start;
    for (std::size_t i = 0; i < count; ++i)
      if (evidence.coordinates().logarithmic(i)) t[i] = std::clamp(t[i] + by(), box.low[i], box.high[i]);
    return t;
  };
  std::vector<std::pair<double, std::vector<double>>> starts;
  for (const double step : {0.0, -2.5, 2.5}) {
    std::vector<double> t = moved([&] { return step; });
    if (!go_on("evidence", 0)) break;
    if (const auto value = f(t, {})) starts.emplace_back(*value, std::move(t));
  }
  std::ranges::sort(starts, std::greater<>());
  starts.resize(std::min<std::size_t>(starts.size(), 2));
  Random random(options.seed);
  for (int s = 0; s < restarts; ++s)
    starts.emplace_back(0, moved([&] { return random.uniform(-1, 1) * std::log(30.0); }));
  for (const auto& [value, from] : starts) {
    Maximum maximum = search(f, box, from, {.gain = 1e-4, .progress = go_on});
    if (found.best.at.empty() || (!maximum.at.empty() && maximum.value > found.best.value))
      found.best = std::move(maximum);
  }
  if (found.best.at.empty()) found.best.at = start;
  return found;
}

// ‖y − Σα‖/‖y‖ from kernel values computed anew.
double residual_of(const CoregionalEvidence& evidence, const Kernel& kernel, const std::vector<double>& noise,
                   int threads) {
  const auto& data = evidence.data();
  const std::size_t p = data.outputs;
  const std::vector<double> mixed = evidence.coefficients();  // α·B
  std::vector<double> f(mixed.size());
  KernelOperator<double>(kernel, data.points, {.threads = threads}).multiply(mixed, p, f);
  double residual = 0, squares = 0;
  for (std::size_t e = 0; e < f.size(); ++e) {
    if (std::isnan(data.targets[e])) continue;
    const double own = noise[e % p] * data.noise_factors[e / p] * evidence.alpha()[e];
    residual += std::pow(data.targets[e] - f[e] - own, 2);
    squares += data.targets[e] * data.targets[e];
  }
  return squares > 0 ? std::sqrt(residual / squares) : 0;
}

void tell(FitReport& report, const CoregionalEvidence& evidence, const Kernel& kernel,
          const std::vector<double>& B, const std::vector<double>& noise, double value, bool optimised,
          const std::vector<std::string>& names) {
  const std::size_t p = noise.size();
  report.objective = -value;
  report.add("log_marginal_likelihood", "log marginal likelihood", value);
  report.diagnostics.push_back({"noise_variances", "noise variance", noise, "target²", names, true});
  Diagnostic pairs{"coregionalization", "B", {}, "", {}, true};
  for (std::size_t i = 0; i < p; ++i)
    for (std::size_t j = i; j < p; ++j) {
      pairs.values.push_back(B[i * p + j]);
      pairs.names.push_back(names[i] + ", " + names[j]);
    }
  report.diagnostics.push_back(std::move(pairs));
  if (evidence.observed() < evidence.data().targets.size())
    report.add("missing_targets", "missing targets",
               double(evidence.data().targets.size() - evidence.observed()));
  if (!optimised) return;
  Diagnostic found{"kernel_parameters", "", {}};
  for (const KernelParameter& q : numeric_parameters(kernel))
    found.values.push_back(q.value), found.names.push_back(q.name);
  if (!found.values.empty()) report.diagnostics.push_back(std::move(found));  // linear has none
}

}  // namespace

Fitted MultiGp::fit(const Training& training) const {
  Watch watch(training.options);
  const Rows rows(training);
  const std::size_t n = rows.size(), p = training.target.outputs;
  if (std::size_t(rank) > p)
    throw Error::of_parameter("multi_gp", "rank", fmt::format("must be at most {}, the number of outputs", p),
                              fmt::format("{}", rank));
  if (!training.options.bounds.empty() && optimize == Optimize::none)
    throw Error(ErrorCode::invalid_argument, "bounds are of a search by the evidence, but optimize is none");
  const std::vector<std::string> names = training.target.output_names();
  CoregionalEvidence::Data data{rows.points, rows.values(training.target), p, {}, std::size_t(rank)};
  for (const double weight : rows.weights) data.noise_factors.push_back(1 / weight);
  const OutputScales scales = standardise(data.targets, rows.weights, p, mean == Mean::constant, names);
  const Kernel first = ard && optimize == Optimize::evidence
                           ? with_free_scale(training.kernel, true, rows.points.cols(), 1, training.options)
                           : training.kernel;
  const KernelCoordinates coordinates(first);
  if (optimize == Optimize::evidence) check_bounds(first, false, training.options);
  const Progress progress = [&](std::string_view what, double) { return watch.go_on(what, 0), true; };

  CoregionalEvidence::Data small = data;
  for (std::size_t e = 0; e < small.targets.size(); ++e) small.targets[e] /= scales.deviation[e % p];
  std::vector<double> t = coordinates.start();
  add_factors(t, covariance(small.targets, p), p, std::size_t(rank));
  for (std::size_t j = 0; j < p; ++j) {
    const double share = noise / (scales.deviation[j] * scales.deviation[j]);
    t.push_back(std::log(optimize == Optimize::evidence ? std::clamp(share, 1e-3, 1.0) : share));
  }
  FoundMaximum found;
  if (optimize == Optimize::evidence) {
    CoregionalEvidence searched(std::move(small), coordinates, training.options.threads, progress);
    if (const double needed = searched.bytes() + 8 * double(p * n * n);
        needed > double(training.options.memory))
      throw Error(ErrorCode::out_of_memory,
                  fmt::format("{} outputs of {} rows need {:.1f} MB, but {:.1f} MB are allowed", p, n,
                              needed / 1e6, double(training.options.memory) / 1e6),
                  {.hints = {{Remedy::more_memory}}});
    found = maximise(searched, t, restarts, training.options, watch);
    t = found.best.at;
  }
  // In the units of the targets again.
  for (std::size_t j = 0; j < p; ++j) {
    const std::size_t count = coordinates.size(), r = std::size_t(rank);
    for (std::size_t q = 0; q < r; ++q) t[count + j * r + q] *= scales.deviation[j];
    t[count + p * r + j] += 2 * std::log(scales.deviation[j]);
    t[count + p * r + p + j] += 2 * std::log(scales.deviation[j]);
  }
  CoregionalEvidence evidence(std::move(data), coordinates, training.options.threads, progress);
  const double value = evidence(t);
  const std::vector<double> B = evidence.mixing(t), noises = evidence.noise(t);
  Fitted fitted{.expansion = {.kernel = coordinates.at(t), .points = rows.points, .blocks = {n}},
                .rule = Rule::value};
  fitted.expansion.width = p;
  fitted.expansion.coefficients = evidence.coefficients();
  fitted.precision = evidence.precision();
  fitted.state = B;
  fitted.state.insert(fitted.state.end(), noises.begin(), noises.end());
  fitted.support.rows = rows.numbers;
  for (const double level : scales.mean) fitted.rho.push_back(-level);
  FitReport& report = fitted.report;
  report.certificate = CertificateKind::relative_residual;
  report.violation = residual_of(evidence, fitted.expansion.kernel, noises, training.options.threads);
  report.tolerance = training.tolerance;
  tell(report, evidence, fitted.expansion.kernel, B, noises, value, optimize == Optimize::evidence, names);
  if (optimize == Optimize::evidence && !found.best.found && !watch.cut_short())
    report.warnings.push_back("the evidence may rise further: its evaluations were used up");
  report.support_vectors = n;
  report.iterations = std::max<std::size_t>(1, found.evaluations);
  report.kernel_evaluations = n * (n + 1) / 2 * (1 + found.evaluations);
  report.solver = evidence.complete() ? fmt::format("{} systems of {} rows by the eigenvectors of B", p, n)
                                      : fmt::format("Cholesky of all {} numbers: some outputs are missing",
                                                    evidence.observed());
  report.cut_short = watch.cut_short();
  report.converged = !report.cut_short && report.violation <= report.tolerance;
  report.seconds = watch.seconds();
  return fitted;
}

std::vector<double> MultiGp::prior_scales(const Fitted& fitted) const {
  const std::size_t p = fitted.expansion.width;
  std::vector<double> diagonal(p);
  for (std::size_t j = 0; j < p; ++j) diagonal[j] = fitted.state[j * p + j];
  return diagonal;
}

std::string MultiGp::state_fault(const Fitted& fitted) const {
  const std::size_t p = fitted.expansion.width, m = fitted.expansion.points.rows();
  if (fitted.state.size() != p * p + p)
    return fmt::format("holds {} numbers; B and the noise of {} outputs are {}", fitted.state.size(), p,
                       p * p + p);
  if (fitted.precision.size() != p * m * m)
    return fmt::format("is of {} outputs, but the precision is not", p);
  for (std::size_t i = 0; i < p; ++i) {
    if (!(fitted.state[i * p + i] >= 0 && fitted.state[p * p + i] > 0)) return "has a variance below 0";
    for (std::size_t j = 0; j < i; ++j)
      if (fitted.state[i * p + j] != fitted.state[j * p + i]) return "has a B that is not symmetric";
  }
  return "";
}

}  // namespace mercer

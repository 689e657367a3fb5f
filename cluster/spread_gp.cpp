// A Gaussian process of more rows than a factor of K can be held for: the mean, α = (K + noise·W⁻¹)⁻¹(y −
// mean), from the system of spread_system.hpp, and the evidence from an estimate of its determinant. Kernel
// parameters and noise are those of the greatest evidence of a sample of the rows, found on rank 0 as on one
// machine. There are no variances: these need the factor.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "base/random.hpp"
#include "base/sample.hpp"
#include "cluster/points_message.hpp"
#include "cluster/spread_fit.hpp"
#include "cluster/spread_system.hpp"
#include "solvers/evidence.hpp"

namespace mercer::cluster {

namespace {

constexpr std::size_t most_sampled = 2000, determinant_probes = 16;

struct ProcessNumbers {
  Kernel kernel;
  double noise;
  std::size_t sampled = 0;  // rows; 0: as given
};

// The rows of these numbers, of all ranks, on all.
Dataset rows_of_numbers(const SpreadTraining& training, const std::vector<std::size_t>& numbers) {
  const Communicator& ranks = training.ranks;
  const Range own = training.range();
  std::vector<std::size_t> mine;
  for (const std::size_t number : numbers)
    if (number >= own.begin && number < own.end) mine.push_back(number - own.begin);
  std::vector<double> Y, weights;
  for (const std::size_t i : mine) {
    weights.push_back(training.weights[i]);
    Y.insert(Y.end(), training.Y.data() + i * training.outputs,
             training.Y.data() + (i + 1) * training.outputs);
  }
  std::vector<std::size_t> sizes;
  const std::vector<std::byte> blocks =
      ranks.gather_bytes(bytes_of(training.own.select_rows(mine)), true, &sizes);
  std::vector<Points> parts;
  for (std::size_t place = 0, r = 0; r < sizes.size(); place += sizes[r++])
    parts.push_back(points_of(std::span(blocks).subspan(place, sizes[r]), training.own.names()));
  Dataset data;
  data.points = joined(parts);
  data.target = {
      .task = Task::regression, .name = "", .values = ranks.gather(std::span<const double>(Y), true)};
  data.target.outputs = training.outputs;
  data.weights = ranks.gather(std::span<const double>(weights), true);
  return data;
}

// What the evidence of a sample says, on all ranks.
ProcessNumbers chosen_numbers(const SpreadTraining& training) {
  ProcessNumbers found{training.kernel, training.number("noise")};
  if (training.word("optimize") != "evidence") return found;
  const Communicator& ranks = training.ranks;
  const FitOptions& options = training.options.fit;
  const std::size_t allowed = std::size_t(std::sqrt(double(options.memory) / 24)),
                    count = std::min({most_sampled, std::max<std::size_t>(allowed, 2), training.rows});
  const Dataset data = rows_of_numbers(training, sampled_rows(training.rows, count, options.seed));
  found.sampled = count;
  std::string text;
  in_step(ranks, [&] {
    if (!ranks.first()) return;
    const Training sample{data.points,     data.target, data.weights,
                          training.kernel, options,     training.tolerance};
    const Fitted fitted = training.method.fit(sample);
    text = fitted.expansion.kernel.text();
    for (const Diagnostic& diagnostic : fitted.report.diagnostics)
      if (diagnostic.id == "noise_variance") found.noise = diagnostic.values.at(0);
  });
  ranks.broadcast(text);
  ranks.broadcast(found.noise);
  found.kernel = Kernel::parse(text);
  return found;
}

}  // namespace

bool gp_needs_ranks(std::size_t rows, std::size_t memory) {
  return Evidence::bytes(rows) + 8 * double(rows) * double(rows) > double(memory);
}

Fitted spread_gp(const SpreadTraining& training) {
  const Communicator& ranks = training.ranks;
  const FitOptions& options = training.options.fit;
  SpreadWatch watch(training);
  const ProcessNumbers process = chosen_numbers(training);
  in_step(ranks, [&] {
    if (!(process.noise > 0))
      throw Error(ErrorCode::unsupported, "a noise of 0 is not there on several ranks",
                  {.owner = "gp", .hint = "give a noise above 0"});
  });
  const std::size_t n = training.own.rows(), outputs = training.outputs;
  std::vector<double> Y = training.Y, means(outputs, 0.0), s(n), R(n * outputs), X(n * outputs);
  if (training.word("mean") == "constant") {
    for (std::size_t e = 0; e < Y.size(); ++e) means[e % outputs] += training.weights[e / outputs] * Y[e];
    ranks.sum(std::span(means));
    for (double& mean : means) mean /= training.total_weight;
    for (std::size_t e = 0; e < Y.size(); ++e) Y[e] -= means[e % outputs];
  }
  double log_weights = 0;
  for (std::size_t i = 0; i < n; ++i) {
    s[i] = std::sqrt(training.weights[i]);
    log_weights += std::log(training.weights[i]);
    for (std::size_t o = 0; o < outputs; ++o) R[i * outputs + o] = s[i] * Y[i * outputs + o];
  }
  const std::span<const double> scale =
      training.weighted ? std::span<const double>(s) : std::span<const double>();
  SpreadSystem system(ranks, process.kernel, training.own,
                      {.threads = options.threads, .memory = options.memory, .seed = options.seed});
  const auto earlier = training.checkpoint->read(n, outputs);
  if (earlier) {
    X = earlier->X;
    watch.iterations = earlier->iterations;
  }
  const auto solution = system.solve(
      scale, process.noise, R, outputs, training.tolerance, X,
      [&](const auto& current, double residual) { return watch.go_on(current, outputs, residual); },
      earlier.has_value());
  std::vector<double> f(n * outputs);
  for (std::size_t e = 0; e < X.size(); ++e) X[e] *= s[e / outputs];  // α
  system.multiply(X, outputs, f);
  double sums[4] = {0, 0, 0, log_weights};  // αᵀKα, Σ (y − f)², yᵀα
  for (std::size_t e = 0; e < f.size(); ++e) {
    sums[0] += X[e] * f[e];
    sums[1] += (Y[e] - f[e]) * (Y[e] - f[e]);
    sums[2] += Y[e] * X[e];
  }
  ranks.sum(std::span(sums));
  // The determinant is for the report; a checkpoint has the mean.
  std::optional<SpreadSystem::LogDeterminant> determinant;
  if (!watch.cut_short())
    determinant = system.log_determinant(scale, process.noise, determinant_probes, [&] {
      watch.go_on(
          [&](std::span<double> to) {
            for (std::size_t e = 0; e < to.size(); ++e) to[e] = X[e] / s[e / outputs];
          },
          outputs, solution.residual);
    });
  const std::size_t evaluations = ranks.sum(system.evaluations());
  std::vector<double> all = ranks.gather(std::span<const double>(X));
  if (!ranks.first()) return {.expansion = {process.kernel}};
  for (double& mean : means) mean = -mean;
  const Training& given = *training.training;
  const Training chosen{given.points, given.target, given.weights, process.kernel, options, given.tolerance};
  Fitted fitted = expand(chosen, *training.all, std::move(all), std::move(means), Rule::value);
  FitReport& report = fitted.report;
  const double count = double(training.rows * outputs);
  report.certificate = CertificateKind::relative_residual;
  report.violation = solution.residual;
  report.tolerance = training.tolerance;
  report.cut_short = watch.cut_short();
  report.converged = solution.converged && !report.cut_short;
  report.norm = sums[0];
  report.loss = sums[1] / count;
  report.iterations = solution.iterations;
  report.kernel_evaluations = evaluations;
  report.support_vectors = training.rows;
  if (determinant) {
    const double value = -0.5 * sums[2] - 0.5 * double(outputs) * (determinant->value - sums[3]) -
                         0.5 * count * std::log(2 * std::numbers::pi);
    report.objective = -value;
    report.add("log_marginal_likelihood", "log marginal likelihood", value);
    report.add("log_marginal_likelihood_error", "standard error of its estimate",
               0.5 * double(outputs) * determinant->error);
  }
  report.add("noise_variance", "noise variance", process.noise, "target²");
  report.solver = system.words();
  if (process.sampled > 0)
    report.solver += fmt::format("; kernel and noise by the evidence of {} rows", process.sampled);
  report.warnings.push_back(fmt::format(
      "no variances: {} rows are too many for the factor that they need within the memory", training.rows));
  if (earlier) report.solver += fmt::format("; after {} iterations of an earlier run", earlier->iterations);
  if (!report.converged && !report.cut_short)
    report.warnings.push_back(
        fmt::format("the tolerance was not reached: the residual is {:.3g}", report.violation));
  report.seconds = watch.seconds();
  return fitted;
}

}  // namespace mercer::cluster

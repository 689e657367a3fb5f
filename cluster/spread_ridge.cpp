// Least squares with a penalty on ‖f‖² over the rows of all ranks, as methods/least_squares.hpp has it: with
// S = W^½,
//   α = S(SKS + cI)⁻¹S(y − b1),    b = 1ᵀv/1ᵀu for a free b, v and u the answers to y and 1.
// Over a kernel approximation with features Φ: ΦᵀWΦ, ΦᵀWy and the weighted means are sums over all ranks;
// rank 0 solves the small system.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "cluster/spread_fit.hpp"
#include "cluster/spread_system.hpp"
#include "operators/row_features.hpp"

namespace mercer::cluster {

namespace {

double penalty_of(const SpreadTraining& training) {
  const Argument tau2 = training.method.get("tau2");
  const double* given = std::get_if<double>(&tau2);
  return given && !std::isnan(*given) ? *given : training.number("lambda") * training.total_weight;
}

Fitted over_rows(const SpreadTraining& training, double c, bool bias) {
  const Communicator& ranks = training.ranks;
  const FitOptions& options = training.options.fit;
  SpreadWatch watch(training);
  SpreadSystem system(ranks, training.kernel, training.own,
                      {.threads = options.threads, .memory = options.memory, .seed = options.seed});
  const std::size_t n = training.own.rows(), outputs = training.outputs, columns = outputs + bias;
  std::vector<double> s(n), R(n * columns), X(n * columns);
  for (std::size_t i = 0; i < n; ++i) {
    s[i] = std::sqrt(training.weights[i]);
    for (std::size_t o = 0; o < outputs; ++o) R[i * columns + o] = s[i] * training.Y[i * outputs + o];
    if (bias) R[i * columns + outputs] = s[i];
  }
  const auto earlier = training.checkpoint->read(n, columns);
  if (earlier) {
    X = earlier->X;
    watch.iterations = earlier->iterations;
  }
  const auto solution = system.solve(
      training.weighted ? std::span<const double>(s) : std::span<const double>(), c, R, columns,
      training.tolerance, X,
      [&](const auto& current, double residual) { return watch.go_on(current, columns, residual); },
      earlier.has_value());
  std::vector<double> alpha(n * outputs), b(outputs, 0.0);
  if (bias) {
    std::vector<double> sums(columns, 0.0);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t q = 0; q < columns; ++q) sums[q] += s[i] * X[i * columns + q];
    ranks.sum(std::span(sums));
    for (std::size_t o = 0; o < outputs; ++o) b[o] = sums[o] / sums[outputs];
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t o = 0; o < outputs; ++o)
      alpha[i * outputs + o] = s[i] * (X[i * columns + o] - (bias ? b[o] * X[i * columns + outputs] : 0));
  std::vector<double> f(n * outputs);
  system.multiply(alpha, outputs, f);
  double sums[2] = {0, 0};  // ‖f‖², Σ w (y − f − b)²
  for (std::size_t e = 0; e < f.size(); ++e) {
    const double error = training.Y[e] - f[e] - b[e % outputs];
    sums[0] += alpha[e] * f[e];
    sums[1] += training.weights[e / outputs] * error * error;
  }
  ranks.sum(std::span(sums));
  const std::size_t evaluations = ranks.sum(system.evaluations());
  std::vector<double> all = ranks.gather(std::span<const double>(alpha));
  if (!ranks.first()) return {.expansion = {training.kernel}};
  for (double& level : b) level = -level;
  Fitted fitted = expand(*training.training, *training.all, std::move(all), std::move(b), Rule::value);
  FitReport& report = fitted.report;
  report.converged = solution.converged;
  report.cut_short = watch.cut_short();
  report.certificate = CertificateKind::relative_residual;
  report.violation = solution.residual;
  report.tolerance = training.tolerance;
  report.norm = sums[0];
  report.loss = sums[1] / training.total_weight;
  report.objective = *report.loss + c / training.total_weight * sums[0];
  report.iterations = solution.iterations;
  report.kernel_evaluations = evaluations;
  report.solver = system.words();
  if (earlier) report.solver += fmt::format("; after {} iterations of an earlier run", earlier->iterations);
  if (!report.converged && !report.cut_short)
    report.warnings.push_back(
        fmt::format("the tolerance was not reached: the residual is {:.3g}", report.violation));
  report.seconds = watch.seconds();
  return fitted;
}

// From M = [Φ, Y, 1]ᵀ W [Φ, Y, 1], of p + outputs + 1 columns, lower half.
struct Moments {
  std::size_t p, outputs;
  std::vector<double> M;
  double at(std::size_t i, std::size_t j) const {
    const std::size_t size = p + outputs + 1;
    return M[std::max(i, j) * size + std::min(i, j)];
  }
};

RowFeatures features_of(const SpreadTraining& training) {
  return {training.map->row_map(), training.own, training.options.fit.threads, 0};
}

// Of the own rows.
Moments own_moments(const SpreadTraining& training) {
  const std::size_t n = training.own.rows(), outputs = training.outputs, p = training.map->features(),
                    size = p + outputs + 1;
  Moments moments{p, outputs, std::vector<double>(size * size, 0.0)};
  if (n > 0) {
    std::vector<double> V(n * (outputs + 1), 1.0), s(n);
    for (std::size_t i = 0; i < n; ++i) {
      s[i] = std::sqrt(training.weights[i]);
      std::copy_n(training.Y.data() + i * outputs, outputs, V.data() + i * (outputs + 1));
    }
    const Buffer<double> M = features_of(training).normal_matrix_with(V, outputs + 1, s, {});
    for (std::size_t i = 0; i < size; ++i)
      std::copy_n(M.data() + i * size, i + 1, moments.M.data() + i * size);
  }
  return moments;
}

Fitted from_moments(const SpreadTraining& training, const Moments& moments, double c, bool bias) {
  const SingleThreadedBlas one_thread;  // so that the bits do not depend on the threads
  const std::size_t outputs = training.outputs, p = moments.p, size = p + outputs + 1;
  const double weight = training.total_weight;
  const auto mean = [&](std::size_t i) { return bias ? moments.at(size - 1, i) / weight : 0.0; };
  const auto moment = [&](std::size_t i, std::size_t j) {
    return moments.at(i, j) - weight * mean(i) * mean(j);
  };
  std::vector<double> G(p * p), r(p * outputs);
  for (std::size_t i = 0; i < p; ++i) {
    for (std::size_t j = 0; j < p; ++j) G[i * p + j] = moment(i, j);
    for (std::size_t o = 0; o < outputs; ++o) r[i * outputs + o] = moment(p + o, i);
    G[i * p + i] += c;
  }
  std::vector<double> L = G;
  if (!lapack::potrf(L.data(), p, p))
    throw Error(ErrorCode::rank_deficient, "ΦᵀΦ is singular and too little is added to it",
                {.hint = "take a larger lambda"});
  std::vector<double> W(p * outputs, 0.0), left = r;
  const auto norm = [](std::span<const double> v) {
    double sum = 0;
    for (const double x : v) sum += x * x;
    return std::sqrt(sum);
  };
  double residual = 1;
  for (int step = 0; step < 3; ++step) {  // refined by residuals
    std::vector<double> d = left;
    trsm(CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, p, outputs, 1.0, L.data(), p, d.data(), outputs);
    trsm(CblasLeft, CblasLower, CblasTrans, CblasNonUnit, p, outputs, 1.0, L.data(), p, d.data(), outputs);
    for (std::size_t e = 0; e < d.size(); ++e) W[e] += d[e];
    left = r;
    gemm(CblasNoTrans, CblasNoTrans, p, outputs, p, -1.0, G.data(), p, W.data(), outputs, 1.0, left.data(),
         outputs);
    residual = norm(r) > 0 ? norm(left) / norm(r) : 0;
    if (residual <= 1e-3 * training.tolerance) break;
  }
  std::vector<double> weights(outputs * p), rho(outputs);
  double squares = 0, loss = 0;
  for (std::size_t o = 0; o < outputs; ++o) {
    double level = mean(p + o), along = 0, curved = 0, own = 0;
    for (std::size_t i = 0; i < p; ++i) {
      const double w = W[i * outputs + o];
      weights[o * p + i] = w;
      level -= w * mean(i);
      along += w * r[i * outputs + o];
      own += w * w;
      double Gw = 0;
      for (std::size_t j = 0; j < p; ++j) Gw += G[i * p + j] * W[j * outputs + o];
      curved += w * Gw;
    }
    rho[o] = bias ? -level : 0;
    squares += own;
    loss += moment(p + o, p + o) - 2 * along + curved - c * own;
  }
  Fitted fitted = over_weights(features_of(training), weights, outputs, Rule::value);
  fitted.rho = std::move(rho);
  FitReport& report = fitted.report;
  report.support_vectors = training.rows;
  report.certificate = CertificateKind::normal_equations_residual;
  report.violation = residual;
  report.tolerance = training.tolerance;
  report.converged = residual <= training.tolerance;
  report.norm = squares;
  report.loss = std::max(0.0, loss) / weight;
  report.objective = *report.loss + c / weight * squares;
  report.iterations = 1;
  report.kernel_evaluations = training.rows * p;
  report.solver =
      fmt::format("normal equations of the features, summed over {} ranks", training.ranks.size());
  return fitted;
}

}  // namespace

Fitted spread_ridge(const SpreadTraining& training) {
  const double c = penalty_of(training);
  const bool bias = training.word("bias") == "free";
  in_step(training.ranks, [&] {
    if (training.word("select") != "none" && !training.word("select").empty())
      throw Error(ErrorCode::unsupported, "lambda is not selected on several ranks",
                  {.owner = "ridge", .hint = "give lambda or tau2"});
    if (!(c > 0))
      throw Error(ErrorCode::unsupported, "a penalty of 0 is not there on several ranks",
                  {.owner = "ridge", .hint = "give lambda or tau2 above 0"});
  });
  if (!training.map) return over_rows(training, c, bias);
  const SpreadWatch watch(training);
  const Communicator& ranks = training.ranks;
  Moments moments = in_step(ranks, [&] { return own_moments(training); });
  ranks.sum(std::span(moments.M));
  Fitted fitted = in_step(ranks, [&] {
    return ranks.first() ? from_moments(training, moments, c, bias) : Fitted{.expansion = {training.kernel}};
  });
  fitted.report.seconds = watch.seconds();
  return fitted;
}

}  // namespace mercer::cluster

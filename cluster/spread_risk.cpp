#include "cluster/spread_risk.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "methods/svm_trainer.hpp"

namespace mercer::cluster {

double RowRisk::inner(std::span<const double> a, std::span<const double> b) const {
  return ranks.sum(std::inner_product(a.begin(), a.end(), b.begin(), 0.0));
}

std::vector<double> RowRisk::column_sums(std::span<const double> V) const {
  std::vector<double> sums(k, 0.0);
  for (std::size_t e = 0; e < V.size(); ++e) sums[e % k] += V[e];
  ranks.sum(std::span(sums));
  return sums;
}

std::vector<double> RowRisk::at(std::span<const double> f, std::span<const double> b) const {
  std::vector<double> all(f.begin(), f.end());
  for (std::size_t e = 0; e < all.size(); ++e) all[e] += b[e % k];
  return all;
}

double RowRisk::value(std::span<const double> f, std::span<const double> b) const {
  std::vector<double> losses(y.size());
  if (!y.empty()) loss.values(y, at(f, b), losses);
  return inner(v, losses);
}

std::vector<double> RowRisk::slopes(std::span<const double> f, std::span<const double> b) const {
  std::vector<double> g(f.size());
  if (!y.empty()) loss.derivatives(y, at(f, b), g);
  for (std::size_t e = 0; e < g.size(); ++e) g[e] *= v[e / k];
  return g;
}

auto RowRisk::curvature(std::span<const double> f, std::span<const double> b, double more) const
    -> Curvature {
  Curvature W{std::vector<double>(f.size()), std::vector<double>(f.size())};
  if (!y.empty()) loss.curvatures(y, at(f, b), W.s, W.u);
  for (std::size_t e = 0; e < W.s.size(); ++e) W.s[e] = std::sqrt(v[e / k] * (W.s[e] * W.s[e] + more));
  return W;
}

void RowRisk::fit_constant(std::span<const double> f, std::vector<double>& b) const {
  for (int step = 0; step < 50; ++step) {
    const std::vector<double> g = slopes(f, b), s = curvature(f, b, 0).s;
    std::vector<double> sums(2 * k, 0.0), next = b;  // W ⪯ diag(s²)
    for (std::size_t e = 0; e < g.size(); ++e) sums[e % k] += g[e], sums[k + e % k] += s[e] * s[e];
    ranks.sum(std::span(sums));
    const double before = value(f, b);
    double largest = 0, length = 1;
    for (; length > 1e-6; length /= 2) {
      largest = 0;
      for (std::size_t c = 0; c < k; ++c) {
        const double change = -length * sums[c] / std::max({sums[k + c], 1e-3 * std::abs(sums[c]), 1e-300});
        next[c] = b[c] + change;
        largest = std::max(largest, std::abs(change));
      }
      if (value(f, next) <= before) break;
    }
    if (length <= 1e-6) return;
    b = next;
    if (largest < 1e-10) return;
  }
}

namespace {

// Of several outputs b is free up to a shift of all: the one whose sum is 0.
std::vector<double> negated_levels(std::vector<double> b, bool bias) {
  const double mean =
      b.size() > 1 && bias ? std::accumulate(b.begin(), b.end(), 0.0) / double(b.size()) : 0.0;
  for (double& level : b) level = mean - level;
  return b;
}

Fitted fit_risk(const SpreadTraining& training, const Loss& loss, Rule rule) {
  const Communicator& ranks = training.ranks;
  const double lambda = training.number("lambda");
  const bool bias = training.word("bias") == "free";
  in_step(ranks, [&] {
    if (!training.training) return;
    if (loss.task() == Task::classification)
      (void)rows_by_class(*training.training);  // refuses a single class
    else
      check_targets(loss, training.training->target.values);
    if (training.outputs > 1) throw Error(ErrorCode::wrong_target, "the target has several columns");
  });
  RowRisk risk{ranks, loss, training.Y, training.weights};
  if (loss.target() == LossTarget::classes) risk.k = training.classes;
  if (loss.target() == LossTarget::signs)
    for (double& code : risk.y) code = code == 0 ? 1 : -1;
  for (double& v : risk.v) v /= training.total_weight;
  SpreadWatch watch(training);
  FoundRisk found;
  std::size_t evaluations = 0;
  std::string words;
  std::vector<double> A;
  std::optional<Fitted> fitted;
  if (training.map) {
    RiskOverFeatures newton = in_step(ranks, [&] { return RiskOverFeatures(training, risk, lambda, bias); });
    found = newton.run(watch, training.tolerance);
    const std::size_t p = training.map->features();
    words = fmt::format("over {} features, summed over {} ranks", p, ranks.size());
    evaluations = training.rows * p * (found.steps + 1);
    if (ranks.first()) {
      fitted = over_weights(newton.features(), newton.weights(), risk.k, rule);
      fitted->rho = negated_levels(found.b, bias);
    }
  } else {
    RiskOverRows newton(training, risk, lambda, bias);
    found = newton.run(watch, training.tolerance);
    words = newton.system().words();
    evaluations = ranks.sum(newton.system().evaluations());
    A = ranks.gather(std::span<const double>(newton.A));
    if (ranks.first())
      fitted = expand(*training.training, *training.all, std::move(A), negated_levels(found.b, bias), rule);
  }
  if (!fitted) return {.expansion = {training.kernel}};
  FitReport& report = fitted->report;
  if (training.map) report.support_vectors = training.rows;
  report.certificate = CertificateKind::gradient_norm;
  report.violation = found.gradient / std::max(1.0, found.first);
  report.tolerance = training.tolerance;
  report.cut_short = watch.cut_short();
  report.converged = !report.cut_short && report.violation <= training.tolerance;
  report.iterations = found.steps;
  report.kernel_evaluations = evaluations;
  report.loss = found.loss;
  report.norm = found.norm;
  report.objective = found.loss + lambda * std::max(0.0, found.norm);
  report.solver = fmt::format("Newton's method, {} steps; {}", found.steps, words);
  if (found.earlier > 0) report.solver += fmt::format("; after {} steps of an earlier run", found.earlier);
  if (!report.converged && !report.cut_short)
    report.warnings.push_back(
        fmt::format("the tolerance was not reached: the gradient's norm is {:.3g}", report.violation));
  report.seconds = watch.seconds();
  return std::move(*fitted);
}

}  // namespace

Fitted spread_logistic(const SpreadTraining& training) {
  return fit_risk(training, *loss_named(training.classes > 2 ? "multinomial" : "logistic"), Rule::softmax);
}

Fitted spread_poisson(const SpreadTraining& training) {
  return fit_risk(training, *loss_named("poisson"), Rule::rate);
}

Fitted spread_huber(const SpreadTraining& training) {
  AnyLoss loss = loss_named("huber");
  loss->set("delta", training.number("delta"));
  return fit_risk(training, *loss, Rule::value);
}

}  // namespace mercer::cluster

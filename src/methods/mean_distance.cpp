// d²(x) = k(x, x) − 2Σ pᵢ k(x, xᵢ) + ΣΣ pᵢpⱼ k(xᵢ, xⱼ), pᵢ the weights of the rows over their sum (1/n each):
// three sums of kernels, and the mean itself is never formed. A row lies inside where d² < t. The threshold t
// is half way between the (1 − outliers) quantile of the training rows' distances and the next larger one, so
// that rounding does not decide on which side a training row falls.
#include "mercer/methods/mean_distance.hpp"

#include <algorithm>
#include <numeric>

#include "methods/rows.hpp"
#include "methods/watch.hpp"
#include "mercer/error.hpp"
#include "mercer/geometry.hpp"

namespace mercer {

namespace {

double threshold(const std::vector<double>& distances, const std::vector<double>& shares, double outliers) {
  std::vector<std::size_t> order(distances.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return distances[a] < distances[b]; });
  double inside = 0;
  std::size_t last = 0;
  for (; last < order.size(); ++last)
    if ((inside += shares[order[last]]) >= 1 - outliers - 1e-9) break;
  const double quantile = distances[order[std::min(last, order.size() - 1)]],
               farthest = distances[order.back()];
  const double apart = 1e-9 * std::max(farthest, 1e-300);
  for (; last < order.size(); ++last)
    if (const double next = distances[order[last]]; next > quantile + apart) return (quantile + next) / 2;
  return farthest + std::max(apart, 1e-12);
}

}  // namespace

Fitted MeanDistance::fit(const Training& training) const {
  if (training.kernel.uses_precomputed())
    throw Error(ErrorCode::unsupported,
                "mean_distance needs k(x, x) of new rows, which a precomputed kernel has not",
                {.hint = "take one_class"});
  Watch watch(training.options);
  const Rows rows(training);
  const std::size_t n = rows.size();
  const double total = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
  std::vector<double> shares(n), twice(n), sums(n);
  for (std::size_t i = 0; i < n; ++i) twice[i] = 2 * (shares[i] = rows.weights[i] / total);
  Fitted fitted = expand(training, rows, std::move(twice), {0}, Rule::novelty);
  fitted.expansion.self = -1;
  // The sums: 2Σpk(x, xᵢ) − k(x, x).
  fitted.expansion.sums(rows.points, sums, training.options.threads, watch.progress(0, 1));
  // Σp·sums = 2S − Σp·k(x, x) with S = ΣΣppk, so S needs the diagonal alone.
  const std::vector<double> diagonal = self_similarities(training.kernel, rows.points, rows.points);
  double S = 0, spread = 0;
  for (std::size_t i = 0; i < n; ++i) S += shares[i] * (sums[i] + diagonal[i]) / 2;
  std::vector<double> distances(n);
  for (std::size_t i = 0; i < n; ++i) {
    distances[i] = std::max(0.0, S - sums[i]);
    spread += shares[i] * distances[i];
  }
  const double t = threshold(distances, shares, outliers);
  fitted.rho = {S - t};
  FitReport& report = fitted.report;
  report.certificate = CertificateKind::none;
  report.converged = true;
  report.add("threshold", "threshold", t);
  report.add("mean_squared_distance", "mean squared distance", spread);
  report.add("mean_norm_squared", "‖mean‖²", S);
  report.kernel_evaluations = n * n;
  report.seconds = watch.seconds();
  return fitted;
}

}  // namespace mercer

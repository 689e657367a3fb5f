// How far a metric would move with other rows of the same kind: it is computed again for samples of as many
// rows, drawn from the given ones with replacement, and the middle of what comes out is the interval (Efron
// 1979).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "mercer/error.hpp"
#include "model_selection/measures.hpp"

namespace mercer {

namespace {

void check(const BootstrapOptions& options) {
  if (options.samples == 0) throw Error(ErrorCode::unsupported, "a bootstrap needs at least one sample");
  if (!(options.level > 0 && options.level < 1))
    throw Error(ErrorCode::unsupported, "the level of an interval lies between 0 and 1",
                {.hint = fmt::format("{:g} does not", options.level)});
}

// Each sample has a stream of its own, so that it does not matter which thread draws it.
void draw(std::uint64_t stream, std::vector<double>& counts) {
  Random random(stream);
  std::ranges::fill(counts, 0);
  for (std::size_t i = 0; i < counts.size(); ++i) counts[random.below(counts.size())] += 1;
}

// Between the two nearest of the sorted values, in proportion.
double quantile(const std::vector<double>& sorted, double part) {
  const double at = part * double(sorted.size() - 1);
  const auto below = std::size_t(at), above = std::min(below + 1, sorted.size() - 1);
  return std::lerp(sorted[below], sorted[above], at - double(below));
}

Estimate middle(double value, std::vector<double> sampled, double level) {
  std::erase_if(sampled, [](double x) { return std::isnan(x); });
  if (sampled.empty())
    return {value, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
  std::ranges::sort(sampled);
  return {value, quantile(sampled, (1 - level) / 2), quantile(sampled, (1 + level) / 2)};
}

}  // namespace

std::vector<Estimate> bootstrap(std::span<const Metric> metrics, const Target& truth,
                                const Predictions& predictions, const BootstrapOptions& options) {
  check(options);
  std::vector<Measure> measures;
  for (const Metric& metric : metrics) measures.push_back(prepare(metric, truth, predictions));
  const std::size_t n = truth.size();
  constexpr double undefined = std::numeric_limits<double>::quiet_NaN();
  if (n == 0) return std::vector<Estimate>(metrics.size(), {undefined, undefined, undefined});
  std::vector<std::vector<double>> sampled(measures.size(), std::vector<double>(options.samples));
  constexpr std::size_t samples_at_once = 16;
  const std::uint64_t first = Random(options.seed).bits();
  const std::size_t tasks = (options.samples + samples_at_once - 1) / samples_at_once;
  const int threads = threads_worth(options.samples * n * (1 + measures.size()), options.threads);
  parallel_for(tasks, threads, options.progress, "bootstrap", [&](std::size_t task) {
    std::vector<double> counts(n);
    for (std::size_t s = task * samples_at_once; s < std::min(options.samples, (task + 1) * samples_at_once);
         ++s) {
      draw(first + s, counts);
      for (std::size_t m = 0; m < measures.size(); ++m) sampled[m][s] = measures[m](counts);
    }
  });
  std::vector<Estimate> estimates;
  const std::vector<double> once(n, 1);
  for (std::size_t m = 0; m < measures.size(); ++m)
    estimates.push_back(middle(measures[m](once), std::move(sampled[m]), options.level));
  return estimates;
}

Estimate bootstrap(const Metric& metric, const Target& truth, const Predictions& predictions,
                   const BootstrapOptions& options) {
  return bootstrap(std::span(&metric, 1), truth, predictions, options).front();
}

}  // namespace mercer

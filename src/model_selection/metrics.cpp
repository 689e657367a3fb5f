// Metrics of classes, of partitions and of numbers in one pass over the rows, what can be predicted without
// looking at a row, and how far a metric would move with other rows of the same kind: it is computed again
// for samples of as many rows, drawn from the given ones with replacement, and the middle of what comes out
// is the interval (Efron 1979).
#include "mercer/metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "mercer/error.hpp"
#include "model_selection/measures.hpp"

namespace mercer {

ClassMetrics class_metrics(std::span<const std::int32_t> truth, std::span<const std::int32_t> predicted,
                           std::size_t classes) {
  ClassMetrics m;
  m.n = truth.size();
  m.confusion.assign(classes * classes, 0);
  for (std::size_t i = 0; i < truth.size(); ++i)
    ++m.confusion[std::size_t(truth[i]) * classes + std::size_t(predicted[i])];
  std::size_t right = 0, present = 0;
  double recalls = 0;
  for (std::size_t c = 0; c < classes; ++c) {
    const auto row = std::span(m.confusion).subspan(c * classes, classes);
    const std::size_t total = std::accumulate(row.begin(), row.end(), std::size_t(0));
    right += row[c];
    if (total == 0) continue;
    recalls += double(row[c]) / double(total);
    ++present;
  }
  m.accuracy = m.n ? double(right) / double(m.n) : 0;
  m.balanced_accuracy = present ? recalls / double(present) : 0;
  return m;
}

double log_loss(std::span<const std::int32_t> truth, std::span<const double> probabilities,
                std::size_t classes) {
  double sum = 0;
  for (std::size_t i = 0; i < truth.size(); ++i)
    sum -= std::log(std::clamp(probabilities[i * classes + std::size_t(truth[i])], 1e-15, 1.0));
  return truth.empty() ? 0 : sum / double(truth.size());
}

namespace {

OutputMetrics output_metrics(std::span<const double> truth, std::span<const double> predicted,
                             std::size_t output, std::size_t outputs) {
  const double n = double(truth.size() / outputs);
  const double origin = truth[output];  // a constant truth then has no deviation, not a rounding error
  double mean = 0, squares = 0, deviations = 0;
  for (std::size_t i = output; i < truth.size(); i += outputs) mean += (truth[i] - origin) / n;
  OutputMetrics m;
  for (std::size_t i = output; i < truth.size(); i += outputs) {
    const double error = predicted[i] - truth[i], deviation = truth[i] - origin - mean;
    squares += error * error;
    deviations += deviation * deviation;
    m.mae += std::abs(error) / n;
  }
  m.rmse = std::sqrt(squares / n);
  m.r2 = deviations > 0 ? 1 - squares / deviations : squares == 0 ? 1 : 0;
  return m;
}

}  // namespace

RealMetrics real_metrics(std::span<const double> truth, std::span<const double> predicted,
                         std::size_t outputs) {
  RealMetrics all;
  all.n = truth.size() / outputs;
  if (all.n == 0) return all;
  for (std::size_t output = 0; output < outputs; ++output) {
    const OutputMetrics& one = all.outputs.emplace_back(output_metrics(truth, predicted, output, outputs));
    all.rmse += one.rmse / double(outputs);
    all.mae += one.mae / double(outputs);
    all.r2 += one.r2 / double(outputs);
  }
  return all;
}

// Pairs of rows that are together in both partitions, beyond what the sizes of the parts give by chance.
double adjusted_rand_index(std::span<const std::int32_t> one, std::span<const std::int32_t> other) {
  std::map<std::int32_t, double> first, second;
  std::map<std::pair<std::int32_t, std::int32_t>, double> both;
  for (std::size_t i = 0; i < one.size(); ++i)
    first[one[i]] += 1, second[other[i]] += 1, both[{one[i], other[i]}] += 1;
  const auto pairs = [](const auto& counts) {
    double sum = 0;
    for (const auto& [part, rows] : counts) sum += rows * (rows - 1) / 2;
    return sum;
  };
  const double n = double(one.size()), all = n * (n - 1) / 2, a = pairs(first), b = pairs(second);
  const double chance = all > 0 ? a * b / all : 0, most = (a + b) / 2;
  return most == chance ? 1 : (pairs(both) - chance) / (most - chance);
}

double negative_log_density(std::span<const double> truth, std::span<const double> predicted,
                            std::span<const double> variances) {
  if (truth.empty()) return 0;
  const std::size_t outputs = truth.size() / variances.size();
  double sum = 0;
  for (std::size_t e = 0; e < truth.size(); ++e) {
    const double variance = variances[e / outputs], error = truth[e] - predicted[e];
    sum += 0.5 * std::log(2 * std::numbers::pi * variance) + 0.5 * error * error / variance;
  }
  return sum / double(truth.size());
}

Predictions baseline(const Target& seen, std::size_t rows) {
  const bool classes = seen.task == Task::classification;
  const double n = double(seen.size());
  std::vector<double> row(classes ? seen.labels.size() : seen.outputs);  // shares of the classes, or means
  for (const std::int32_t code : seen.codes)
    if (classes) row[std::size_t(code)] += 1 / n;
  for (std::size_t e = 0; e < seen.values.size(); ++e)
    if (!classes) row[e % seen.outputs] += seen.values[e] / n;
  std::vector<double> repeated;
  for (std::size_t i = 0; i < rows; ++i) repeated.insert(repeated.end(), row.begin(), row.end());
  Predictions p;
  if (classes) {
    p.width = row.size() == 2 ? 1 : row.size();
    p.codes.assign(rows, std::int32_t(std::ranges::max_element(row) - row.begin()));
    p.scores.assign(rows * p.width, 0.0);
    p.probabilities = std::move(repeated);
  } else {
    p.outputs = p.width = seen.outputs;
    p.values = p.scores = std::move(repeated);
  }
  return p;
}

// --- The bootstrap

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr Estimate undefined{nan, nan, nan};

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
  if (sampled.empty()) return {value, nan, nan};
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
  if (n == 0) return std::vector<Estimate>(metrics.size(), undefined);
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

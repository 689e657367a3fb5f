// Metrics of classes, of partitions and of numbers in one pass over the rows, and what can be predicted
// without looking at a row.
#include "mercer/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

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

namespace {

std::vector<double> repeated(const std::vector<double>& row, std::size_t rows) {
  std::vector<double> all;
  all.reserve(row.size() * rows);
  for (std::size_t i = 0; i < rows; ++i) all.insert(all.end(), row.begin(), row.end());
  return all;
}

Predictions most_frequent_class(const Target& seen, std::size_t rows) {
  const std::size_t k = seen.labels.size();
  std::vector<double> shares(k);
  for (const std::int32_t code : seen.codes) shares[std::size_t(code)] += 1 / double(seen.size());
  Predictions p;
  p.width = k == 2 ? 1 : k;
  p.codes.assign(rows, std::int32_t(std::ranges::max_element(shares) - shares.begin()));
  p.scores.assign(rows * p.width, 0.0);
  p.probabilities = repeated(shares, rows);
  return p;
}

Predictions means(const Target& seen, std::size_t rows) {
  std::vector<double> mean(seen.outputs);
  for (std::size_t e = 0; e < seen.values.size(); ++e)
    mean[e % seen.outputs] += seen.values[e] / double(seen.size());
  Predictions p;
  p.outputs = p.width = seen.outputs;
  p.values = p.scores = repeated(mean, rows);
  return p;
}

}  // namespace

Predictions baseline(const Target& seen, std::size_t rows) {
  if (seen.task == Task::classification) return most_frequent_class(seen, rows);
  return means(seen, rows);
}

}  // namespace mercer

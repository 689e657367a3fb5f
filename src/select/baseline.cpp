// What can be predicted without looking at a row.
#include <algorithm>

#include "mercer/metrics.hpp"

namespace mercer {

namespace {

Predictions most_frequent_class(const Target& truth) {
  const std::size_t n = truth.size(), k = truth.labels.size();
  std::vector<double> shares(k);
  for (const std::int32_t code : truth.codes) shares[std::size_t(code)] += 1 / double(n);
  Predictions p;
  p.width = k == 2 ? 1 : k;
  p.codes.assign(n, std::int32_t(std::ranges::max_element(shares) - shares.begin()));
  p.scores.assign(n * p.width, 0.0);
  for (std::size_t i = 0; i < n; ++i) p.probabilities.insert(p.probabilities.end(), shares.begin(), shares.end());
  return p;
}

Predictions means(const Target& truth) {
  const std::size_t n = truth.size();
  Predictions p;
  p.outputs = p.width = truth.outputs;
  std::vector<double> mean(truth.outputs);
  for (std::size_t i = 0; i < n * truth.outputs; ++i) mean[i % truth.outputs] += truth.values[i] / double(n);
  for (std::size_t i = 0; i < n; ++i) p.values.insert(p.values.end(), mean.begin(), mean.end());
  p.scores = p.values;
  return p;
}

}  // namespace

Predictions baseline(const Target& truth) {
  if (truth.kind == Target::Kind::classes) return most_frequent_class(truth);
  return means(truth);
}

}  // namespace mercer

// What can be predicted without looking at a row.
#include <algorithm>

#include "mercer/metrics.hpp"

namespace mercer {

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

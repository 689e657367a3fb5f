#include "select/baseline.hpp"

#include <algorithm>

namespace mercer {

namespace {

template <class T>
std::vector<T> repeated(const std::vector<T>& row, std::size_t rows) {
  std::vector<T> all;
  all.reserve(row.size() * rows);
  for (std::size_t i = 0; i < rows; ++i) all.insert(all.end(), row.begin(), row.end());
  return all;
}

}  // namespace

Predictions baseline(const Target& seen, std::size_t rows) {
  Predictions predictions;
  const double n = double(std::max<std::size_t>(1, seen.size()));
  if (seen.kind == Target::Kind::classes) {
    std::vector<double> shares(seen.labels.size(), 0);
    for (const std::int32_t code : seen.codes) shares[std::size_t(code)] += 1 / n;
    predictions.codes.assign(rows, std::int32_t(std::ranges::max_element(shares) - shares.begin()));
    predictions.probabilities = predictions.scores = repeated(shares, rows);
    predictions.width = shares.size();
    return predictions;
  }
  std::vector<double> means(seen.outputs, 0);
  for (std::size_t e = 0; e < seen.values.size(); ++e) means[e % seen.outputs] += seen.values[e] / n;
  predictions.values = predictions.scores = repeated(means, rows);
  predictions.outputs = predictions.width = seen.outputs;
  return predictions;
}

}  // namespace mercer

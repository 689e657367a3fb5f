#include "model_selection/sample.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "mercer/error.hpp"
#include "mercer/folds.hpp"

namespace mercer {

namespace {

// As many parts of about that size as the rows give; the first of them is the sample.
std::vector<std::size_t> sampled_rows(const Target& target, std::size_t wanted, std::uint64_t seed) {
  const std::size_t n = target.size();
  std::vector<std::size_t> rows;
  if (wanted == 0 || wanted >= n) {
    rows.resize(n);
    std::iota(rows.begin(), rows.end(), std::size_t(0));
    return rows;
  }
  // Dealt into n parts in an order that spreads the classes, the first `wanted` have each class's share.
  const std::vector<std::size_t> place = random_folds(target, n, seed);
  const auto code = [&](std::size_t i) { return target.task == Task::classification ? target.codes[i] : 0; };
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::sort(order, {}, [&](std::size_t i) { return place[i]; });
  std::vector<std::size_t> counts(std::max<std::size_t>(target.labels.size(), 1), 0), taken(counts.size(), 0);
  for (std::size_t i = 0; i < n; ++i) ++counts[std::size_t(code(i))];
  for (const std::size_t i : order) {
    const auto c = std::size_t(code(i));
    const std::size_t share =
        std::max<std::size_t>(std::min<std::size_t>(counts[c], 2),
                              std::size_t(double(counts[c]) * double(wanted) / double(n) + 0.5));
    if (taken[c]++ < share) rows.push_back(i);
  }
  std::ranges::sort(rows);
  return rows;
}

std::vector<std::size_t> folds_of(const Target& target, std::size_t folds,
                                  const std::vector<std::size_t>& given, const std::vector<std::size_t>& rows,
                                  std::uint64_t seed) {
  if (given.empty()) return random_folds(target, folds, seed);
  std::vector<std::size_t> fold;
  for (const std::size_t row : rows) fold.push_back(given[row]);
  return fold;
}

}  // namespace

Sample draw_sample(const Dataset& scaled, std::size_t wanted, std::size_t folds,
                   const std::vector<std::size_t>& given, std::uint64_t seed) {
  Sample sample;
  const std::vector<std::size_t> chosen = sampled_rows(scaled.target, wanted, seed);
  const Target target = scaled.target.select_rows(chosen);
  const std::vector<std::size_t> fold = folds_of(target, folds, given, chosen, seed);
  std::vector<std::size_t> order(chosen.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  const auto key = [&](std::size_t i) {
    return std::pair(target.task == Task::classification ? target.codes[i] : 0, fold[i]);
  };
  std::ranges::stable_sort(order, {}, key);
  for (const std::size_t i : order) {
    sample.rows.push_back(chosen[i]);
    sample.fold.push_back(fold[i]);
  }
  sample.folds = fold.empty() ? 0 : *std::ranges::max_element(fold) + 1;
  sample.data = scaled.select_rows(sample.rows);
  return sample;
}

Predictions in_order_of_data(const Sample& sample, const Predictions& from) {
  Predictions to = from;
  const std::size_t n = sample.rows.size();
  const auto move = [&]<class T>(const std::vector<T>& source, std::vector<T>& target) {
    const std::size_t width = n == 0 ? 0 : source.size() / n;
    for (std::size_t i = 0; i < n; ++i)
      std::copy_n(source.data() + i * width, width, target.data() + sample.rows[i] * width);
  };
  move(from.codes, to.codes);
  move(from.values, to.values);
  move(from.probabilities, to.probabilities);
  move(from.scores, to.scores);
  return to;
}

}  // namespace mercer

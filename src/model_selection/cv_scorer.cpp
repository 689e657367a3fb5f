#include "model_selection/cv_scorer.hpp"

#include <algorithm>
#include <numeric>

#include "mercer/cross_validation.hpp"
#include "mercer/folds.hpp"
#include "model/fit_steps.hpp"
#include "model/prediction.hpp"
#include "model_selection/present_classes.hpp"

namespace mercer {

namespace {

// 0 of all rows where there are no classes.
std::int32_t class_of(const Target& target, std::size_t row) {
  return target.task == Task::classification ? target.codes[row] : 0;
}

// Ascending. Dealt into n parts in an order that spreads the classes, the first rows have each class's share.
std::vector<std::size_t> drawn_rows(const Target& target, std::size_t wanted, std::uint64_t seed) {
  const std::size_t n = target.size();
  std::vector<std::size_t> order(n), rows;
  std::iota(order.begin(), order.end(), std::size_t(0));
  if (wanted == 0 || wanted >= n) return order;
  const std::vector<std::size_t> place = random_folds(target, n, seed);
  std::ranges::sort(order, {}, [&](std::size_t i) { return place[i]; });
  std::vector<std::size_t> counts(std::max<std::size_t>(target.labels.size(), 1), 0), taken(counts.size(), 0);
  for (std::size_t i = 0; i < n; ++i) ++counts[std::size_t(class_of(target, i))];
  for (const std::size_t i : order) {
    const auto c = std::size_t(class_of(target, i));
    const std::size_t share =
        std::max<std::size_t>(std::min<std::size_t>(counts[c], 2),
                              std::size_t(double(counts[c]) * double(wanted) / double(n) + 0.5));
    if (taken[c]++ < share) rows.push_back(i);
  }
  std::ranges::sort(rows);
  return rows;
}

}  // namespace

Sample draw_sample(const Dataset& scaled, std::size_t wanted, std::size_t folds,
                   const std::vector<std::size_t>& given, std::uint64_t seed) {
  const std::vector<std::size_t> chosen = drawn_rows(scaled.target, wanted, seed);
  const Target target = scaled.target.select_rows(chosen);
  std::vector<std::size_t> fold, order(chosen.size());
  if (given.empty())
    fold = random_folds(target, folds, seed);
  else
    for (const std::size_t row : chosen) fold.push_back(given[row]);
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return std::pair(class_of(target, i), fold[i]); });
  Sample sample;
  for (const std::size_t i : order) sample.rows.push_back(chosen[i]), sample.fold.push_back(fold[i]);
  sample.folds = fold.empty() ? 0 : *std::ranges::max_element(fold) + 1;
  sample.data = scaled.select_rows(sample.rows);
  return sample;
}

Predictions in_order_of_data(const Sample& sample, const Predictions& from) {
  Predictions to = from;
  place_rows(from, sample.rows, to);
  return to;
}

const KernelOperator<float>* CvScorer::gram_of(const Kernel& kernel) {
  if (gram_ && gram_->kernel() == kernel) return &*gram_;
  gram_.reset();  // before the memory for the next is taken
  const double n = double(sample_.data.rows());
  if (n * n * sizeof(float) > double(options_.memory)) return nullptr;
  gram_.emplace(kernel, sample_.data.points,
                OperatorOptions{.storage = OperatorOptions::Storage::held,
                                .memory = options_.memory,
                                .threads = options_.threads,
                                .progress = options_.progress});
  return &*gram_;
}

std::vector<Predictions> CvScorer::predict(const CandidateLine& line, bool& leave_one_out) {
  const Dataset& data = sample_.data;
  std::vector<Predictions> predictions;
  if (!line.path.empty() && !metric_.needs_probabilities && line.kernel.resolved()) {
    const Method& method = *line.method;
    const Training training{data.points, data.target, row_weights(data, options_),
                            line.kernel, options_,    options_.tolerance.value_or(method.traits().tolerance)};
    std::vector<std::size_t> fold = sample_.fold;
    const bool single = single_rows_ && method.traits().leaves_out_single_rows;
    if (single) std::iota(fold.begin(), fold.end(), std::size_t(0));
    if (const auto held = method.hold_out(
            {training, fold, line.parameter, line.path, single ? nullptr : gram_of(line.kernel)})) {
      leave_one_out = single;
      for (const auto& scores : held->scores)
        predictions.push_back(decide(held->rule, data.target.labels.size(), held->width, scores));
      return predictions;
    }
  }
  FitOptions options = options_;
  options.probabilities = metric_.needs_probabilities;  // a model to be kept is calibrated later
  for (std::size_t v = 0; v < line.size(); ++v)
    predictions.push_back(cross_validate(line.at(v).method, line.kernel, data, sample_.fold, options));
  return predictions;
}

std::vector<CvScore> CvScorer::score(const CandidateLine& line) {
  std::vector<std::vector<std::size_t>> folds(sample_.folds);
  for (std::size_t i = 0; i < sample_.fold.size(); ++i) folds[sample_.fold[i]].push_back(i);
  bool leave_one_out = false;
  std::vector<CvScore> scores;
  for (Predictions& predictions : predict(line, leave_one_out)) {
    CvScore& one = scores.emplace_back();
    one.leave_one_out = leave_one_out;
    for (const auto& rows : folds)
      if (!rows.empty()) one.fold_scores.push_back(measure(metric_, sample_.data.target, predictions, rows));
    one.predictions = std::move(predictions);
  }
  return scores;
}

}  // namespace mercer

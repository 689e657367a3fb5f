#include "model/probability.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/random.hpp"
#include "estimators/calibration.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

// The fold of each row: each class is shuffled and dealt out in turn.
std::vector<std::size_t> stratified_folds(const Target& target, std::size_t folds, std::uint64_t seed) {
  Random random(seed);
  std::vector<std::vector<std::size_t>> rows(target.labels.size());
  for (std::size_t i = 0; i < target.codes.size(); ++i) rows[std::size_t(target.codes[i])].push_back(i);
  std::vector<std::size_t> fold(target.codes.size());
  std::size_t next = 0;
  for (auto& list : rows) {
    for (std::size_t i = 0; i < list.size(); ++i) std::swap(list[i], list[i + random.below(list.size() - i)]);
    for (const std::size_t row : list) fold[row] = next++ % folds;
  }
  return fold;
}

std::size_t smallest_class(const Target& target) {
  std::vector<std::size_t> counts(target.labels.size(), 0);
  for (const std::int32_t code : target.codes) ++counts[std::size_t(code)];
  const auto least = std::ranges::min_element(counts);
  if (*least < 2)
    throw Error(ErrorKind::data, fmt::format("class '{}' has a single row; probabilities need two of each class or more",
                                             target.labels[std::size_t(least - counts.begin())]));
  return *least;
}

// Scores of all rows, each from a model that has not seen it: rows × pairs.
std::vector<double> unseen_scores(const Model& model, const Training& all) {
  const std::size_t n = all.points.rows(), width = model.fitted.levels.size();
  const std::size_t folds = std::min<std::size_t>(5, smallest_class(all.target));
  const auto fold = stratified_folds(all.target, folds, all.options.seed);
  std::vector<double> scores(n * width);
  for (std::size_t f = 0; f < folds; ++f) {
    std::vector<std::size_t> seen, unseen;
    for (std::size_t i = 0; i < n; ++i) (fold[i] == f ? unseen : seen).push_back(i);
    const Points points = all.points.select_rows(seen);
    Target target{Target::Kind::classes, all.target.name, all.target.labels, {}, {}};
    std::vector<double> weights;
    for (const std::size_t i : seen) {
      target.codes.push_back(all.target.codes[i]);
      if (!all.weights.empty()) weights.push_back(all.weights[i]);
    }
    Model part = model;
    part.scaling = {};
    part.fitted = model.method->fit({points, target, std::move(weights), all.kernel, all.options});
    const Predictions p = part.predict(all.points.select_rows(unseen), all.options.threads);
    for (std::size_t u = 0; u < unseen.size(); ++u) std::copy_n(p.scores.data() + u * width, width, scores.data() + unseen[u] * width);
  }
  return scores;
}

}  // namespace

void calibrate(Model& model, const Training& training) {
  if (model.fitted.rule != Rule::one_vs_one)
    throw Error(ErrorKind::usage, "probabilities are calibrated for pairs of classes; set multiclass=ovo");
  const std::vector<double> scores = unseen_scores(model, training);
  const std::size_t k = model.labels.size(), width = model.fitted.levels.size();
  std::size_t pair = 0;
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = i + 1; j < k; ++j, ++pair) {
      std::vector<double> own;
      std::vector<bool> first;
      for (std::size_t row = 0; row < training.points.rows(); ++row) {
        const auto code = std::size_t(training.target.codes[row]);
        if (code != i && code != j) continue;
        own.push_back(scores[row * width + pair]);
        first.push_back(code == i);
      }
      const Sigmoid sigmoid = fit_sigmoid(own, first);
      model.fitted.slopes.push_back(sigmoid.slope);
      model.fitted.offsets.push_back(sigmoid.offset);
    }
}

std::vector<double> class_probabilities(const Model& model, std::span<const double> scores) {
  const std::size_t k = model.labels.size(), width = model.fitted.levels.size();
  std::vector<double> probabilities, pairs(width);
  for (std::size_t row = 0; row * width < scores.size(); ++row) {
    for (std::size_t pair = 0; pair < width; ++pair)
      pairs[pair] = Sigmoid{model.fitted.slopes[pair], model.fitted.offsets[pair]}(scores[row * width + pair]);
    if (k == 2) {
      probabilities.insert(probabilities.end(), {pairs[0], 1 - pairs[0]});
      continue;
    }
    const std::vector<double> p = couple(pairs, k);
    probabilities.insert(probabilities.end(), p.begin(), p.end());
  }
  return probabilities;
}

}  // namespace mercer

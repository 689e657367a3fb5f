#include "model/probability.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "methods/calibration.hpp"
#include "mercer/error.hpp"
#include "mercer/folds.hpp"
#include "model/decide.hpp"
#include "operators/row_features.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_folds = 5;

std::size_t smallest_class(const Target& target) {
  std::vector<std::size_t> counts(target.labels.size(), 0);
  for (const std::int32_t code : target.codes) ++counts[std::size_t(code)];
  const auto least = std::ranges::min_element(counts);
  if (*least < 2)
    throw Error(
        ErrorCode::invalid_data,
        fmt::format("class '{}' has a single row", target.labels[std::size_t(least - counts.begin())]),
        {.hint = "probabilities need two of each class or more"});
  return *least;
}

std::vector<std::size_t> folds_of(const Training& all) {
  const std::size_t n = all.points.rows();
  if (!all.options.folds.empty()) {
    if (all.options.folds.size() != n)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("folds are given for {} rows, but there are {}", all.options.folds.size(), n));
    return all.options.folds;
  }
  if (all.target.task == Task::regression && n < 2)
    throw Error(ErrorCode::invalid_data, "there is a single row",
                {.hint = "the scale of the noise needs two or more"});
  const std::size_t parts = all.target.task == Task::classification ? smallest_class(all.target) : n;
  return random_folds(all.target, std::min(most_folds, parts), all.options.seed);
}

// Scores of all rows, each from a model that has not seen it: rows × rho.
std::vector<double> unseen_scores(const Model& model, const Training& all) {
  const std::size_t n = all.points.rows(), width = model.fitted.rho.size();
  const std::vector<std::size_t> fold = folds_of(all);
  const std::size_t folds = *std::ranges::max_element(fold) + 1;
  std::vector<double> scores(n * width);
  for (std::size_t f = 0; f < folds; ++f) {
    std::vector<std::size_t> seen, unseen;
    for (std::size_t i = 0; i < n; ++i) (fold[i] == f ? unseen : seen).push_back(i);
    const Points points = all.points.select_rows(seen);
    const Target target = all.target.select_rows(seen);
    std::vector<double> weights;
    if (!all.weights.empty())
      for (const std::size_t i : seen) weights.push_back(all.weights[i]);
    Model part = model;
    part.scaling = {};
    if (!all.over_features) part.map.reset();  // the rows are features already
    part.columns = all.points.cols();
    FitOptions options = all.options;
    const std::string what = fmt::format("calibration, fold {} of {}", f + 1, folds);
    if (all.options.progress)
      options.progress = [&](std::string_view, double done) {
        return all.options.progress(what, (double(f) + done) / double(folds));
      };
    const auto features = all.features ? std::make_shared<RowFeatures>(all.features->select(seen)) : nullptr;
    part.fitted = model.method->fit({points, target, std::move(weights), all.kernel, options, all.tolerance,
                                     nullptr, features, all.over_features});
    const Predictions p = part.predict(all.points.select_rows(unseen), all.options.threads);
    for (std::size_t u = 0; u < unseen.size(); ++u)
      std::copy_n(p.scores.data() + u * width, width, scores.data() + unseen[u] * width);
  }
  return scores;
}

void calibrate_pairs(Model& model, const Training& training) {
  const std::vector<double> scores = unseen_scores(model, training);
  const std::size_t k = model.labels.size(), width = model.fitted.rho.size();
  const double sign = score_sign(k, width);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = i + 1; j < k; ++j, ++pair) {
      std::vector<double> own;
      std::vector<bool> first;
      for (std::size_t row = 0; row < training.points.rows(); ++row) {
        const auto code = std::size_t(training.target.codes[row]);
        if (code != i && code != j) continue;
        own.push_back(sign * scores[row * width + pair]);
        first.push_back(code == i);
      }
      const Sigmoid sigmoid = fit_sigmoid(own, first);
      model.fitted.slopes.push_back(sigmoid.slope);
      model.fitted.offsets.push_back(sigmoid.offset);
    }
}

void calibrate_noise(Model& model, const Training& training) {
  // A loss of numbers takes classes whose labels are numbers, so the target need not be real.
  const std::vector<double> targets = training.target.numbers();
  std::vector<double> residuals = unseen_scores(model, training);
  for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] = targets[i] - residuals[i];
  model.fitted.noise_scale = laplace_scale(residuals);
}

// On the rows learned from: a region has no rows that it should not have seen.
void calibrate_density(Model& model, const Training& training) {
  Model unscaled = model;
  unscaled.scaling = {};
  if (!training.over_features) unscaled.map.reset();
  unscaled.columns = training.points.cols();
  model.fitted.density_marks =
      density_marks(unscaled.predict(training.points, training.options.threads).scores);
  if (model.fitted.density_marks.empty())
    model.fitted.report.warnings.emplace_back(
        "fewer than five rows lie inside, or fewer than five outside: too few for probabilities");
}

}  // namespace

void calibrate(Model& model, const Training& training) {
  const auto refuse = [&](std::string_view why) {
    throw Error(ErrorCode::invalid_argument, fmt::format("{} {}", model.method->name(), why));
  };
  switch (model.fitted.rule) {
    case Rule::one_vs_one:
      return calibrate_pairs(model, training);
    case Rule::novelty:
      return calibrate_density(model, training);
    case Rule::one_vs_rest:
      if (!supervised(model.method->traits().task)) refuse("finds clusters, which have no probabilities");
      if (model.labels.size() == 2) return calibrate_pairs(model, training);
      throw Error(ErrorCode::invalid_argument, "probabilities are calibrated for pairs of classes",
                  {.hint = "set multiclass=ovo, or take a method that gives them"});
    case Rule::value:
      if (model.fitted.rho.size() == 1) return calibrate_noise(model, training);
      refuse("has several outputs here, and the scale of the noise is found for one");
      break;
    case Rule::softmax:
    case Rule::shares:
      return;  // the method gives them
    case Rule::rate:
      refuse("predicts the rate of counts, whose distribution it gives already");
      break;
    case Rule::projection:
      refuse("gives coordinates, which have no probabilities");
  }
}

std::vector<double> inside_probabilities(const Model& model, std::span<const double> scores) {
  std::vector<double> probabilities;
  for (const double score : scores) {
    const double inside = inside_probability(model.fitted.density_marks, score);
    probabilities.insert(probabilities.end(), {inside, 1 - inside});
  }
  return probabilities;
}

std::vector<double> class_probabilities(const Model& model, std::span<const double> scores) {
  const std::size_t k = model.labels.size(), width = model.fitted.rho.size();
  const double sign = score_sign(k, width);
  std::vector<double> probabilities, pairs(width);
  for (std::size_t row = 0; row * width < scores.size(); ++row) {
    for (std::size_t pair = 0; pair < width; ++pair)
      pairs[pair] =
          Sigmoid{model.fitted.slopes[pair], model.fitted.offsets[pair]}(sign * scores[row * width + pair]);
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

#include "model/question.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mercer/dataset.hpp"
#include "model/decide.hpp"

namespace mercer {

namespace {

// Pairs a < b in the order of the scores.
std::size_t pair_number(std::size_t a, std::size_t b, std::size_t classes) {
  return a * classes - a * (a + 1) / 2 + b - a - 1;
}

// The decision value of `own` against `other`, above 0 for the former.
std::pair<std::size_t, double> pair_score(std::size_t own, std::size_t other, std::size_t classes) {
  return own < other ? std::pair(pair_number(own, other, classes), 1.0)
                     : std::pair(pair_number(other, own, classes), -1.0);
}

Question about_pairs(const Model& model, std::size_t own, const double* scores) {
  const std::size_t k = model.labels.size();
  std::size_t runner_up = k;
  double least = 0;
  for (std::size_t other = 0; other < k; ++other) {
    if (other == own) continue;
    const auto [pair, sign] = pair_score(own, other, k);
    if (runner_up == k || sign * scores[pair] < least) runner_up = other, least = sign * scores[pair];
  }
  return {model.labels[own], model.labels[runner_up], {pair_score(own, runner_up, k)}};
}

Question about_classes(const Model& model, std::size_t own, const double* scores) {
  const std::size_t k = model.labels.size(), width = model.fitted.rho.size();
  // One score of two classes.
  if (width < k) return {model.labels[own], model.labels[1 - own], {{0, own == 0 ? 1.0 : -1.0}}};
  std::size_t runner_up = own == 0 ? 1 : 0;
  for (std::size_t other = 0; other < k; ++other)
    if (other != own && scores[other] > scores[runner_up]) runner_up = other;
  return {model.labels[own], model.labels[runner_up], {{own, 1.0}, {runner_up, -1.0}}};
}

std::vector<Question> about_outputs(const Model& model) {
  const std::size_t outputs = model.fitted.rho.size();
  if (model.fitted.rule == Rule::novelty) return {{"inside", "", {{0, 1.0}}}};
  const auto names =
      Target{.task = Task::regression, .name = model.schema.target, .outputs = outputs}.output_names();
  std::vector<Question> all;
  for (std::size_t o = 0; o < outputs; ++o) {
    const std::string subject = model.fitted.rule == Rule::projection ? fmt::format("coordinate {}", o + 1)
                                : model.fitted.rule == Rule::rate     ? fmt::format("log {}", names[o])
                                                                      : names[o];
    all.push_back({subject, "", {{o, 1.0}}});
  }
  return all;
}

}  // namespace

double Question::score(const double* row_scores) const {
  double sum = 0;
  for (const auto& [number, factor] : scores) sum += factor * row_scores[number];
  return sign * sum;
}

double Question::constant(const Model& model) const {
  double sum = 0;
  for (const auto& [number, factor] : scores) sum -= factor * model.fitted.rho[number];
  return sum;
}

std::vector<double> Question::outputs(const Model& model) const {
  std::vector<double> factors(model.fitted.expansion.outputs(), 0.0);
  const std::size_t k = model.labels.size();
  for (const auto& [number, factor] : scores) {
    if (model.fitted.rule != Rule::one_vs_one) {
      factors[number] += factor;
      continue;
    }
    for (std::size_t a = 0; a < k; ++a)
      for (std::size_t b = a + 1; b < k; ++b)
        if (pair_number(a, b, k) == number)
          factors[a * (k - 1) + b - 1] += factor, factors[b * (k - 1) + a] += factor;
  }
  return factors;
}

std::vector<Question> questions(const Model& model, const Predictions& predictions, std::size_t row) {
  if (model.labels.empty()) return about_outputs(model);
  const auto own = std::size_t(predictions.codes[row]);
  const double* scores = predictions.scores.data() + row * predictions.width;
  if (model.labels.size() == 1) {  // no runner-up, and of pairs no score either
    Question alone{model.labels[0], "", {}};
    if (predictions.width > 0) alone.scores.push_back({0, 1.0});
    return {alone};
  }
  Question about = model.fitted.rule == Rule::one_vs_one ? about_pairs(model, own, scores)
                                                         : about_classes(model, own, scores);
  about.sign = score_sign(model.labels.size(), predictions.width);
  return {about};
}

}  // namespace mercer

// Predictions to measure: twenty rows whose metrics scikit-learn was asked for once, and random ones.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "mercer/metrics.hpp"

namespace mercer {

struct RandomScores {
  Target truth;
  Predictions predictions;
};

inline Target classes_of(std::vector<std::int32_t> codes, std::size_t count) {
  Target target{.task = Task::classification, .codes = std::move(codes)};
  for (std::size_t c = 0; c < count; ++c) target.labels.push_back(std::to_string(c));
  return target;
}

// i = np.arange(20); t = np.minimum(i*i%3 + (i%5==4), 2); w = np.stack([1+3*i%7, 1+5*i%11, 1+2*i%5],
// 1).astype(float); w[i,t] += 4 p = w / w.sum(1, keepdims=True); predicted = p.argmax(1)
inline RandomScores twenty_rows() {
  std::vector<std::int32_t> truth, predicted;
  std::vector<double> probabilities;
  for (int i = 0; i < 20; ++i) {
    truth.push_back(std::min(i * i % 3 + (i % 5 == 4), 2));
    double w[] = {1.0 + 3 * i % 7, 1.0 + 5 * i % 11, 1.0 + 2 * i % 5};
    w[truth.back()] += 4;
    predicted.push_back(std::int32_t(std::max_element(w, w + 3) - w));
    for (const double one : w) probabilities.push_back(one / (w[0] + w[1] + w[2]));
  }
  return {classes_of(truth, 3),
          {.codes = predicted, .values = {}, .probabilities = probabilities, .scores = {}}};
}

// The same rows, the first class against the others: q = w[:,0] / (w[:,0] + w[:,1]).
inline RandomScores twenty_rows_of_two() {
  const RandomScores three = twenty_rows();
  RandomScores two{classes_of({}, 2), {}};
  for (std::size_t i = 0; i < 20; ++i) {
    const double a = three.predictions.probabilities[3 * i], b = three.predictions.probabilities[3 * i + 1],
                 q = a / (a + b);
    two.truth.codes.push_back(three.truth.codes[i] == 0 ? 0 : 1);
    two.predictions.codes.push_back(q > 0.5 ? 0 : 1);
    two.predictions.probabilities.insert(two.predictions.probabilities.end(), {q, 1 - q});
    two.predictions.scores.push_back(std::log((1 - q) / q));
  }
  return two;
}

// y = np.sin(i); f = y + np.cos(3*i)/2
inline RandomScores twenty_numbers() {
  RandomScores rows;
  rows.truth.task = Task::regression;
  for (int i = 0; i < 20; ++i) {
    rows.truth.values.push_back(std::sin(i));
    rows.predictions.values.push_back(std::sin(i) + std::cos(3 * i) / 2);
  }
  return rows;
}

// Scores are small whole numbers, so that many are equal.
inline RandomScores random_rows(Random& random, std::size_t n, std::size_t classes) {
  RandomScores rows{classes_of({}, classes), {}};
  rows.predictions.width = classes;
  for (std::size_t i = 0; i < n; ++i) {
    rows.truth.codes.push_back(std::int32_t(random.below(classes)));
    double sum = 0;
    std::vector<double> p;
    for (std::size_t c = 0; c < classes; ++c) sum += p.emplace_back(double(1 + random.below(5)));
    for (double& one : p) one /= sum;
    rows.predictions.codes.push_back(std::int32_t(std::ranges::max_element(p) - p.begin()));
    rows.predictions.probabilities.insert(rows.predictions.probabilities.end(), p.begin(), p.end());
    for (std::size_t c = 0; c < classes; ++c) rows.predictions.scores.push_back(double(random.below(4)));
  }
  return rows;
}

inline double measured(const std::string& name, const RandomScores& rows,
                       std::span<const std::size_t> chosen = {}) {
  return measure(metric_named(name), rows.truth, rows.predictions, chosen);
}

inline void expect_refused(const std::function<void()>& action, ErrorKind kind, const std::string& part) {
  const std::string message = refusal(kind, action);
  EXPECT_NE(message.find(part), std::string::npos) << message;
}

}  // namespace mercer

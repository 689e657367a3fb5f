// Targets and predictions for the tests of pictures.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "mercer/error.hpp"
#include "mercer/model.hpp"

namespace mercer {

struct Predicted {
  Target truth;
  Predictions predictions;
};

/// n rows of k classes, with probabilities that lean to the truth, and the most probable class as the
/// prediction.
inline Predicted predicted_classes(std::size_t n, std::size_t k, std::uint64_t seed = 1,
                                   double strength = 1.5) {
  Random random(seed);
  Predicted made{{.task = Task::classification}, {}};
  for (std::size_t c = 0; c < k; ++c) made.truth.labels.push_back("class " + std::to_string(c));
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t code = i < k ? i : random.below(k);
    made.truth.codes.push_back(std::int32_t(code));
    std::vector<double> odds;
    double sum = 0;
    for (std::size_t c = 0; c < k; ++c)
      sum += odds.emplace_back(std::exp(random.normal() + (c == code ? strength : 0)));
    made.predictions.codes.push_back(std::int32_t(std::ranges::max_element(odds) - odds.begin()));
    for (const double odd : odds) made.predictions.probabilities.push_back(odd / sum);
  }
  return made;
}

inline Predicted predicted_numbers(std::vector<double> truth, std::vector<double> predicted,
                                   std::size_t outputs = 1) {
  Predicted made{{.task = Task::regression, .name = "y", .values = std::move(truth), .outputs = outputs}, {}};
  made.predictions.values = std::move(predicted);
  made.predictions.outputs = outputs;
  return made;
}

/// The message of the Error that `work` throws, or "accepted".
template <class Work>
std::string refusal_of(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace mercer

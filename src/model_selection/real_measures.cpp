// Metrics of numbers; of several outputs the mean over them.
#include <cmath>

#include "model_selection/measures.hpp"

namespace mercer {

namespace {

// The mean over the outputs of make(truth, prediction) of each: two vectors of an entry per row.
template <class Make>
Measure mean_over_outputs(const Scored& scored, Make make) {
  const std::size_t outputs = scored.truth.task == Task::regression ? scored.truth.outputs : 1;
  std::vector<Measure> each;
  for (std::size_t output = 0; output < outputs; ++output) {
    std::vector<double> truth(scored.rows()), predicted(scored.rows());
    for (std::size_t i = 0; i < scored.rows(); ++i) {
      truth[i] = scored.numbers[i * outputs + output];
      predicted[i] = scored.predictions.values[i * outputs + output];
    }
    each.push_back(make(truth, predicted));
  }
  return [each = std::move(each)](Counts counts) {
    double sum = 0;
    for (const Measure& one : each) sum += one(counts);
    return sum / double(each.size());
  };
}

template <class Term>
std::vector<double> terms(std::span<const double> truth, std::span<const double> predicted, Term term) {
  std::vector<double> all(truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) all[i] = term(predicted[i] - truth[i]);
  return all;
}

double square(double error) { return error * error; }

// 1 − Σ squared errors / Σ squared deviations from the mean. The truth is moved so that one value is 0: a
// constant one then has no deviation, not a rounding error.
double part_explained(Counts counts, std::span<const double> squares, std::span<const double> truth) {
  std::size_t any = 0;  // row that counts
  while (counts[any] == 0) ++any;
  double rows = 0, sum = 0, errors = 0, deviations = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    rows += counts[i], sum += counts[i] * (truth[i] - truth[any]), errors += counts[i] * squares[i];
  const double mean = sum / rows;
  for (std::size_t i = 0; i < counts.size(); ++i)
    deviations += counts[i] * square(truth[i] - truth[any] - mean);
  return deviations > 0 ? 1 - errors / deviations : errors == 0 ? 1 : 0;
}

}  // namespace

Measure rmse_measure(const Scored& scored) {
  return mean_over_outputs(scored, [](const auto& truth, const auto& predicted) {
    return [squares = terms(truth, predicted, square)](Counts counts) {
      return std::sqrt(mean(counts, squares));
    };
  });
}

Measure mae_measure(const Scored& scored) {
  return mean_over_outputs(scored, [](const auto& truth, const auto& predicted) {
    return [errors = terms(truth, predicted, [](double error) { return std::abs(error); })](Counts counts) {
      return mean(counts, errors);
    };
  });
}

Measure r2_measure(const Scored& scored) {
  return mean_over_outputs(scored, [](const auto& truth, const auto& predicted) {
    return [squares = terms(truth, predicted, square), truth](Counts counts) {
      return part_explained(counts, squares, truth);
    };
  });
}

Measure pinball_measure(const Scored& scored) {
  return mean_over_outputs(scored, [level = scored.level](const auto& truth, const auto& predicted) {
    return [losses = terms(truth, predicted, [level](double error) {
              return error < 0 ? -level * error : (1 - level) * error;
            })](Counts counts) { return mean(counts, losses); };
  });
}

}  // namespace mercer

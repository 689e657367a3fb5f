// The inside of a metric. What the predictions say is prepared once; the metric is then a function of how
// often each row counts: once each, or as often as a sample of the bootstrap drew it. So a sample costs no
// sorting and no logarithm.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "mercer/metrics.hpp"

namespace mercer {

/// How often each row counts. The sum is above 0.
using Counts = std::span<const double>;
using Measure = std::function<double(Counts)>;

struct Scored {
  const Target& truth;
  const Predictions& predictions;
  const std::vector<double>& numbers;  ///< real: the truth
  double level;

  std::size_t rows() const { return truth.size(); }
  std::size_t classes() const { return truth.labels.size(); }
  std::size_t code(std::size_t row) const { return std::size_t(truth.codes[row]); }
  std::size_t predicted(std::size_t row) const { return std::size_t(predictions.codes[row]); }
  double probability(std::size_t row, std::size_t label) const {
    return predictions.probabilities[row * classes() + label];
  }
};

/// Σ counts·terms / Σ counts.
double mean(Counts counts, std::span<const double> terms);
/// The measure that is the mean of a term per row.
Measure mean_of(std::size_t rows, const std::function<double(std::size_t)>& term);

/// In ranking.cpp; the other measures are in measures.cpp.
Measure auc_measure(const Scored& scored);

/// The measure of a metric of the catalogue. Throws Error{usage} where the predictions lack what it needs,
/// and Error{data} where they are not as many as the truth.
Measure prepare(const Metric& metric, const Target& truth, const Predictions& predictions);

/// The metric of that name; of an empty one the usual metric of the target: accuracy or rmse.
Metric metric_or_default(const std::string& name, const Target& target);

/// A metric over folds, with its standard error: 0 of a single fold.
struct MeanScore {
  double mean = 0, error = 0;
};
MeanScore mean_over_folds(std::span<const double> scores);

}  // namespace mercer

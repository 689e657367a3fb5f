// How good predictions are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mercer {

struct ClassMetrics {
  std::size_t n = 0;
  double accuracy = 0;
  double balanced_accuracy = 0;           ///< the mean over the classes present of the part of their rows that is right
  std::vector<std::size_t> confusion;     ///< classes × classes: rows of class i predicted as class j
};
/// Codes are in [0, classes).
ClassMetrics class_metrics(std::span<const std::int32_t> truth, std::span<const std::int32_t> predicted, std::size_t classes);

/// The area under the ROC curve: the part of (positive, negative) pairs whose scores are in order, ties counting a half.
/// None where one of the two is missing.
std::optional<double> area_under_roc(const std::vector<bool>& positive, std::span<const double> scores);

/// −mean log of the probability given to the true class; probabilities (n × classes) are clipped at 1e-15.
double log_loss(std::span<const std::int32_t> truth, std::span<const double> probabilities, std::size_t classes);

/// How far two partitions of the rows agree, whatever the names of their parts: 1 for equal ones, 0 on average for unrelated
/// ones (Hubert & Arabie 1985).
double adjusted_rand_index(std::span<const std::int32_t> one, std::span<const std::int32_t> other);

struct OutputMetrics {
  double rmse = 0, mae = 0;
  double r2 = 0;  ///< 1 − squared error / squared deviation from the mean; of a constant truth 1 where all is right, else 0
};
/// Of several outputs the mean of each metric over them.
struct RealMetrics : OutputMetrics {
  std::size_t n = 0;                   ///< rows
  std::vector<OutputMetrics> outputs;  ///< of each alone
};
/// Both are rows × outputs, row-major.
RealMetrics real_metrics(std::span<const double> truth, std::span<const double> predicted, std::size_t outputs = 1);

/// −mean log of the normal density that a prediction with a variance gives to the truth. Truth and predictions are rows ×
/// outputs, row-major; the variances, above 0, are one per row.
double negative_log_density(std::span<const double> truth, std::span<const double> predicted, std::span<const double> variances);

}  // namespace mercer

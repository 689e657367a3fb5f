// How good predictions are.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mercer/model.hpp"

namespace MERCER_EXPORT mercer {

struct ClassMetrics {
  std::size_t n = 0;
  double accuracy = 0;
  /// The mean over the classes present of the part of their rows that is right.
  double balanced_accuracy = 0;
  std::vector<std::size_t> confusion;  ///< classes × classes: rows of class i predicted as class j
};
/// Codes are in [0, classes).
ClassMetrics class_metrics(std::span<const std::int32_t> truth, std::span<const std::int32_t> predicted,
                           std::size_t classes);

/// The area under the ROC curve: the part of (positive, negative) pairs whose scores are in order, ties
/// counting a half. None where one of the two is missing.
std::optional<double> area_under_roc(const std::vector<bool>& positive, std::span<const double> scores);

/// −mean log of the probability given to the true class; probabilities (n × classes) are clipped at 1e-15.
double log_loss(std::span<const std::int32_t> truth, std::span<const double> probabilities,
                std::size_t classes);

/// How far two partitions of the rows agree, whatever the names of their parts: 1 for equal ones, 0 on
/// average for unrelated ones (Hubert & Arabie 1985).
double adjusted_rand_index(std::span<const std::int32_t> one, std::span<const std::int32_t> other);

struct OutputMetrics {
  double rmse = 0, mae = 0;
  double r2 = 0;  ///< 1 − squared error / squared deviation from the mean; of a constant truth 1 where all is
                  ///< right, else 0
};
/// Of several outputs the mean of each metric over them.
struct RealMetrics : OutputMetrics {
  std::size_t n = 0;                   ///< rows
  std::vector<OutputMetrics> outputs;  ///< of each alone
};
/// Both are rows × outputs, row-major.
RealMetrics real_metrics(std::span<const double> truth, std::span<const double> predicted,
                         std::size_t outputs = 1);

/// −mean log of the normal density that a prediction with a variance gives to the truth. Truth and
/// predictions are rows × outputs, row-major; the variances, above 0, are one per row.
double negative_log_density(std::span<const double> truth, std::span<const double> predicted,
                            std::span<const double> variances);

/// A number that says how good predictions are.
struct Metric {
  std::string name;  ///< of a pinball loss with its level: "pinball:0.9"
  std::string_view summary;
  Task task;  ///< classification or regression
  bool larger_is_better = true;
  bool needs_probabilities = false;
  double level = 0.5;  ///< pinball: of the quantile that is predicted
};
/// Of classes:
///   accuracy, balanced_accuracy   as in ClassMetrics
///   f1_macro                      the mean of 2·hits / (rows + predictions) over the classes with either
///   f1_micro                      the same of all classes together, which is the accuracy
///   auc                           of two classes area_under_roc; of more the mean over pairs of classes that
///                                 are there: of their own decision value, or, of a score or probability per
///                                 class, of both classes' (Hand & Till 2001)
///   log_loss                      as above
///   brier                         the mean of ½ Σ (probability − 1 of the true class, 0 of others)², in
///                                 [0, 1] (Brier 1950)
///   calibration_error             Σ |right rows − their probabilities' sum| / n over 15 bins of the
///                                 predicted class's probability, equally wide on [0, 1] (Naeini et al. 2015)
/// Of numbers, the mean over the outputs:
///   rmse, mae, r2                 as in OutputMetrics
///   pinball                       the mean of level·(y − f) above the prediction f, (1 − level)·(f − y)
///                                 below it
const std::vector<Metric>& metrics();
/// "pinball:0.9" is that of the level 0.9. Throws Error{usage} with a suggestion for an unknown name.
Metric metric_named(std::string_view name);

/// The metric of the predictions of `rows` (all where empty; a row may be there several times). The
/// predictions' codes are indices into the target's labels. NaN where it is not defined: an AUC of one class,
/// anything of no rows. Throws Error{usage} where the predictions lack what the metric needs: probabilities,
/// classes or numbers.
double measure(const Metric& metric, const Target& truth, const Predictions& predictions,
               std::span<const std::size_t> rows = {});

/// What can be predicted without looking at a row: the most frequent class, with the classes' shares as
/// probabilities and equal scores, or the mean of each output; the same for each of `rows` rows.
Predictions baseline(const Target& seen, std::size_t rows);

/// A number with an interval that holds the true one in about `level` of the cases.
struct Estimate {
  double value = 0, low = 0, high = 0;
};
struct BootstrapOptions {
  std::size_t samples = 1000;
  double level = 0.95;
  std::uint64_t seed = 1;
  int threads = 0;
  Progress progress = {};
};
/// By percentiles of samples of the rows, drawn with replacement (Efron 1979). Samples in which the metric is
/// not defined are left out. The same bits for any number of threads.
Estimate bootstrap(const Metric& metric, const Target& truth, const Predictions& predictions,
                   const BootstrapOptions& options = {});
/// Of several metrics, over the same samples.
std::vector<Estimate> bootstrap(std::span<const Metric> metrics, const Target& truth,
                                const Predictions& predictions, const BootstrapOptions& options = {});

}  // namespace mercer

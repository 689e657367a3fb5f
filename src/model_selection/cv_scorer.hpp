// What candidates are worth: predictions of held-out rows of a sample, and their scores by fold.
#pragma once

#include "mercer/kernel_operator.hpp"
#include "mercer/metrics.hpp"
#include "model_selection/candidate_lines.hpp"

namespace mercer {

/// Some of the rows, laid out by class and fold, so that the rows that a fold's fit needs are a few runs of
/// K's columns.
struct Sample {
  Dataset data;                   ///< scaled, rows by class, then by fold
  std::vector<std::size_t> fold;  ///< of each row
  std::size_t folds = 0;
  std::vector<std::size_t> rows;  ///< which of the whole data each row is
};

/// `wanted` rows (all where there are not more), each class with its share, drawn from the seed. `fold`: of
/// all rows, or empty.
Sample draw_sample(const Dataset& scaled, std::size_t wanted, std::size_t folds,
                   const std::vector<std::size_t>& fold, std::uint64_t seed);

/// Predictions of the sample's rows as those of the whole data's, which it must hold.
Predictions in_order_of_data(const Sample& sample, const Predictions& predictions);

struct CvScore {
  std::vector<double> fold_scores;  ///< NaN where the metric has no value there
  Predictions predictions;          ///< of the sample's rows
  bool leave_one_out = false;       ///< each row was predicted by a fit on all others
};

class CvScorer {
 public:
  /// `single_rows`: methods that can leave out single rows in place of the folds are to.
  CvScorer(const Sample& sample, const Metric& metric, const FitOptions& options, bool single_rows)
      : sample_(sample), metric_(metric), options_(options), single_rows_(single_rows) {}

  /// One for each value of the line's path.
  std::vector<CvScore> score(const CandidateLine& line);

 private:
  const KernelOperator<float>* gram_of(const Kernel& kernel);
  std::vector<Predictions> predict(const CandidateLine& line, bool& leave_one_out);

  const Sample& sample_;
  const Metric& metric_;
  const FitOptions& options_;
  bool single_rows_;
  std::optional<KernelOperator<float>> gram_;  // of the kernel asked for last, where the memory holds it
};

}  // namespace mercer

// What settings are worth: predictions of rows left out, and their scores by fold.
#pragma once

#include "mercer/kernel_operator.hpp"
#include "mercer/metrics.hpp"
#include "model_selection/sample.hpp"
#include "model_selection/candidate_lines.hpp"

namespace mercer {

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
  CvScore scored(Predictions predictions, bool leave_one_out) const;

  const Sample& sample_;
  const Metric& metric_;
  const FitOptions& options_;
  bool single_rows_;
  std::optional<KernelOperator<float>> gram_;  // of the kernel asked for last, where the memory holds it
};

}  // namespace mercer

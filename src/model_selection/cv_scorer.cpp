#include "model_selection/cv_scorer.hpp"

#include <numeric>

#include "mercer/cross_validation.hpp"
#include "mercer/error.hpp"
#include "model/decide.hpp"
#include "model/row_weights.hpp"

namespace mercer {

const KernelOperator<float>* CvScorer::gram_of(const Kernel& kernel) {
  if (gram_ && gram_->kernel() == kernel) return &*gram_;
  gram_.reset();  // before the memory for the next is taken
  const double n = double(sample_.data.rows());
  if (n * n * sizeof(float) > double(options_.memory)) return nullptr;
  gram_.emplace(kernel, sample_.data.points,
                OperatorOptions{.storage = OperatorOptions::Storage::held,
                                .memory = options_.memory,
                                .threads = options_.threads,
                                .progress = options_.progress});
  return &*gram_;
}

std::vector<Predictions> CvScorer::predict(const CandidateLine& line, bool& leave_one_out) {
  const Dataset& data = sample_.data;
  std::vector<Predictions> predictions;
  if (!line.path.empty() && !metric_.needs_probabilities && line.kernel.resolved()) {
    const Method& method = *line.method;
    const Training training{data.points, data.target, row_weights(data, options_),
                            line.kernel, options_,    options_.tolerance.value_or(method.traits().tolerance)};
    std::vector<std::size_t> fold = sample_.fold;
    const bool single = single_rows_ && method.traits().leaves_out_single_rows;
    if (single) std::iota(fold.begin(), fold.end(), std::size_t(0));
    if (const auto held = method.hold_out(
            {training, fold, line.parameter, line.path, single ? nullptr : gram_of(line.kernel)})) {
      leave_one_out = single;
      for (const auto& scores : held->scores)
        predictions.push_back(decide(held->rule, data.target.labels.size(), held->width, scores));
      return predictions;
    }
  }
  FitOptions options = options_;
  options.probabilities = metric_.needs_probabilities;  // a model to be kept is calibrated later
  for (std::size_t v = 0; v < line.size(); ++v)
    predictions.push_back(cross_validate(line.at(v).method, line.kernel, data, sample_.fold, options));
  return predictions;
}

CvScore CvScorer::scored(Predictions predictions, bool leave_one_out) const {
  CvScore cv_score;
  cv_score.leave_one_out = leave_one_out;
  std::vector<std::vector<std::size_t>> rows(sample_.folds);
  for (std::size_t i = 0; i < sample_.fold.size(); ++i) rows[sample_.fold[i]].push_back(i);
  for (const auto& fold : rows)
    if (!fold.empty())
      cv_score.fold_scores.push_back(measure(metric_, sample_.data.target, predictions, fold));
  cv_score.predictions = std::move(predictions);
  return cv_score;
}

std::vector<CvScore> CvScorer::score(const CandidateLine& line) {
  std::vector<CvScore> scores_of_line;
  bool leave_one_out = false;
  for (Predictions& predictions : predict(line, leave_one_out))
    scores_of_line.push_back(scored(std::move(predictions), leave_one_out));
  return scores_of_line;
}

}  // namespace mercer

// Which of a model's scores an explanation is about: a score, or the difference of two (mercer/explain.hpp).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mercer/model.hpp"

namespace mercer {

struct Question {
  std::string subject, against;
  std::vector<std::pair<std::size_t, double>> scores;  ///< f = Σ factor · (output − ρ)
  double sign = 1;                                     ///< of Predictions::scores, beside output − ρ

  double score(const double* row_scores) const;  ///< f, from a row of Predictions::scores
  double constant(const Model& model) const;     ///< −Σ factor · ρ
  /// The factors of the expansion's outputs: f = Σ factor · output + constant.
  std::vector<double> outputs(const Model& model) const;
};

/// About a row of the predictions: one, or of several outputs one each.
std::vector<Question> questions(const Model& model, const Predictions& predictions, std::size_t row);

}  // namespace mercer

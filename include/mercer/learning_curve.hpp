// How good a method is after how many rows: whether more data would help, and whether it learns by heart.
#pragma once

#include <string>
#include <vector>

#include "mercer/model.hpp"

namespace MERCER_EXPORT mercer {

struct LearningCurveOptions {
  std::string metric = {};  ///< a name in metrics(); empty: accuracy of classes, rmse of numbers
  std::size_t folds = 5;
  std::vector<std::size_t> sizes = {};  ///< rows to learn from; empty: eight sizes, evenly in the logarithm
  Scaling::Kind scaling = Scaling::Kind::none;
  FitOptions fit = {};  ///< of every fit; `progress` is of the whole
};

/// Means and standard errors over the folds. Each fold is judged by models of parts of the other rows, which
/// grow by taking more rows in, each class with its share.
struct LearningCurve {
  std::string metric;
  std::vector<std::size_t> sizes;                    ///< ascending
  std::vector<double> training, training_error;      ///< of the rows learned from
  std::vector<double> validation, validation_error;  ///< of the fold left out
};

/// Throws Error{usage} for fewer than two folds, and Error{data} for sizes that the rows do not give.
LearningCurve learning_curve(const AnyMethod& method, const Kernel& kernel, const Dataset& data,
                             const LearningCurveOptions& options = {});

}  // namespace mercer

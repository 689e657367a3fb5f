// What a model answers over a rectangle in the plane of two columns.
#pragma once

#include <array>

#include "mercer/model.hpp"
#include "plot/axis.hpp"
#include "plot/viewed_columns.hpp"

namespace mercer {

/// Answers in the middle of columns × rows equal cells, the first row at the bottom.
struct AnswerPlane {
  std::size_t columns = 0, rows = 0;
  std::vector<std::int32_t> codes = {};  ///< of models with labels
  /// One number a cell: the value (the first, of several), the score of novelty, or of two classes the score
  /// that is positive for the second of them. Empty of more classes.
  std::vector<double> values = {};
  /// Of two classes with calibrated probabilities, whose boundary is elsewhere than at a score of 0:
  /// p(second) − p(first).
  std::vector<double> odds = {};
};

/// Of a row in which the two columns vary over the axes, or one column where there is no other: then one row
/// of cells. As many cells as cost little: 320 × 240, half of that to either side, or a quarter for rows of
/// thousands of columns.
AnswerPlane answers_over(const Model& model, std::span<const double> held,
                         std::span<const std::size_t> columns, const Axis& x, const Axis& y, bool sparse,
                         int threads, const Progress& progress);

/// Whether scores of ±1 are the margin: two classes, and a loss with a hinge.
bool has_margin(const Model& model);

/// The score of two classes in one number, positive for the second.
double two_class_score(const Predictions& predictions, std::size_t row);

}  // namespace mercer

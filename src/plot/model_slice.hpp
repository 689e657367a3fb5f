// A model of many columns is drawn over one or two of them: those that move its prediction most, the others
// held where the data usually are. This finds the columns, and what the model predicts over their plane.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "mercer/model.hpp"
#include "plot/axis.hpp"

namespace mercer {

/// For each column of the points whether it is one of the 0/1 columns of a categorical column.
std::vector<bool> indicator_columns(const Schema& schema, std::size_t columns);

/// A row in the middle of the data: the median of each column, and the most frequent category of each
/// categorical one. Of large data a sample stands for them.
std::vector<double> middle_row(const Points& points, const Schema& schema);

/// How far each column moves the model's prediction: the mean over a sample of rows of |∂score/∂x_j|, summed
/// over the scores, times the standard deviation of the column. Central differences, a hundredth of the
/// standard deviation to either side. Of more than 256 columns (fewer, of rows of thousands), those that the
/// model scales to the smallest spread are taken not to move it.
std::vector<double> column_effects(const Model& model, const Points& points, int threads = 0);

/// The `count` columns to show, or all where there are no more: those with the largest effects in descending
/// order, columns of numbers before the 0/1 columns of categories.
std::vector<std::size_t> most_effective_columns(const Model& model, const Points& points, std::size_t count,
                                                int threads = 0);

/// The columns with these names, or numbers counted from 1. Throws Error{usage} for a column that is not
/// there, one that is named twice, and more than `most` of them.
std::vector<std::size_t> columns_named(const Points& points, std::span<const std::string> names,
                                       std::size_t most);

/// Rows, dense or sparse, in which the columns `changed` take the values of `grid` (rows × changed,
/// row-major) and the others those of `held`.
Points varied_rows(std::span<const double> held, std::span<const std::size_t> changed,
                   std::span<const double> grid, bool sparse);

/// Predictions in the middle of columns × rows equal cells, the first row at the bottom.
struct PredictionPlane {
  std::size_t columns = 0, rows = 0;
  std::vector<std::int32_t> codes = {};  ///< of models with labels
  /// One number a cell: the value (the first, of several), the score of novelty, or of two classes the score
  /// that is positive for the second of them. Empty of more classes.
  std::vector<double> values = {};
  /// Of two classes with smooth probabilities, whose boundary may be elsewhere than at a score of 0:
  /// p(second) − p(first).
  std::vector<double> odds = {};
};

/// Of a row in which the two columns vary over the axes, or one column where there is no other: then one row
/// of cells. As many cells as cost little: 320 × 240, half of that to either side, or a quarter for rows of
/// thousands of columns.
PredictionPlane predictions_over(const Model& model, std::span<const double> held,
                                 std::span<const std::size_t> columns, const Axis& x, const Axis& y,
                                 bool sparse, int threads, const Progress& progress);

/// Whether scores of ±1 are the margin: two classes, and a loss with a hinge.
bool has_margin(const Model& model);

/// The score of two classes in one number, positive for the second.
double two_class_score(const Predictions& predictions, std::size_t row);

}  // namespace mercer

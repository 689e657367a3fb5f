// A model of many columns is drawn over one or two of them: those that move its answer most, the others held
// where the data usually are.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "mercer/model.hpp"

namespace mercer {

/// For each column of the points whether it is one of the 0/1 columns of a categorical column.
std::vector<bool> indicator_columns(const Schema& schema, std::size_t columns);

/// A row in the middle of the data: the median of each column, and the most frequent category of each
/// categorical one. Of large data a sample stands for them.
std::vector<double> middle_row(const Points& points, const Schema& schema);

/// How far each column moves the model's answer: the mean over a sample of rows of |∂score/∂x_j|, summed over
/// the scores, times the standard deviation of the column. Central differences, a hundredth of the standard
/// deviation to either side. Of more than 256 columns (fewer, of rows of thousands), those that the model
/// scales to the smallest spread are taken not to move it.
std::vector<double> column_effects(const Model& model, const Points& points, int threads = 0);

/// The `count` columns to show, or all where there are no more: those with the largest effects in descending
/// order, columns of numbers before the 0/1 columns of categories.
std::vector<std::size_t> most_effective_columns(const Model& model, const Points& points, std::size_t count,
                                                int threads = 0);

/// The columns with these names, or numbers counted from 1. Throws Error{usage} for a column that is not
/// there, one that is named twice, and more than `most` of them.
std::vector<std::size_t> columns_named(const Points& points, std::span<const std::string> names,
                                       std::size_t most);

/// Where the columns `changed` take the values of `grid` (rows × changed, row-major) and the others those of
/// `held`.
struct VariedRows {
  std::span<const double> held;
  std::span<const std::size_t> changed;
  std::span<const double> grid;
  bool sparse = false;  ///< how the rows are to be stored

  std::size_t rows() const noexcept { return changed.empty() ? 0 : grid.size() / changed.size(); }
  Points points(std::size_t begin, std::size_t end) const;
};

}  // namespace mercer

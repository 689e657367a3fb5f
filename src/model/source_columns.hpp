// The columns of the table that a model's points were made from: a number each, or a category in several 0/1
// columns.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mercer/model.hpp"

namespace mercer {

struct SourceColumn {
  std::string name;
  std::size_t begin = 0;                     ///< its first column among the points
  std::vector<std::string> categories = {};  ///< one column each; empty: a number
  bool dates = false;                        ///< numbers that are days since 1970-01-01
  std::size_t count() const noexcept { return categories.empty() ? 1 : categories.size(); }
};

std::vector<SourceColumn> source_columns(const Model& model);

/// The number, the date or the category of a row that is not scaled.
std::string value_text(const SourceColumn& column, std::span<const double> row);

/// A row as it was before scaling.
std::vector<double> unscaled(const Scaling& scaling, std::vector<double> row);

}  // namespace mercer

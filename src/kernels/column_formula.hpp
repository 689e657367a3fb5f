// Formulas over the columns of a row: x1^2 + x2^2, exp(-age/10), max(0, income - 1000). They give the maps φ
// and weights f of the algebra (rules A6 and A7) without a program.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/arithmetic.hpp"
#include "mercer/points.hpp"
#include "mercer/row_algebra.hpp"

namespace mercer {

/// A list of them.
class ColumnFormulas {
 public:
  /// "[x1, x1^2 + x2^2]". Throws Error{usage} that quotes the place.
  static ColumnFormulas parse(std::string_view text);
  static ColumnFormulas column(const std::string& name);

  /// "[x1, x1^2 + x2^2]", so that parse() gives the same.
  std::string text() const;
  std::size_t size() const noexcept { return formulas_.size(); }
  /// One column for each formula, named by it; numbers may be infinite or NaN where a formula has no value.
  /// Throws Error{usage} for a column that is not there or holds no numbers.
  Points apply(const Points& points) const;
  std::vector<double> values(const Points& points) const;  ///< of all formulas, row by row
  /// The same, written down; `like`: points with the same columns.
  RowAlgebra::Id write(RowAlgebra& algebra, RowAlgebra::Id x, const Points& like) const;

 private:
  std::vector<std::size_t> places(const Points& points) const;  // of the columns

  std::vector<Arithmetic> formulas_;
  std::vector<std::string> columns_;
};

}  // namespace mercer

// Formulas over the columns of a row: x1^2 + x2^2, exp(-age/10), max(0, income - 1000). They give the maps φ
// and weights f of the algebra (rules A6 and A7) without a program:
//   sum   := product { (+|-) product }        product := sign { (*|/) sign }
//   sign  := - sign | power                   power   := atom [ ^ sign ]
//   atom  := number | column | "a column" | @ column | function ( sum, … ) | ( sum )
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "mercer/points.hpp"

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

 private:
  /// A step of a stack machine over blocks of rows.
  struct Step {
    enum class Kind { number, column, negate, add, subtract, multiply, divide, power, call } kind;
    double number = 0;
    std::size_t which = 0;  // of the columns, or of the functions
  };
  struct One {
    std::string text;
    std::vector<Step> steps;
    std::size_t depth = 0;  // of the stack
  };
  friend class FormulaParser;

  std::vector<One> formulas_;
  std::vector<std::string> columns_;
};

}  // namespace mercer

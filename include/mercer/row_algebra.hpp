// How a map of rows is written down for other programs (mercer/onnx.hpp): as operations on whole tables, one
// row for each row of the data, which are named by number.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

class RowAlgebra {
 public:
  using Id = int;
  enum class Function { negate, abs, cos, exp, log, round, sin, sqrt, tanh, is_zero };
  enum class Operation { add, subtract, multiply, divide, power, max, min };

  virtual ~RowAlgebra() = default;
  virtual std::size_t width(Id table) const = 0;  ///< its columns
  virtual Id number(double value) = 0;            ///< one column, the same in every row
  virtual Id columns(Id table, std::span<const std::size_t> chosen) = 0;  ///< in the order given
  virtual Id join(std::span<const Id> tables) = 0;                        ///< side by side
  virtual Id sum(Id table) = 0;  ///< of the columns of each row: one column
  /// Each column times its number.
  virtual Id scale(Id table, std::span<const double> by) = 0;
  /// x ↦ (rowᵀx) for each of the rows, which have a number for each column of the table.
  virtual Id multiply(Id table, const std::vector<std::vector<double>>& rows) = 0;
  virtual Id apply(Function function, Id table) = 0;  ///< to each number
  /// Number by number; a table of one column goes with each column of the other.
  virtual Id apply(Operation operation, Id a, Id b) = 0;
};

}  // namespace mercer

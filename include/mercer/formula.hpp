// A kernel's formula is written once, as ordinary C++ arithmetic on a Symbol, and traced into a short list of
// operations. The list is what everything else works on: the SIMD loops run it over a tile while the tile is
// in cache, equal operations are kept once, and a sum of five kernels becomes one list.
#pragma once

#include <cstdint>
#include <vector>

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

class Symbol;

class Formula {
 public:
  enum class Code : std::uint8_t {
    statistic,     ///< a pairwise statistic of (x, z), by number
    row_value,     ///< a number that belongs to x, by number
    column_value,  ///< a number that belongs to z, by number
    constant,      ///< p
    add,
    subtract,
    multiply,
    divide,
    minimum,
    maximum,
    affine,      ///< p·a + q
    exp_affine,  ///< exp(p·a + q)
    log,
    sqrt,
    tanh,
    acos,     ///< of a cosine that was computed: what is within rounding of ±1, or beyond, is ±1
    bessel,   ///< 2^(1−p)/Γ(p) · aᵖ K_p(a) with 0 < p ≤ 2, which is 1 at a = 0; a ≥ 0
    is_zero,  ///< 1 where a = 0, else 0
    /// max(0, u + v − 2a): a = xᵀz as a statistic, u = ‖x‖² and v = ‖z‖² as row and column values
    squared_distance,
  };
  struct Operation {
    Code code;
    std::int32_t a = -1, b = -1;  ///< operands: earlier operations; for inputs a is the input's number
    double p = 0, q = 0;
    bool operator==(const Operation&) const = default;
    bool is_input() const noexcept { return code <= Code::constant; }
    bool has_second_operand() const noexcept { return code >= Code::add && code <= Code::maximum; }
  };

  Formula() = default;
  /// From a list whose last operation is the result; what it does not need is removed.
  explicit Formula(std::vector<Operation> operations);

  Symbol statistic(std::int32_t number);
  Symbol row_value(std::int32_t number);
  Symbol column_value(std::int32_t number);
  /// The squared distance from the dot product in statistic `product` and the squared norms in row and column
  /// value `norm`.
  Symbol squared_distance(std::int32_t product, std::int32_t norm);

  /// Ends the trace: `result` becomes the last operation and what it does not need is removed.
  void finish(Symbol result);
  const std::vector<Operation>& operations() const noexcept { return operations_; }

 private:
  friend class Symbol;
  std::int32_t add(Operation operation);  ///< an equal operation that is already there is used again

  void prune(std::int32_t last);

  std::vector<Operation> operations_;
};

/// A number that is not known yet. Arithmetic on it is recorded in its Formula.
class Symbol {
 public:
  Symbol(double constant) : constant_(constant) {}

  friend Symbol operator+(Symbol a, Symbol b);
  friend Symbol operator-(Symbol a, Symbol b);
  friend Symbol operator*(Symbol a, Symbol b);
  friend Symbol operator/(Symbol a, Symbol b);
  friend Symbol operator-(Symbol a);
  friend Symbol exp(Symbol a);
  friend Symbol log(Symbol a);
  friend Symbol sqrt(Symbol a);
  friend Symbol tanh(Symbol a);
  friend Symbol acos(Symbol a);  ///< in [0, π]; a within rounding of ±1, or beyond, is ±1
  friend Symbol bessel(Symbol a,
                       double order);  ///< 2^(1−order)/Γ(order) · a^order K_order(a), order in (0, 2]
  friend Symbol min(Symbol a, Symbol b);
  friend Symbol max(Symbol a, Symbol b);
  friend Symbol abs(Symbol a);
  friend Symbol is_zero(Symbol a);               ///< 1 where a = 0, else 0
  friend Symbol inverse_root(Symbol a);          ///< 1/√a, 0 where a = 0
  friend Symbol pow(Symbol a, double exponent);  ///< a > 0 unless the exponent is a whole number
  friend Symbol pow(Symbol a, int exponent);

 private:
  friend class Formula;
  using Code = Formula::Code;
  Symbol(Formula* formula, std::int32_t index) : formula_(formula), index_(index) {}
  bool known() const noexcept { return formula_ == nullptr; }
  static Symbol affine(Symbol a, double p, double q);
  static Symbol exp_affine(Symbol a);
  static Symbol record(Code code, Symbol a, Symbol b);
  static Symbol record(Code code, Symbol a);
  static Symbol record_with_number(Code code, Symbol a, double p);

  Formula* formula_ = nullptr;  ///< null: a constant
  std::int32_t index_ = -1;
  double constant_ = 0;
};

}  // namespace mercer

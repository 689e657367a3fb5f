// What comes near (S K S + cI)⁻¹: exact, or good enough to make conjugate gradients converge in few steps.
#pragma once

#include <span>
#include <string>

#include "solvers/row_factors.hpp"

namespace mercer {

class Inverse {
 public:
  virtual ~Inverse() = default;
  /// For S (n non-negative numbers, or none for ones) and c; what was made for the same S and c before is
  /// kept. False where it cannot be made: the matrix is singular to the precision that is used.
  virtual bool prepare(std::span<const double> s, double c) = 0;
  /// For rows with several outputs, after the first prepare() was called with what the factors are on
  /// average. False where only that can be had.
  virtual bool prepare(const RowFactors&, double /* c */) { return false; }
  /// out ≈ (S K S + cI)⁻¹ V; n × k, row-major.
  virtual void apply(std::span<const double> V, std::size_t k, std::span<double> out) const = 0;
  /// What it is, in words that follow "by" or "with".
  virtual std::string words() const = 0;
};

}  // namespace mercer

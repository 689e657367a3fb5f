// What comes near (S K S + cI)⁻¹: exact, or good enough to make conjugate gradients converge in few steps.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace mercer {

/// What stands on both sides of K where a row has several outputs: Bᵢ = diag(sᵢ)(I − uᵢuᵢᵀ) for each row, a
/// matrix over its outputs. Arrays are n × outputs × m, row-major, m being the number of right-hand sides.
struct RowFactors {
  RowFactors(std::span<const double> diagonals, std::span<const double> directions, std::size_t count)
      : s(diagonals), u(directions), outputs(count) {}
  std::span<const double> s, u;  // n × outputs each
  std::size_t outputs;

  void apply(std::span<double> V, std::size_t m) const;             ///< V = B V
  void apply_transposed(std::span<double> V, std::size_t m) const;  ///< V = Bᵀ V
};

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

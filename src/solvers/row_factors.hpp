// The curvature of a loss of several outputs, as what stands on both sides of K.
#pragma once

#include <cstddef>
#include <span>

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

}  // namespace mercer

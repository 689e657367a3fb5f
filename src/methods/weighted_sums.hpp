// Σᵢ V[i, c]·k(xᵢ, x) for a kernel that is a weight, k ≥ 0: what kernel regression divides by each other.
#pragma once

#include <optional>
#include <span>

#include "mercer/kernel.hpp"
#include "mercer/progress.hpp"

namespace mercer {

struct WeightedSums {
  const Kernel& kernel;
  const Points& points;
  std::span<const double> V;  ///< points.rows() × width, row-major; the last column is ≥ 0
  std::size_t width;

  /// out (at.rows() × width, row-major). `own`: `at` are points from that one on, and each takes no part in
  /// its own sum. Throws Error{data} that names the rows where the kernel is negative. Of many rows and a
  /// bounded radial kernel the weights are computed in float32 where they agree with float64, and summed in
  /// float64: the relative error is then about 1e-6.
  void operator()(const Points& at, std::optional<std::size_t> own, std::span<double> out, int threads,
                  const Progress& progress) const;
};

/// Throws Error{data} where a weight of `tile` is negative (−0 is not): entry e lies between row first_row +
/// e / stride and training row first_column + e % stride.
template <class T>
void check_weights(const Kernel& kernel, std::span<const T> tile, std::size_t stride, std::size_t first_row,
                   std::size_t first_column);

}  // namespace mercer

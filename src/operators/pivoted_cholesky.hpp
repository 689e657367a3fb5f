// K ≈ F Fᵀ from few columns of a positive semidefinite K: partial Cholesky with random pivots.
//
//   repeat: draw pivots with probability ∝ the diagonal of what is left, K − F Fᵀ;
//           take their columns; eliminate.
//
// Chen, Epperly, Tropp & Webber 2023. Pivots are drawn in blocks; a proposal is then accepted with the
// probability that is left of it after those accepted before it (rejection sampling, Epperly, Tropp & Webber
// 2024), so that the pivots are distributed as if drawn one by one while the work is in matrix products.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "mercer/kernel_operator.hpp"

namespace mercer {

template <class T>  // float or double
struct PivotedCholesky {
  std::vector<std::size_t> pivots;
  std::size_t n = 0, rank = 0;
  Buffer<T> factor;  // rank × n, row-major: row r is column r of F (the buffer may be longer)
  double trace = 0, trace_left = 0;  // of K and of K − F Fᵀ
};

struct PivotedOptions {
  std::size_t rank = 0;  ///< at most
  double stop = 0;       ///< ends where trace_left ≤ stop · trace
  std::uint64_t seed = 1;
  bool greedy = false;  ///< the largest of what is left (to a factor of two) in place of random pivots
  Progress progress = {};
  int threads = 0;
  /// Asked after every block with the rank and the trace left; true ends the work.
  std::function<bool(std::size_t rank, double trace_left)> enough = {};
};

/// Ends early where only rounding is left. The same bits for any number of threads.
template <class T>
PivotedCholesky<T> pivoted_cholesky(const KernelOperator<T>& K, const PivotedOptions& options);

}  // namespace mercer

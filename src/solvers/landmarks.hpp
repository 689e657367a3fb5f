// Which rows stand for all in a Nyström map.
//   pivoted    randomly pivoted Cholesky: each with a probability in proportion to what those before leave of
//              k(x, x); near the best rank-m approximation of K in expectation               Chen et al. 2024
//   uniform    each row with the same probability, without replacement                 Williams & Seeger 2000
//   spread     k-means++ in feature space: each in proportion to the squared distance to its nearest
//              landmark, from kernels alone, ‖φ(x) − φ(z)‖² = k(x, x) − 2k(x, z) + k(z, z)
//                                                                                 Arthur & Vassilvitskii 2007
#pragma once

#include <cstdint>
#include <vector>

#include "mercer/kernel_operator.hpp"

namespace mercer {

enum class LandmarkRule { pivoted, uniform, spread };

struct LandmarkOptions {
  std::size_t count = 1;  ///< at most as many are chosen; fewer where no row differs from those chosen
  std::uint64_t seed = 1;
  int threads = 0;
  Progress progress = {};
};

struct Landmarks {
  std::vector<std::size_t> rows;
  double trace_left = -1;  ///< Σ left out / Σ k(x, x) where the rule finds it on its way (pivoted), else −1
};

Landmarks choose_landmarks(LandmarkRule rule, const KernelOperator<double>& K,
                           const LandmarkOptions& options);

}  // namespace mercer

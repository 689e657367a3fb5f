// Nyström features: φ(x) = M k(Z, x) with landmarks Z and M = L⁻¹ from K_ZZ = LLᵀ, or, where K_ZZ is nearly
// singular, M = Λ^(−½)Uᵀ from K_ZZ = UΛUᵀ, so that
//   φ(x)ᵀφ(z) = k(x, Z) K_ZZ⁺ k(Z, z),
// the inner product of the projections of x and z onto the span of the landmarks in feature space: exact for
// landmarks, and ‖φ(x)‖² ≤ k(x, x) everywhere.                                         Williams & Seeger 2000
// Directions with λ ≤ m·ε·λ₁, which are rounding, are left out: K_ZZ of any rank needs no more diagonal.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "mercer/kernel_operator.hpp"
#include "operators/row_map.hpp"

namespace mercer {

/// M, features × landmarks, row-major. Error{usage} where K_ZZ has an eigenvalue clearly below 0.
std::vector<double> nystrom_matrix(const Kernel& kernel, const Points& landmarks, int threads);

std::unique_ptr<const DenseMap> nystrom_map(const Kernel& kernel, const Points& landmarks,
                                            std::vector<double> matrix);

/// Error{usage} for kernels that some of the rows cannot stand for: center(k) and precomputed need them all.
void check_for_landmarks(const Kernel& kernel);

/// Which rows stand for all in a Nyström map.
///   pivoted    randomly pivoted Cholesky: each with a probability in proportion to what those before leave
///   of
///              k(x, x); near the best rank-m approximation of K in expectation               Chen et al.
///              2024
///   uniform    each row with the same probability, without replacement                 Williams & Seeger
///   2000 spread     k-means++ in feature space: each in proportion to the squared distance to its nearest
///              landmark, from kernels alone, ‖φ(x) − φ(z)‖² = k(x, x) − 2k(x, z) + k(z, z)
///                                                                                 Arthur & Vassilvitskii
///                                                                                 2007
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

template <class T>  // float or double
Landmarks choose_landmarks(LandmarkRule rule, const KernelOperator<T>& K, const LandmarkOptions& options);

}  // namespace mercer

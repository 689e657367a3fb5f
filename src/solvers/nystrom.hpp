// Nyström features: φ(x) = M k(Z, x) with landmarks Z and M = Λ^(−½)Uᵀ from K_ZZ = UΛUᵀ, so that
//   φ(x)ᵀφ(z) = k(x, Z) K_ZZ⁺ k(Z, z),
// the inner product of the projections of x and z onto the span of the landmarks in feature space: exact for
// landmarks, and ‖φ(x)‖² ≤ k(x, x) everywhere.                                         Williams & Seeger 2000
// Directions with λ ≤ m·ε·λ₁, which are rounding, are left out: K_ZZ may have any rank and nothing is added
// to its diagonal.
#pragma once

#include <memory>

#include "operators/row_map.hpp"

namespace mercer {

/// M, features × landmarks, row-major. Error{usage} where K_ZZ has an eigenvalue clearly below 0: k is not
/// positive semidefinite.
std::vector<double> nystrom_matrix(const Kernel& kernel, const Points& landmarks, int threads);

std::unique_ptr<const DenseMap> nystrom_map(const Kernel& kernel, const Points& landmarks,
                                            std::vector<double> matrix);

/// Error{usage} for kernels that some of the rows cannot stand for: center(k) and precomputed need them all.
void check_for_landmarks(const Kernel& kernel);

}  // namespace mercer

// Geometry in feature space by kernels alone: φ is never formed.
#pragma once

#include <vector>

#include "mercer/kernel_operator.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, x) of each of x; what center(k) subtracts comes from the reference.
std::vector<double> self_similarities(const Kernel& kernel, const Points& x, const Points& reference);

/// out[i · cols + j] = ‖φ(xᵢ) − φ(zⱼ)‖² = k(x,x) − 2k(x,z) + k(z,z), at least 0.
std::vector<double> squared_distances(const Kernel& kernel, const Points& x, const Points& z,
                                      const OperatorOptions& options = {});

/// The angle between φ(xᵢ) and φ(zⱼ) in radians, from 0 to π. Throws Error{data} for a point with φ = 0,
/// which has no direction.
std::vector<double> angles(const Kernel& kernel, const Points& x, const Points& z,
                           const OperatorOptions& options = {});

/// μ(xᵢ) = mean of k(xᵢ, r) over the reference points: the value at xᵢ of the function that stands for them
/// all (their mean embedding).
std::vector<double> mean_embedding(const Kernel& kernel, const Points& x, const Points& reference,
                                   const OperatorOptions& options = {});

/// ‖φ(xᵢ) − mean of φ(r) over the reference points‖², from three sums of kernels.
std::vector<double> squared_distances_to_mean(const Kernel& kernel, const Points& x, const Points& reference,
                                              const OperatorOptions& options = {});

}  // namespace mercer

// The steps of spectral clustering (spectral.cpp) around the eigenvectors, which may come from several ranks.
#pragma once

#include "methods/rows.hpp"
#include "solvers/kernel_eigen.hpp"

namespace mercer {

struct AffinityRows {
  const Kernel& kernel;
  const Points& points;
  std::span<const double> weights;       ///< one per point
  std::span<const std::size_t> numbers;  ///< of the data's rows, for messages
};

/// dᵢ = Σⱼ wⱼ k(xᵢ, xⱼ) of the points of `part`. Throws Error{data} for an affinity below 0 and for a row
/// without any.
std::vector<double> affinity_degrees(const AffinityRows& rows, Range part, int threads,
                                     const Progress& progress);

/// The model: clusters of the rows' places in the k leading eigenvectors of D^(−½) K D^(−½), which are of all
/// rows, as are the degrees `d`.
Fitted cluster_places(const Training& training, const Rows& rows, std::size_t k, std::size_t starts,
                      std::span<const double> d, const KernelEigen& eigen);

}  // namespace mercer

// The kernels that an automatic fit tries on columns of objects: what the field takes for each domain, with a
// few values of the numbers that matter most.
#pragma once

#include <vector>

#include "mercer/kernel.hpp"

namespace mercer {

/// Kernels over all columns: of one column of objects alone its own; of several, or beside numbers, sums of
/// one for each, with rbf(gamma=scale) for the numbers.
std::vector<Kernel> kernels_for_objects(const Points& points);

}  // namespace mercer

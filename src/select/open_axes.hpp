// The numbers of a kernel that its writer left open, `auto` and `median`, as axes of a search.
#pragma once

#include <span>

#include "mercer/tune.hpp"

namespace mercer {

/// An axis for each open number, by its name in numeric_parameters() of the kernel resolved on the points: what belongs to each of
/// these multiples of the length that the word stands for (gamma = γ/m², lambda = λ/m, length = m·ℓ).
std::vector<GridAxis> open_axes(const Kernel& kernel, const Points& points, std::span<const double> multiples);

}  // namespace mercer

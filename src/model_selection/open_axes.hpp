// The numbers of a kernel that its writer left open, `scale`, `auto` and `median`, as axes of a search.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "mercer/tune.hpp"

namespace mercer {

/// What axes call each number of a resolved kernel, in the order of numeric_parameters(): its name there,
/// with the leaf in front where the method has a parameter of that name too ("manhattan.lambda" beside
/// ridge's lambda).
std::vector<std::string> axis_names(const Kernel& kernel, const Method& method);

/// An axis for each open number, by its name in axis_names(): what belongs to each of these multiples of the
/// length that the word stands for (gamma = γ/m², lambda = λ/m, length = m·ℓ).
std::vector<GridAxis> open_axes(const Kernel& kernel, const Method& method, const Points& points,
                                std::span<const double> multiples);

}  // namespace mercer

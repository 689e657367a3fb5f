// Lines of equal value of a function given on a grid: marching squares (Lorensen & Cline 1987, in the plane).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "plot/clip.hpp"

namespace mercer {

/// The lines along which the function, linear between neighbouring nodes, has the value `level`. `x` and `y`
/// ascend; `values` is y × x, row-major. A closed line ends where it begins. Cells with a value that is not
/// finite have no line.
std::vector<std::vector<Place>> contour_lines(std::span<const double> x, std::span<const double> y,
                                              std::span<const double> values, double level);

}  // namespace mercer

// Whether columns are so unlike each other that a kernel sees the widest alone, and a fit hardly ends.
#pragma once

#include <optional>

#include "mercer/error.hpp"
#include "mercer/points.hpp"

namespace mercer {

/// Advice to scale the columns: where their ranges differ by a factor of a hundred, or, where the fit has
/// trouble already, by ten, or a column lies a hundred times its range away from 0. None otherwise, and for
/// points without columns.
std::optional<Note> scaling_advice(const Points& points, bool in_trouble);

}  // namespace mercer

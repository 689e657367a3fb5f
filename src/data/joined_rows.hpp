// The rows of two sets of points, one below the other.
#pragma once

#include "mercer/points.hpp"

namespace mercer {

/// Storage and names are those of the first, in float64 where either is. Throws Error{data} where they have
/// other columns, or other objects.
Points joined_rows(const Points& first, const Points& second);

}  // namespace mercer

// The kernel of a fit that names none, and one to try next, which fit the data: what compares numbers cannot
// compare texts or graphs.
#pragma once

#include "mercer/kernel.hpp"

namespace MERCER_EXPORT mercer {

/// rbf(gamma=scale) for numbers; for columns of objects the usual kernel of their domain, and a sum of one
/// for each of several columns.
Kernel default_kernel(const Points& points);

/// An example of a kernel that an automatic fit does not try: a sum of two kernels for these rows.
Kernel example_kernel(const Points& points);

}  // namespace mercer

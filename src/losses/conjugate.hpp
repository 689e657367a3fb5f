// What the convex conjugates L*(y, a) = sup over f of a·f − L(y, f) have in common.
#pragma once

#include <cmath>
#include <limits>

namespace mercer {

/// L* where a lies outside its domain: the supremum is not bounded.
inline constexpr double outside_domain = std::numeric_limits<double>::infinity();

/// x·log x, with its limit 0 at 0.
inline double x_log_x(double x) noexcept { return x > 0 ? x * std::log(x) : 0; }

}  // namespace mercer

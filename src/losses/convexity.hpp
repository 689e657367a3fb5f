// Whether a loss that somebody gave is what it must be: finite, convex in f, with the derivative that belongs
// to its value. Looked at on samples: what is found is a counterexample, what is not found proves nothing.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "mercer/loss.hpp"

namespace mercer {

/// Throws Error{usage} with the place where the loss or its derivative is not finite, or the derivative is
/// another than the value's differences. `y`: targets as the loss takes them.
void check_derivative(const Loss& loss, std::span<const double> y);

/// "at y = 1 the slope falls from 0.8 at f = 0.5 to 0.3 at f = 1", or none.
std::optional<std::string> find_nonconvexity(const Loss& loss, std::span<const double> y);

}  // namespace mercer

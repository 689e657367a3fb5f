// How long work tells its caller how far it is, and how the caller stops it.
#pragma once

#include <functional>
#include <string_view>

namespace mercer {

/// Called with the fraction done, in [0, 1], from a thread that does the work, never from two at a time.
/// Returning false stops the work at the next safe point with Error{cancelled}. An empty function means:
/// silent, never stopped.
using Progress = std::function<bool(std::string_view what, double fraction)>;

}  // namespace mercer

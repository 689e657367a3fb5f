// The candidates of a search space: the product of its axes, in lines along the parameter whose path costs
// little.
#pragma once

#include "mercer/tune.hpp"

namespace mercer {

/// Candidates that differ in the value of one of the method's paths() alone.
struct CandidateLine {
  std::size_t space = 0;
  AnyMethod method;            ///< with the values of its other axes
  Kernel kernel;               ///< resolved, with the values of its axes; with mkl(…) as it is
  std::vector<double> values;  ///< of the axes of the space; that of the path is set by at()
  std::string parameter = {};  ///< the path's; empty where the method has none
  std::optional<std::size_t> path_axis = {};
  /// Ascending; one value where the path is no axis, none where the method has no path.
  std::vector<double> path = {};

  std::size_t size() const noexcept { return path.empty() ? 1 : path.size(); }
  /// The candidate number v, not yet scored.
  Trial at(std::size_t v) const;
};

/// The lines of all spaces. `points`: what the kernels' `scale`, `auto` and `median` are resolved on. Throws
/// Error{usage} for an axis whose parameter neither the method nor the kernel has, and for values that it
/// cannot take.
std::vector<CandidateLine> candidate_lines(const std::vector<SearchSpace>& spaces, const Points& points);

}  // namespace mercer

// The maximum of a smooth function of a few numbers, each within bounds, from values and gradients.
//
// search: BFGS with a line search (Nocedal & Wright 2006, alg. 6.1 and section 3.1), which needs no idea of
// the scale of the
//         function; its first step has length 1 at most, so that it climbs the hill on which it begins.
// climb:  quasi-Newton steps t ← t + B⁻¹g from a curvature B ≈ −∂²f that is already about right, updated by
// BFGS
//         (Nocedal & Wright 2006, alg. 6.1). It ends when the next step promises less than `gain`, ½ gᵀB⁻¹g.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "mercer/progress.hpp"

namespace mercer {

/// The value at t; fills the gradient. None where there is no value: such a point is never the maximum.
using SmoothFunction =
    std::function<std::optional<double>(std::span<const double> t, std::span<double> gradient)>;

struct Box {
  std::vector<double> low, high;  ///< where they are the same, the variable stays
};

struct Maximum {
  std::vector<double> at, gradient;  ///< empty where there was no value at the start
  double value = 0;
  std::size_t evaluations = 0;
  bool found = false;  ///< otherwise the evaluations were over, or it was told to stop
};

struct MaximiseOptions {
  double gain = 1e-5;  ///< of a step; less is not worth one
  std::size_t most_evaluations = 300;
  /// Maxima of the same function that were found before. search() ends, not found, once it stands close to
  /// one and not above it: it would climb the same hill.
  std::span<const Maximum> known = {};
  Progress progress = {};  ///< told before each evaluation; may end the work with what there is
};

Maximum search(const SmoothFunction& f, const Box& box, std::span<const double> start,
               const MaximiseOptions& options);
Maximum climb(const SmoothFunction& f, const Box& box, std::span<const double> start, std::vector<double> B,
              const MaximiseOptions& options);

/// −∂²f (k × k, made positive definite) at a maximum, by differences of gradients: k evaluations.
std::vector<double> curvature_at(const SmoothFunction& f, const Box& box, const Maximum& maximum);

}  // namespace mercer

// Functions that ONNX, or ONNX Runtime in float64, has not: written with those that it has.
#pragma once

#include <functional>

#include "model/onnx_graph.hpp"

namespace mercer::onnx {

/// The angle of a cosine that was computed, as angle_of() (kernels/special_functions.hpp).
Name arc_cosine(Graph& g, const Name& cosine);
/// 2/√π ∫₀ˣ e^(−t²) dt
Name error_function(Graph& g, const Name& x);
/// 2^(1−ν)/Γ(ν) · t^ν K_ν(t), as matern_value() (kernels/special_functions.hpp); t ≥ 0.
Name matern_function(Graph& g, double nu, const Name& t);
/// exp(x); `flushed`: 0 in place of numbers below the smallest normal one, as tiles of K have it.
Name exponential(Graph& g, const Name& x, bool flushed);

/// Runs `body` for each i = 0, …, count − 1: it takes the graph of the loop, i and the states, and gives the
/// states after. Returns the last ones.
std::vector<Name> repeat(
    Graph& g, std::int64_t count, std::vector<Name> states,
    const std::function<std::vector<Name>(Graph&, const Name& i, const std::vector<Name>&)>& body);

}  // namespace mercer::onnx

// What a method computes at new rows, before its rule, as nodes: Method::evaluate().
#pragma once

#include "mercer/model.hpp"
#include "model/onnx_tables.hpp"

namespace mercer::onnx {

/// The sums of an expansion at the rows of x: rows × outputs.
Name expansion_sums(Graph& g, const Expansion& e, const Table& x);

/// rows × outputs. `x`: rows as the method sees them, scaled and through the model's map. Error{unsupported}
/// where the method has no form in ONNX.
Name method_outputs(Graph& g, const Model& model, const Table& x);

}  // namespace mercer::onnx

// From the outputs of a method to predictions, as nodes: the rules of mercer/fit.hpp and the calibration.
#pragma once

#include "mercer/model.hpp"
#include "model/onnx_graph.hpp"

namespace mercer::onnx {

/// Adds the outputs of the graph: label and scores (and probabilities, where the model has them), or
/// prediction, or components. `outputs`: rows × outputs of the expansion. `element`: of the numbers given
/// out.
void write_decision(Graph& g, const Model& model, const Name& outputs, Element element);

}  // namespace mercer::onnx

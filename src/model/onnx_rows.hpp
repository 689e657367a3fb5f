// The inputs of the graph, and how they become the rows that the model was fitted to.
#pragma once

#include "mercer/model.hpp"
#include "model/onnx_tables.hpp"

namespace mercer::onnx {

struct RowInputs {
  Table rows;                                    ///< encoded and scaled
  std::vector<std::string> numbers, categories;  ///< the columns of X and of categories, in their order
};

/// Declares the inputs X and, where there are columns of texts, categories.
RowInputs write_rows(Graph& g, const Model& model, Element element);

}  // namespace mercer::onnx

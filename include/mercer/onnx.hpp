// Models as ONNX graphs, for ONNX Runtime and other programs: scaling, categories, missing values, kernel,
// votes and probabilities are nodes of the graph, in float64.
//   inputs   X            double, N × columns of numbers; NaN: missing, where the model knows the columns'
//   means
//            categories   string, N × columns of texts, where there are any
//   outputs  label (int64 or string, N), scores (double, N × scores), and probabilities (double, N × classes)
//            where the model has them; of numbers prediction (double, N × outputs); of pca components.
// The metadata of the file have the names of the columns, the method and the kernel. docs/onnx.md says more.
#pragma once

#include <string>

#include "mercer/model.hpp"

namespace MERCER_EXPORT mercer {

struct OnnxOptions {
  bool float32 =
      false;  ///< X is of float32 numbers, and so are the results; the work between stays in float64
  bool variances = false;  ///< refused: a graph has no variances of Gaussian processes
};

/// The bytes of an .onnx file. Error{unsupported} for models of objects, functions of programs and variances;
/// Error{too_large} beyond ONNX's 2 GB.
std::string to_onnx(const Model& model, const OnnxOptions& options = {});
/// The same as a file, written whole or not at all.
void save_onnx(const std::string& path, const Model& model, const OnnxOptions& options = {});

}  // namespace mercer

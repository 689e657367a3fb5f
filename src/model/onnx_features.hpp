// Explicit features and kernel approximations as nodes.
#pragma once

#include "mercer/feature_map.hpp"
#include "model/onnx_tables.hpp"

namespace mercer::onnx {

/// φ of the rows, as FeatureMap::apply(): Nyström, Fourier, sketch or explicit.
Table features(Graph& g, const FeatureMap& map, const Table& x);

/// φ of the rows, as explicit_features(); `like`: points with their columns.
Table features(Graph& g, const Kernel& kernel, const Points& like, const Table& x);

}  // namespace mercer::onnx

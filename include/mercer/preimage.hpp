// Points of input space that belong to points of feature space: what a row looks like once it is projected on
// the leading components of a kernel PCA (denoising).
#pragma once

#include "mercer/model.hpp"

namespace MERCER_EXPORT mercer {

struct PreimageOptions {
  std::size_t iterations = 200;  ///< at most, for each point
  double tolerance = 1e-10;      ///< ends where a step is shorter than this part of the rows' spread
  int threads = 0;
  Progress progress = {};
};

/// For each row of `coordinates` (n × components, row-major, as Model::predict gives them) the x that
/// minimises ‖φ(x) − Pφ‖², Pφ being the point of feature space with these coordinates; n × columns, in the
/// units of the data. Throws Error{usage} where the model is not one of pca, or the kernel is neither linear
/// nor radial.
Points preimages(const Model& pca, std::span<const double> coordinates, const PreimageOptions& options = {});

}  // namespace mercer

// The plane of the two leading principal components in the space of a kernel. In components_picture.cpp.
#pragma once

#include <vector>

#include "mercer/model_pictures.hpp"
#include "plot/axis.hpp"

namespace mercer {

struct KernelPlane {
  Model pca;
  std::size_t rows = 0, of = 0;  ///< that the components were found from, and of how many

  /// The coordinates of points; the second is 0 where the rows span one dimension only.
  struct Coordinates {
    std::vector<double> x, y;
  };
  Coordinates of_points(const Points& points, int threads) const;
  /// What an axis along a component is called: "component 1 (41.3 % of the variance)".
  std::string label(std::size_t component) const;
};

/// Throws Error{data} for fewer than two rows, and where all rows are the same point of the space.
KernelPlane kernel_plane(const Kernel& kernel, const Points& points, int threads = 0,
                         const Progress& progress = {});

/// regions_picture() over components. A place in their plane belongs to many rows or to none, so it has no
/// prediction and there are no regions: the rows themselves show what the model does.
std::string component_regions(const Model& model, const Dataset& data, const RegionsOptions& options);

}  // namespace mercer

#include "mercer/default_kernel.hpp"

#include "model_selection/object_kernels.hpp"

namespace mercer {

Kernel default_kernel(const Points& points) {
  return points.objects().empty() ? Kernel::parse("rbf(gamma=scale)") : kernels_for_objects(points).front();
}

Kernel example_kernel(const Points& points) {
  if (points.objects().empty()) return Kernel::parse("rbf(gamma=scale) + 0.1*linear");
  const std::vector<Kernel> usual = kernels_for_objects(points);
  return usual.at(0) + usual.at(1);
}

}  // namespace mercer

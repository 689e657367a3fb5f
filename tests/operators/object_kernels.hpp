// Points for every kernel of objects in the catalogue.
#pragma once

#include <string>
#include <vector>

#include "kernels/catalogue.hpp"
#include "kernels/node.hpp"
#include "random_objects.hpp"

namespace mercer {

struct ObjectKernel {
  Kernel kernel;
  Domain domain;
};

/// Each leaf that compares objects, on each of its domains, at its defaults; cells of images are small enough
/// for random_objects().
inline std::vector<ObjectKernel> object_kernels() {
  std::vector<ObjectKernel> all;
  for (AnyLeaf leaf : leaves()) {
    for (const Leaf::Parameter& parameter : leaf->parameters())
      if (parameter.name == "cell") parameter.set(*leaf, 2.0);
    for (const Domain domain : leaf->traits().domains) {
#ifndef MERCER_RDKIT
      if (domain == Domain::molecule) continue;
#endif
      all.push_back({make_kernel(leaf), domain});
    }
  }
  return all;
}

}  // namespace mercer

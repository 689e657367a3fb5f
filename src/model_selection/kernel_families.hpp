// The kernels that an automatic fit tries where none is given, as the kernels themselves say (KernelSearch),
// and the default kernel, which is one of them.
#pragma once

#include <string>
#include <vector>

#include "kernels/catalogue.hpp"

namespace mercer {

/// A kernel with the values that are tried of its numbers.
struct KernelFamily {
  Kernel kernel;
  std::vector<double> multiples = {};  ///< of its open lengths
  std::string number = {};             ///< one that has no word for a length; empty: none
  std::vector<double> values = {};     ///< of this number
};

/// What the leaves and the rules say, in the order of the catalogue.
std::vector<KernelSearch> kernel_searches(const std::vector<AnyLeaf>& of = leaves());

/// In the order in which they are tried. Columns of objects get kernels of their domain: one column alone its
/// own; several, or objects beside numbers, sums of one for each. Objects may tell nothing beside the
/// numbers, which are tried alone too.
std::vector<KernelFamily> kernel_families(const Points& points, Task task,
                                          const std::vector<KernelSearch>& searches = kernel_searches());

}  // namespace mercer

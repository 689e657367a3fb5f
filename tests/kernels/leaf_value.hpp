// The number a leaf's parameter has.
#pragma once

#include <stdexcept>

#include "kernels/node.hpp"

namespace mercer {

inline double leaf_value(const Kernel& k, std::string_view name) {
  const Leaf* leaf = k.node().leaf();
  if (!leaf) throw std::logic_error(k.text() + " is not a leaf");
  for (const auto& parameter : leaf->parameters())
    if (parameter.name == name) return std::get<double>(parameter.get(*leaf).value());
  throw std::logic_error(k.text() + " has no such parameter");
}

}  // namespace mercer

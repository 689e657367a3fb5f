// The exact map of mercer/features.hpp, every monomial with its weight, as a map of rows.
#pragma once

#include <memory>

#include "operators/row_map.hpp"

namespace mercer {

/// Error{usage} for a kernel that has no finite map; Error{budget} where the features of one row take over
/// `memory` bytes.
std::unique_ptr<const DenseMap> explicit_map(const Kernel& kernel, std::size_t columns,
                                             const std::vector<std::string>& names, std::size_t memory);

}  // namespace mercer

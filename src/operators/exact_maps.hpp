// Exact feature maps: φ(x)ᵀφ(z) = k(x, z).
#pragma once

#include <memory>

#include "operators/row_map.hpp"

namespace mercer {

/// Of `linear`, `2*linear`, `linear@[a, b]`: the columns themselves. Null where the kernel has another form.
std::shared_ptr<const RowMap> column_map(const Kernel& kernel, const Points& points);

/// Of kernels of objects (spectrum, wl, bow and their sums, multiples and normalised forms) their sparse
/// features: those of the reference points, since what none of them has, no product with one can see. Null
/// where the kernel has no such features.
struct SparseFeatures {
  std::shared_ptr<const RowMap> map;
  Points rows;  ///< of the reference points, known from finding out
};
SparseFeatures sparse_map(const Kernel& kernel, const Points& reference, int threads);

/// The exact map of mercer/features.hpp, every monomial with its weight, as a map of rows.
/// Error{usage} for a kernel without a finite map; Error{budget} where one row takes over `memory` bytes.
std::unique_ptr<const DenseMap> explicit_map(const Kernel& kernel, std::size_t columns,
                                             const std::vector<std::string>& names, std::size_t memory);

}  // namespace mercer

// Features of k(x, z) = w·(r + a·xᵀz)^p by tensor sketches.                                  Pham & Pagh 2013
// A count sketch C of u = (√a·x, √r) adds each coordinate, with a random sign, to a random one of D places;
// E C(u)ᵀC(v) = uᵀv. The p-fold tensor product u⊗…⊗u, whose inner products are (uᵀv)^p, has a count sketch
// too: the circular convolution of p independent count sketches of u, in O(p(nnz + D log D)) by the fast
// Fourier transform. The tensor is never formed.
#pragma once

#include <cstdint>
#include <memory>

#include "mercer/leaf.hpp"
#include "operators/row_map.hpp"

namespace mercer {

/// `features`: a power of two.
std::unique_ptr<const DenseMap> tensor_sketch(const DotPower& power, std::size_t columns,
                                              std::size_t features, std::uint64_t seed);

}  // namespace mercer

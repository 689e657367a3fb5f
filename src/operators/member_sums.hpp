// Σₐ Σ_b k(a, b) over the members of two objects, for a tile of pairs of objects: one tile of K between all
// their members, summed by blocks. (Haussler 1999; Gärtner, Flach, Kowalczyk & Smola 2002 for sets.)
#pragma once

#include "kernels/node.hpp"

namespace mercer {

/// The sums as a function that fills tiles. Error{budget} where one pair alone would take more than 10¹¹
/// values of k.
TileFunction member_sums(const MemberMap& members, const Kernel& k);

}  // namespace mercer

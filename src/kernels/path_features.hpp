// Shortest paths as features: for each pair of nodes with a way between them, the labels of both and the
// number of steps. Shared by shortest_path and by wl, which counts them again after each refinement of the
// labels.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "data/adjacency.hpp"
#include "mercer/leaf.hpp"

namespace mercer {

/// The number of steps between all nodes, row by row; −1 where there is no way. Error{budget} where there are
/// too many nodes for that; `row` is the graph's, for the message.
std::vector<std::int32_t> all_steps(const Adjacency& graph, std::size_t row);

/// A feature for each pair of nodes, half of it at each. `labels` are those to use; `salt` tells features of
/// one kind from others.
void add_paths(std::span<const std::int32_t> steps, std::span<const std::uint64_t> labels, std::uint64_t salt,
               FeatureRow& out);

}  // namespace mercer

// One graph as kernels walk it: who is next to whom. Graphs come from columns of graphs, or from molecules.
#pragma once

#include <vector>

#include "mercer/objects.hpp"

namespace mercer {

struct Adjacency {
  struct Neighbour {
    std::uint32_t node;
    std::int32_t label;  // of the edge
    auto operator<=>(const Neighbour&) const = default;
  };
  std::vector<std::int32_t> labels;  // of the nodes
  std::vector<std::size_t> starts;   // nodes + 1: where the neighbours of a node begin
  // Ascending for each node; an edge stands at both ends, one from a node to itself once.
  std::vector<Neighbour> neighbours;

  std::size_t nodes() const noexcept { return labels.size(); }
  const Neighbour* begin(std::size_t node) const noexcept { return neighbours.data() + starts[node]; }
  const Neighbour* end(std::size_t node) const noexcept { return neighbours.data() + starts[node + 1]; }
};

/// Object i of a column of graphs or molecules. An edge that is there twice with one label counts once.
Adjacency adjacency(const Objects& objects, std::size_t i);

/// The nodes next to each node, ascending, without labels, loops and repetitions.
std::vector<std::vector<std::uint32_t>> plain_neighbours(const Adjacency& graph);

/// How many steps it is from `node` to each; −1 where there is no way. `steps` and `queue` are room that is
/// used again.
void walk_from(const Adjacency& graph, std::size_t node, std::vector<std::int32_t>& steps,
               std::vector<std::uint32_t>& queue);

}  // namespace mercer

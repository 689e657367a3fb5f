// What a part of an object (a word, a letter, a node, a member) does to a prediction: the same object without
// the part is predicted, and the scores are compared (occlusion). It needs nothing of the kernel, so that
// every kernel of objects can be explained.
#pragma once

#include <string>
#include <vector>

#include "mercer/leaf.hpp"
#include "mercer/objects.hpp"

namespace mercer {

struct ObjectPart {
  /// Bytes of a text, nodes of a graph, atoms of a molecule, members of a set, cells of an image.
  Part where;
  std::string text;  ///< "GAT", "word", "node 3 (label 1)"
};

/// Of texts and symbols the words; of sequences the letters, or of more than 500 as many pieces; of graphs
/// the nodes; of molecules the atoms; of sets the members; of images an 8 × 8 grid of cells.
std::vector<ObjectPart> parts_of(const Objects& objects, std::size_t i);

/// Object i without each of its parts in turn: as many objects as it has parts. Words, nodes (with their
/// edges) and members are removed; letters become N, atoms any atom, cells of images their mean colour.
Objects without_parts(const Objects& objects, std::size_t i, const std::vector<ObjectPart>& parts);

}  // namespace mercer

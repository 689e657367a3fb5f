// What the plug-in for molecules does, and how it is found. RDKit is large and many have no molecules: the
// library loads the plug-in, and RDKit with it, when the first molecule is read, and works without either.
// The plug-in is not linked to the library, so that it serves whatever holds Mercer's code: the shared
// library or a program linked statically, which may have the C++ library in it, too. Only types of the
// standard library and plain structs cross the border, and exceptions of std, which are told by their names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/molecules.hpp"

namespace mercer {

/// The heavy atoms and bonds of a molecule, with the labels that molecule_graph() promises.
struct MoleculeGraph {
  std::vector<std::int32_t> atoms;            // their labels
  std::vector<std::int32_t> from, to, bonds;  // one each per bond: its ends, its label
};

/// Each function takes a molecule as SMILES, and may be called from several threads. std::invalid_argument
/// says why a text is no molecule.
struct MoleculeReader {
  void (*check)(std::string_view smiles);
  MoleculeGraph (*graph)(std::string_view smiles);
  std::vector<Environment> (*environments)(std::string_view smiles, int radius, bool with_atoms);
  std::vector<std::string> (*atom_names)(std::string_view smiles);
  std::string (*with_any_atom)(std::string_view smiles, std::size_t atom);
  std::string (*svg)(std::string_view smiles, std::span<const double> atom_weights);  // one for each atom
};

/// What the plug-in has to offer: `extern "C" const MoleculeReader* mercer_molecule_reader()`.
using MoleculeReaderMaker = const MoleculeReader*();

}  // namespace mercer

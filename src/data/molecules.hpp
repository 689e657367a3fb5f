// Molecules, written as SMILES: their graphs, their circular fingerprints, their picture. RDKit reads them,
// in a plug-in that is loaded at the first molecule (MoleculeReader); where it is missing, every
// molecule is refused with a message that says what to install.
//
// All functions may be called from several threads, and none prints.
#pragma once

#include <vector>

#include "mercer/objects.hpp"

namespace mercer {

/// Whether the plug-in and RDKit are there; loads them.
bool reads_molecules() noexcept;
/// Why not, and what to install; "" where they are.
std::string why_no_molecules();

/// A row of a column of molecules that cannot be read.
struct BadMolecule {
  std::size_t row;
  std::string reason;  ///< "'C1CC' is no molecule: …"
};
/// The rows that are no molecules, ascending; an empty text is none. Error{usage} without RDKit.
std::vector<BadMolecule> check_molecules(const Objects& molecules, int threads = 0);

/// Molecule i as one graph: its heavy atoms in the order in which they are written, each with the label Z +
/// 256·charge (Z: its atomic number), and its bonds, with labels 1, 2, 3 for single, double and triple and 12
/// for aromatic ones (RDKit's numbers). Error{data} names the row where it is no molecule.
Graphs molecule_graph(const Objects& molecules, std::size_t i);

/// A circular environment: what is around an atom up to some number of bonds (Morgan 1965; Rogers & Hahn
/// 2010).
struct Environment {
  std::uint32_t key;    ///< the same for the same environment in any molecule
  std::uint32_t count;  ///< how often it is in this one
  /// Those of all its occurrences, ascending; where they were asked for.
  std::vector<std::uint32_t> atoms = {};
};
/// The environments of molecule i of at most `radius` bonds, keys ascending.
std::vector<Environment> environments(const Objects& molecules, std::size_t i, int radius, bool with_atoms);

/// The symbols of the heavy atoms, in the order in which they are written. Error{data} where it is no
/// molecule.
std::vector<std::string> atom_names(std::string_view smiles);
/// The molecule with any atom (*) in place of one: what it is like without it. (After the weights of Riniker
/// & Landrum 2013.)
std::string with_any_atom(std::string_view smiles, std::size_t atom);

/// The molecule drawn as SVG, each atom coloured by its weight: blue where it is positive, orange where it is
/// negative, the stronger the larger. Error{usage} where there is not one weight for each heavy atom.
std::string molecule_svg(std::string_view smiles, std::span<const double> atom_weights);

}  // namespace mercer

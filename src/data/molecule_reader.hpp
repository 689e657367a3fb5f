// What the plug-in for molecules does, and how it is found. RDKit is large and many have no molecules: the
// library loads the plug-in, and RDKit with it, when the first molecule is read, and works without either.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/molecules.hpp"

namespace mercer {

/// Each function takes a molecule as SMILES, and may be called from several threads. Error{data} where it is
/// none.
class MoleculeReader {
 public:
  virtual ~MoleculeReader() = default;
  virtual void check(std::string_view smiles) const = 0;
  virtual Graphs graph(std::string_view smiles) const = 0;
  virtual std::vector<Environment> environments(std::string_view smiles, int radius,
                                                bool with_atoms) const = 0;
  virtual std::vector<std::string> atom_names(std::string_view smiles) const = 0;
  virtual std::string with_any_atom(std::string_view smiles, std::size_t atom) const = 0;
  virtual std::string svg(std::string_view smiles, std::span<const double> atom_weights) const = 0;
};

/// What the plug-in has to offer: `extern "C" const MoleculeReader* mercer_molecule_reader()`.
using MoleculeReaderMaker = const MoleculeReader*();

}  // namespace mercer

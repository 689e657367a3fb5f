// The plug-in libmercer_molecules: molecules read, compared and drawn by RDKit. The one file that includes
// it.
#include <GraphMol/Fingerprints/MorganFingerprints.h>
#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>
#include <GraphMol/RDKitBase.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <RDGeneral/RDLog.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "data/molecules.hpp"
#include "data/text_source.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

using Molecule = std::unique_ptr<RDKit::RWMol>;

constexpr std::size_t longest = 3'000;  // letters; RDKit needs time that grows with the cube of the atoms

std::string no_molecule(std::string_view smiles, const std::string& why) {
  return fmt::format("{} is no molecule: {}", in_quotes(smiles), why);
}

/// The first sentence of what RDKit says, without the end of its line.
std::string reason_of(const std::exception& error) {
  std::string text = error.what();
  text.resize(std::min(text.find('\n'), text.size()));
  return text.empty() ? "RDKit refuses it" : text;
}

Molecule parse(std::string_view smiles) {
  static std::once_flag silenced;
  std::call_once(silenced, [] { boost::logging::disable_logs("rdApp.*"); });
  if (smiles.find_first_not_of(" \t") == smiles.npos)
    throw Error(ErrorCode::invalid_file, "the cell is empty",
                {.hint = "a molecule is written as SMILES, e.g. CCO"});
  if (smiles.size() > longest)
    throw Error(ErrorCode::invalid_file,
                no_molecule(smiles, fmt::format("it has {} letters; at most {} are possible", smiles.size(),
                                                longest)));
  Molecule molecule;
  try {
    // What the parser does by itself behind its steps takes time that grows with the cube of the atoms, for
    // stereochemistry alone.
    RDKit::SmilesParserParams params;
    params.sanitize = false;
    params.removeHs = false;
    params.parseName = false;
    params.allowCXSMILES = false;
    molecule.reset(RDKit::SmilesToMol(std::string(smiles), params));
    if (molecule) RDKit::MolOps::removeHs(*molecule);  // and makes it sane
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    throw Error(ErrorCode::invalid_file, no_molecule(smiles, reason_of(error)));
  }
  if (!molecule) throw Error(ErrorCode::invalid_file, no_molecule(smiles, "it is not written as SMILES is"));
  return molecule;
}

/// The atoms at most `radius` bonds from the centre.
void add_ball(const RDKit::ROMol& molecule, std::uint32_t centre, std::uint32_t radius,
              std::vector<std::uint32_t>& atoms) {
  std::vector<std::uint32_t> ball{centre};
  std::size_t begin = 0;
  for (std::uint32_t step = 0; step < radius; ++step) {
    const std::size_t end = ball.size();
    for (; begin < end; ++begin)
      for (const auto* neighbour : molecule.atomNeighbors(molecule.getAtomWithIdx(ball[begin])))
        if (std::ranges::find(ball, neighbour->getIdx()) == ball.end()) ball.push_back(neighbour->getIdx());
  }
  atoms.insert(atoms.end(), ball.begin(), ball.end());
}

/// From white at 0 to blue at 1 and orange at −1.
RDKit::DrawColour colour_of(double share) {
  const double t = std::abs(share);
  const auto blend = [&](double end) { return 1 - t * (1 - end); };
  return share >= 0 ? RDKit::DrawColour(blend(0.45), blend(0.67), blend(0.95))
                    : RDKit::DrawColour(blend(0.97), blend(0.63), blend(0.30));
}

class RdkitReader : public MoleculeReader {
 public:
  void check(std::string_view smiles) const override { parse(smiles); }

  Graphs graph(std::string_view smiles) const override {
    const Molecule molecule = parse(smiles);
    const std::size_t atoms = molecule->getNumAtoms(), bonds = molecule->getNumBonds();
    Graphs graph{Buffer<std::size_t>(2),      Buffer<std::size_t>(2),      Buffer<std::int32_t>(atoms),
                 Buffer<std::int32_t>(bonds), Buffer<std::int32_t>(bonds), Buffer<std::int32_t>(bonds)};
    graph.nodes[0] = graph.edges[0] = 0;
    graph.nodes[1] = atoms;
    graph.edges[1] = bonds;
    for (const auto* atom : molecule->atoms())
      graph.node_labels[atom->getIdx()] = atom->getAtomicNum() + 256 * atom->getFormalCharge();
    for (const auto* bond : molecule->bonds()) {
      graph.from[bond->getIdx()] = std::int32_t(bond->getBeginAtomIdx());
      graph.to[bond->getIdx()] = std::int32_t(bond->getEndAtomIdx());
      graph.edge_labels[bond->getIdx()] = std::int32_t(bond->getBondType());
    }
    return graph;
  }

  std::vector<Environment> environments(std::string_view smiles, int radius, bool with_atoms) const override {
    const Molecule molecule = parse(smiles);
    RDKit::MorganFingerprints::BitInfoMap places;
    const std::unique_ptr<RDKit::SparseIntVect<std::uint32_t>> counts(
        RDKit::MorganFingerprints::getFingerprint(*molecule, unsigned(radius), nullptr, nullptr, false, true,
                                                  true, false, with_atoms ? &places : nullptr));
    std::vector<Environment> found;
    for (const auto& [key, count] : counts->getNonzeroElements()) {
      found.push_back({key, std::uint32_t(count)});
      for (const auto& [centre, size] : places[key]) add_ball(*molecule, centre, size, found.back().atoms);
      std::ranges::sort(found.back().atoms);
    }
    return found;
  }

  std::string svg(std::string_view smiles, std::span<const double> atom_weights) const override {
    const Molecule molecule = parse(smiles);
    if (atom_weights.size() != molecule->getNumAtoms())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("{} has {} atoms, but there are {} weights", in_quotes(smiles),
                              molecule->getNumAtoms(), atom_weights.size()),
                  {.hint = "give one for each"});
    double largest = 0;
    for (const double weight : atom_weights) largest = std::max(largest, std::abs(weight));
    std::vector<int> highlighted;
    std::map<int, RDKit::DrawColour> colours;
    for (std::size_t a = 0; a < atom_weights.size(); ++a) {
      if (!(std::abs(atom_weights[a]) > 0.02 * largest)) continue;  // white on white
      highlighted.push_back(int(a));
      colours[int(a)] = colour_of(atom_weights[a] / largest);
    }
    RDKit::MolOps::assignStereochemistry(*molecule, true);
    static std::mutex drawing;  // coordinates are laid out with settings that all drawings share
    const std::lock_guard lock(drawing);
    RDKit::MolDraw2DSVG drawer(420, 300);
    drawer.drawOptions().clearBackground = false;
    RDKit::MolDraw2DUtils::prepareAndDrawMolecule(drawer, *molecule, "", &highlighted, nullptr, &colours);
    drawer.finishDrawing();
    return drawer.getDrawingText();
  }

  std::vector<std::string> atom_names(std::string_view smiles) const override {
    const Molecule molecule = parse(smiles);
    std::vector<std::string> names;
    for (const auto* atom : molecule->atoms()) names.push_back(atom->getSymbol());
    return names;
  }

  std::string with_any_atom(std::string_view smiles, std::size_t atom) const override {
    const Molecule molecule = parse(smiles);
    RDKit::Atom any(0);
    any.setIsAromatic(molecule->getAtomWithIdx(unsigned(atom))->getIsAromatic());
    molecule->replaceAtom(unsigned(atom), &any);
    return RDKit::MolToSmiles(*molecule);
  }
};

}  // namespace

extern "C" const MoleculeReader* mercer_molecule_reader() {
  static const RdkitReader reader;
  return &reader;
}

}  // namespace mercer

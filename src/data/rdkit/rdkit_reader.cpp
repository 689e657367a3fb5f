// The plug-in libmercer_molecules: molecules read, compared and drawn by RDKit. The one file that includes
// it.
#include <GraphMol/Fingerprints/MorganFingerprints.h>
#include <GraphMol/MolDraw2D/MolDraw2DSVG.h>
#include <GraphMol/MolDraw2D/MolDraw2DUtils.h>
#include <GraphMol/RDKitBase.h>
#include <GraphMol/SmilesParse/SmilesParse.h>
#include <GraphMol/SmilesParse/SmilesWrite.h>
#include <RDGeneral/RDLog.h>

#include <algorithm>
#include <cmath>
#include <mutex>
#include <stdexcept>

#include "data/molecule_reader.hpp"
#include "mercer/export.hpp"

namespace mercer {

namespace {

using Molecule = std::unique_ptr<RDKit::RWMol>;

/// The first sentence of what RDKit says, without the end of its line.
std::string reason_of(const std::exception& error) {
  std::string text = error.what();
  text.resize(std::min(text.find('\n'), text.size()));
  return text.empty() ? "RDKit refuses it" : text;
}

Molecule parse(std::string_view smiles) {
  static std::once_flag silenced;
  std::call_once(silenced, [] { boost::logging::disable_logs("rdApp.*"); });
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
    throw std::invalid_argument(reason_of(error));
  }
  if (!molecule) throw std::invalid_argument("it is not written as SMILES is");
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

void check(std::string_view smiles) { parse(smiles); }

MoleculeGraph graph(std::string_view smiles) {
  const Molecule molecule = parse(smiles);
  MoleculeGraph graph;
  for (const auto* atom : molecule->atoms())
    graph.atoms.push_back(atom->getAtomicNum() + 256 * atom->getFormalCharge());
  for (const auto* bond : molecule->bonds()) {
    graph.from.push_back(std::int32_t(bond->getBeginAtomIdx()));
    graph.to.push_back(std::int32_t(bond->getEndAtomIdx()));
    graph.bonds.push_back(std::int32_t(bond->getBondType()));
  }
  return graph;
}

std::vector<Environment> environments(std::string_view smiles, int radius, bool with_atoms) {
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

std::string svg(std::string_view smiles, std::span<const double> atom_weights) {
  const Molecule molecule = parse(smiles);
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

std::vector<std::string> atom_names(std::string_view smiles) {
  const Molecule molecule = parse(smiles);
  std::vector<std::string> names;
  for (const auto* atom : molecule->atoms()) names.push_back(atom->getSymbol());
  return names;
}

std::string with_any_atom(std::string_view smiles, std::size_t atom) {
  const Molecule molecule = parse(smiles);
  RDKit::Atom any(0);
  any.setIsAromatic(molecule->getAtomWithIdx(unsigned(atom))->getIsAromatic());
  molecule->replaceAtom(unsigned(atom), &any);
  return RDKit::MolToSmiles(*molecule);
}

constexpr MoleculeReader reader{.check = check,
                                .graph = graph,
                                .environments = environments,
                                .atom_names = atom_names,
                                .with_any_atom = with_any_atom,
                                .svg = svg};

}  // namespace

extern "C" MERCER_EXPORT const MoleculeReader* mercer_molecule_reader() { return &reader; }

}  // namespace mercer

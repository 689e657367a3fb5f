#include "data/molecules.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include "base/parallel.hpp"
#include "data/molecule_reader.hpp"
#include "data/text_source.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr std::size_t longest = 3'000;  // letters; RDKit needs time that grows with the cube of the atoms

/// The folder of the library or program that this code is part of.
std::filesystem::path own_folder() {
  Dl_info here;
  if (!dladdr(reinterpret_cast<const void*>(&reads_molecules), &here)) return {};
  const std::filesystem::path file = here.dli_fname;
  std::error_code none;
  return (file.has_parent_path() ? file : std::filesystem::read_symlink("/proc/self/exe", none))
      .parent_path();
}

/// The plug-in beside this library or program, or of an installed program among the libraries; or why there
/// is none.
struct Plugin {
  const MoleculeReader* reader = nullptr;
  std::string missing;

  Plugin() {
    const std::filesystem::path folder = own_folder();
    std::filesystem::path file = folder / MERCER_MOLECULES_FILE;
    std::error_code none;
    if (!std::filesystem::exists(file, none))
      file = folder / MERCER_LIBRARIES_FROM_PROGRAMS / MERCER_MOLECULES_FILE;
    if (!std::filesystem::exists(file, none)) {
      missing =
          "Mercer was built without RDKit, which reads molecules; install librdkit-dev and build it again";
      return;
    }
    if (void* library = dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL))
      if (void* maker = dlsym(library, "mercer_molecule_reader")) {
        reader = reinterpret_cast<MoleculeReaderMaker*>(maker)();
        return;
      }
    missing =
        fmt::format("molecules are read by RDKit, which cannot be loaded ({}); install librdkit1", dlerror());
  }
};

const Plugin& plugin() {
  static const Plugin loaded;
  return loaded;
}

const MoleculeReader& reader() {
  if (!plugin().reader) throw Error(ErrorCode::missing_library, plugin().missing);
  return *plugin().reader;
}

Error no_molecule(std::string_view smiles, const std::string& why) {
  return Error(ErrorCode::invalid_file, fmt::format("{} is no molecule: {}", in_quotes(smiles), why));
}

/// What `read` finds with the plug-in's functions. Error{data} where the text is no molecule.
template <class Read>
auto ask(std::string_view smiles, const Read& read) {
  const MoleculeReader& by = reader();
  if (smiles.find_first_not_of(" \t") == smiles.npos)
    throw Error(ErrorCode::invalid_file, "the cell is empty",
                {.hint = "a molecule is written as SMILES, e.g. CCO"});
  if (smiles.size() > longest)
    throw no_molecule(smiles,
                      fmt::format("it has {} letters; at most {} are possible", smiles.size(), longest));
  try {
    return read(by);
  } catch (const std::invalid_argument& error) {
    throw no_molecule(smiles, error.what());
  }
}

template <class Read>
auto ask_of_row(const Objects& molecules, std::size_t i, const Read& read) {
  reader();  // where there is none, that is no fault of the row
  try {
    return ask(molecules.texts()[i], read);
  } catch (const Error& error) {
    throw error.about(fmt::format("row {} of column '{}'", i + 1, molecules.name()));
  }
}

template <class T>
Buffer<T> buffer_of(const std::vector<T>& values) {
  Buffer<T> buffer(values.size());
  std::ranges::copy(values, buffer.begin());
  return buffer;
}

}  // namespace

bool reads_molecules() noexcept { return plugin().reader; }

std::string why_no_molecules() { return plugin().missing; }

std::vector<BadMolecule> check_molecules(const Objects& molecules, int threads) {
  constexpr std::size_t rows_at_once = 32;
  reader();
  std::vector<std::vector<BadMolecule>> blocks((molecules.rows() + rows_at_once - 1) / rows_at_once);
  parallel_blocks(molecules.rows(), rows_at_once, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      try {
        const std::string_view smiles = molecules.texts()[i];
        ask(smiles, [&](const MoleculeReader& by) { by.check(smiles); });
      } catch (const Error& error) {
        blocks[first / rows_at_once].push_back({i, error.what()});
      }
    }
  });
  std::vector<BadMolecule> bad;
  for (auto& block : blocks) std::ranges::move(block, std::back_inserter(bad));
  return bad;
}

Graphs molecule_graph(const Objects& molecules, std::size_t i) {
  const MoleculeGraph found =
      ask_of_row(molecules, i, [&](const MoleculeReader& by) { return by.graph(molecules.texts()[i]); });
  return {.nodes = buffer_of<std::size_t>({0, found.atoms.size()}),
          .edges = buffer_of<std::size_t>({0, found.bonds.size()}),
          .node_labels = buffer_of(found.atoms),
          .from = buffer_of(found.from),
          .to = buffer_of(found.to),
          .edge_labels = buffer_of(found.bonds)};
}

std::vector<Environment> environments(const Objects& molecules, std::size_t i, int radius, bool with_atoms) {
  return ask_of_row(molecules, i, [&](const MoleculeReader& by) {
    return by.environments(molecules.texts()[i], radius, with_atoms);
  });
}

std::vector<std::string> atom_names(std::string_view smiles) {
  return ask(smiles, [&](const MoleculeReader& by) { return by.atom_names(smiles); });
}

std::string with_any_atom(std::string_view smiles, std::size_t atom) {
  return ask(smiles, [&](const MoleculeReader& by) { return by.with_any_atom(smiles, atom); });
}

std::string molecule_svg(std::string_view smiles, std::span<const double> atom_weights) {
  if (const std::size_t atoms = atom_names(smiles).size(); atom_weights.size() != atoms)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{} has {} atoms, but there are {} weights", in_quotes(smiles), atoms,
                            atom_weights.size()),
                {.hint = "give one for each"});
  return ask(smiles, [&](const MoleculeReader& by) { return by.svg(smiles, atom_weights); });
}

}  // namespace mercer

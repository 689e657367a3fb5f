#include "data/molecules.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "base/parallel.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

/// The plug-in beside this library, or why there is none.
struct Plugin {
  const MoleculeReader* reader = nullptr;
  std::string missing;

  Plugin() {
    Dl_info here;
    if (!dladdr(reinterpret_cast<const void*>(&reads_molecules), &here)) return;
    const auto file = std::filesystem::path(here.dli_fname).parent_path() / MERCER_MOLECULES_FILE;
    std::error_code none;
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

auto in_row(const Objects& molecules, std::size_t i, const auto& read) {
  const MoleculeReader& by = reader();
  try {
    return read(by, molecules.texts()[i]);
  } catch (const Error& error) {
    throw error.about(fmt::format("row {} of column '{}'", i + 1, molecules.name()));
  }
}

}  // namespace

bool reads_molecules() noexcept { return plugin().reader; }

std::string why_no_molecules() { return plugin().missing; }

std::vector<BadMolecule> check_molecules(const Objects& molecules, int threads) {
  constexpr std::size_t rows_at_once = 32;
  const MoleculeReader& by = reader();
  std::vector<std::vector<BadMolecule>> blocks((molecules.rows() + rows_at_once - 1) / rows_at_once);
  parallel_blocks(molecules.rows(), rows_at_once, threads, [&](std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      try {
        by.check(molecules.texts()[i]);
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
  return in_row(molecules, i,
                [](const MoleculeReader& by, std::string_view smiles) { return by.graph(smiles); });
}

std::vector<Environment> environments(const Objects& molecules, std::size_t i, int radius, bool with_atoms) {
  return in_row(molecules, i, [&](const MoleculeReader& by, std::string_view smiles) {
    return by.environments(smiles, radius, with_atoms);
  });
}

std::vector<std::string> atom_names(std::string_view smiles) { return reader().atom_names(smiles); }

std::string with_any_atom(std::string_view smiles, std::size_t atom) {
  return reader().with_any_atom(smiles, atom);
}

std::string molecule_svg(std::string_view smiles, std::span<const double> atom_weights) {
  return reader().svg(smiles, atom_weights);
}

}  // namespace mercer

// An environment that a molecule has c times becomes c features of 1, "at least once" … "at least c times",
// so that the dot product of two molecules is Σ min: it is found by sparse products, as fast as for sets.
#include "mercer/kernels/tanimoto.hpp"

#include <map>
#include <vector>

#include "data/molecules.hpp"

namespace mercer {

void Tanimoto::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  struct Column {
    std::uint32_t count = 0;
    std::vector<std::uint32_t> atoms = {};
  };
  std::map<std::uint64_t, Column> columns;
  for (const Environment& environment : environments(x, i, radius, out.keeps_parts())) {
    Column& column = columns[bits > 0 ? environment.key % std::uint32_t(bits) : environment.key];
    column.count += environment.count;
    column.atoms.insert(column.atoms.end(), environment.atoms.begin(), environment.atoms.end());
  }
  for (const auto& [key, column] : columns) {
    const std::uint32_t times = counts == "yes" ? column.count : 1;
    for (std::uint32_t t = 0; t < times; ++t) {
      const std::uint64_t level = key_of(key, t);
      if (column.atoms.empty()) out.add(level, 1);
      for (const std::uint32_t atom : column.atoms)
        out.add(level, 1 / double(column.atoms.size()), {atom, atom + 1});  // a share for each
    }
  }
}

}  // namespace mercer

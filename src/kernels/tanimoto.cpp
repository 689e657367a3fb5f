#include "mercer/kernels/tanimoto.hpp"

#include <map>
#include <vector>

#include "data/molecules.hpp"

namespace mercer {

void Tanimoto::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  struct Column {
    double count = 0;
    std::vector<std::uint32_t> atoms = {};
  };
  std::map<std::uint64_t, Column> columns;
  for (const Environment& environment : environments(x, i, radius, out.keeps_parts())) {
    Column& column = columns[bits > 0 ? environment.key % std::uint32_t(bits) : environment.key];
    column.count += environment.count;
    column.atoms.insert(column.atoms.end(), environment.atoms.begin(), environment.atoms.end());
  }
  for (const auto& [key, column] : columns) {
    const double value = counts == "yes" ? column.count : 1;
    if (column.atoms.empty()) out.add(key, value);
    for (const std::uint32_t atom : column.atoms) out.add(key, value / double(column.atoms.size()), {atom, atom + 1});
  }
}

}  // namespace mercer

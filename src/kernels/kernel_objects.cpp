#include "mercer/kernel_objects.hpp"

#include <algorithm>

#include "kernels/node.hpp"

namespace mercer {

namespace {

using Columns = std::vector<std::string>;
using Domains = std::vector<Domain>;

/// Calls use(node, columns, domains) for the node and all parts that see the points themselves: the columns
/// alone that it sees, and the objects that it compares, which are found once, as expressions are deep.
void visit_columns(const Kernel& kernel, const Columns& columns,
                   const std::function<void(const Node&, const Columns&, const Domains&)>& use) {
  const Columns own = kernel.node().columns();
  const Columns& seen = own.empty() ? columns : own;
  const Domains domains = kernel.node().domains();
  use(kernel.node(), seen, domains);
  if (!domains.empty()) return;  // its parts see what the objects are made of
  for (const Kernel& part : kernel.parts()) visit_columns(part, seen, use);
}

}  // namespace

std::vector<ComparedColumn> compared_columns(const Kernel& kernel) {
  std::vector<ComparedColumn> found;
  visit_columns(kernel, {}, [&](const Node&, const Columns& columns, const Domains& domains) {
    if (!domains.empty()) found.push_back({columns.size() == 1 ? columns.front() : "", domains});
  });
  return found;
}

std::vector<ReadOptions::Kept> objects_compared(const Kernel& kernel) {
  std::vector<ReadOptions::Kept> kept;
  for (const auto& [column, domains] : compared_columns(kernel)) {
    const auto text = std::ranges::find_if(domains, [](Domain domain) { return domain <= Domain::molecule; });
    if (text == domains.end()) continue;
    if (std::ranges::none_of(kept, [&](const auto& other) { return other.column == column; }))
      kept.push_back({column, *text});
  }
  return kept;
}

std::vector<std::string> set_columns(const Kernel& kernel) {
  std::vector<std::string> found;
  visit_columns(kernel, {}, [&](const Node& node, const Columns& columns, const Domains&) {
    if (!node.leaf() || !node.leaf()->traits().of_sets) return;
    for (const std::string& column : columns)
      if (std::ranges::find(found, column) == found.end()) found.push_back(column);
  });
  return found;
}

}  // namespace mercer

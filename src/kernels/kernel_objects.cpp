#include "mercer/kernel_objects.hpp"

#include <algorithm>

#include "kernels/node.hpp"

namespace mercer {

namespace {

/// Calls use(node, columns) for the node and all parts that see the points themselves; `columns`: those alone
/// that it sees.
void visit_columns(const Kernel& kernel, const std::vector<std::string>& columns,
                   const std::function<void(const Node&, const std::vector<std::string>&)>& use) {
  const std::vector<std::string> own = kernel.node().columns();
  const std::vector<std::string>& seen = own.empty() ? columns : own;
  use(kernel.node(), seen);
  if (!kernel.node().domains().empty()) return;  // its parts see what the objects are made of
  for (const Kernel& part : kernel.parts()) visit_columns(part, seen, use);
}

}  // namespace

std::vector<ComparedColumn> compared_columns(const Kernel& kernel) {
  std::vector<ComparedColumn> found;
  visit_columns(kernel, {}, [&](const Node& node, const std::vector<std::string>& columns) {
    if (!node.domains().empty())
      found.push_back({columns.size() == 1 ? columns.front() : "", node.domains()});
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
  visit_columns(kernel, {}, [&](const Node& node, const std::vector<std::string>& columns) {
    if (!node.leaf() || !node.leaf()->traits().of_sets) return;
    for (const std::string& column : columns)
      if (std::ranges::find(found, column) == found.end()) found.push_back(column);
  });
  return found;
}

}  // namespace mercer

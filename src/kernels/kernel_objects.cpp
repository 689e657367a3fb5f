#include "mercer/kernel_objects.hpp"

#include <algorithm>

#include "kernels/node.hpp"

namespace mercer {

namespace {

void collect(const Kernel& kernel, const std::vector<std::string>& columns,
             std::vector<ComparedColumn>& found) {
  const std::vector<std::string> own = kernel.node().columns();
  const std::vector<std::string>& seen = own.empty() ? columns : own;
  std::vector<Domain> domains = kernel.node().domains();
  if (!domains.empty()) {  // its parts see what the objects are made of
    found.push_back({seen.size() == 1 ? seen.front() : "", std::move(domains)});
    return;
  }
  for (const Kernel& part : kernel.parts()) collect(part, seen, found);
}

void collect_sets(const Kernel& kernel, const std::vector<std::string>& columns,
                  std::vector<std::string>& found) {
  const std::vector<std::string> own = kernel.node().columns();
  const std::vector<std::string>& seen = own.empty() ? columns : own;
  if (const Leaf* leaf = kernel.node().leaf();
      leaf && (leaf->name() == "jaccard" || leaf->name() == "intersection"))
    for (const std::string& column : seen)
      if (std::ranges::find(found, column) == found.end()) found.push_back(column);
  if (!kernel.node().domains().empty()) return;
  for (const Kernel& part : kernel.parts()) collect_sets(part, seen, found);
}

}  // namespace

std::vector<ComparedColumn> compared_columns(const Kernel& kernel) {
  std::vector<ComparedColumn> found;
  collect(kernel, {}, found);
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
  collect_sets(kernel, {}, found);
  return found;
}

}  // namespace mercer

#include "mercer/kernel_objects.hpp"

#include <algorithm>

#include "kernels/node.hpp"

namespace mercer {

namespace {

void collect(const Kernel& kernel, const std::vector<std::string>& columns, std::vector<ReadOptions::Kept>& found) {
  const std::vector<std::string> own = kernel.node().columns();
  const std::vector<std::string>& seen = own.empty() ? columns : own;
  const std::vector<Domain> domains = kernel.node().domains();
  const auto text = std::ranges::find_if(domains, [](Domain domain) { return domain <= Domain::molecule; });
  if (text != domains.end()) {
    const ReadOptions::Kept kept{seen.size() == 1 ? seen.front() : "", *text};
    if (std::ranges::none_of(found, [&](const auto& other) { return other.column == kept.column; })) found.push_back(kept);
  }
  if (!domains.empty()) return;  // its parts see what the objects are made of
  for (const Kernel& part : kernel.parts()) collect(part, seen, found);
}

}  // namespace

std::vector<ReadOptions::Kept> objects_compared(const Kernel& kernel) {
  std::vector<ReadOptions::Kept> found;
  collect(kernel, {}, found);
  return found;
}

}  // namespace mercer

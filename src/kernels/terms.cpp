#include "kernels/terms.hpp"

#include <algorithm>
#include <optional>

#include "kernels/node.hpp"

namespace mercer {

namespace {

// c of c·k.
std::optional<double> factor_of(const Kernel& kernel) {
  const auto numbers = kernel.node().numbers();
  if (numbers.size() != 1 || numbers[0].name != "factor" || kernel.parts().size() != 1) return {};
  return numbers[0].value;
}

void collect(const Kernel& kernel, std::optional<double> factor, std::vector<Kernel>& terms) {
  if (kernel.node().binding() == Binding::sum) {
    for (const Kernel& term : kernel.parts()) collect(term, factor, terms);
  } else if (const auto own = factor_of(kernel)) {
    collect(kernel.parts()[0], factor ? *factor * *own : *own, terms);
  } else {
    terms.push_back(factor ? *factor * kernel : kernel);
  }
}

}  // namespace

std::vector<Kernel> terms_of(const Kernel& kernel) {
  std::vector<Kernel> terms;
  collect(kernel, {}, terms);
  return terms;
}

bool any_leaf(const Kernel& kernel, const std::function<bool(const Leaf&)>& holds) {
  if (const Leaf* leaf = kernel.node().leaf()) return holds(*leaf);
  return std::ranges::any_of(kernel.parts(), [&](const Kernel& part) { return any_leaf(part, holds); });
}

}  // namespace mercer

#include "model_selection/open_axes.hpp"

#include <algorithm>
#include <functional>
#include <optional>

#include "kernels/node.hpp"
#include "mercer/kernel_parameters.hpp"

namespace mercer {

namespace {

double stretched(Role role, double value, double multiple) {
  switch (role) {
    case Role::length:
      return value * multiple;
    case Role::inverse_length:
      return value / multiple;
    case Role::inverse_square:
      break;
  }
  return value / (multiple * multiple);
}

// Calls take(node, resolved node) where the numbers of the node stand in numeric_parameters(). Resolving
// changes no shape.
void visit(const Kernel& kernel, const Kernel& resolved,
           const std::function<void(const Node&, const Node&)>& take) {
  const Node& node = resolved.node();
  if (node.numbers_lead()) take(kernel.node(), node);
  const std::vector<Kernel> parts = kernel.parts(), resolved_parts = resolved.parts();
  for (std::size_t p = 0; p < parts.size(); ++p) visit(parts[p], resolved_parts[p], take);
  if (!node.numbers_lead()) take(kernel.node(), node);
}

/// How the parameter follows from a length where it is still a word; none where it is a number.
std::optional<Role> open_role(const Leaf* leaf, const std::string& name) {
  for (const Leaf::Parameter& parameter : leaf ? leaf->parameters() : std::span<const Leaf::Parameter>()) {
    const std::optional<Argument> argument = parameter.get(*leaf);
    if (parameter.name == name && argument && std::holds_alternative<Word>(*argument)) return parameter.role;
  }
  return {};
}

}  // namespace

std::vector<std::string> axis_names(const Kernel& kernel, const Method& method) {
  std::vector<std::string> names;
  for (const KernelParameter& parameter : numeric_parameters(kernel)) names.push_back(parameter.name);
  std::size_t at = 0;
  visit(kernel, kernel, [&](const Node& node, const Node&) {
    for (std::size_t own = 0; own < node.numbers().size(); ++own, ++at) {
      const bool taken = std::ranges::any_of(method.parameters(),
                                             [&](const MethodParameter& p) { return p.name == names[at]; });
      if (taken && node.leaf()) names[at] = std::string(node.leaf()->name()) + "." + names[at];
    }
  });
  return names;
}

std::vector<GridAxis> open_axes(const Kernel& kernel, const Method& method, const Points& points,
                                std::span<const double> multiples) {
  const Kernel resolved = kernel.resolve(points);
  const std::vector<std::string> names = axis_names(resolved, method);
  std::vector<GridAxis> axes;
  std::size_t at = 0;
  visit(kernel, resolved, [&](const Node& node, const Node& numbers) {
    for (const KernelParameter& number : numbers.numbers()) {
      const std::string& name = names[at++];
      const std::optional<Role> role = open_role(node.leaf(), number.name);
      if (!role) continue;
      GridAxis& axis = axes.emplace_back(GridAxis{name, {}});
      for (const double multiple : multiples) axis.values.push_back(stretched(*role, number.value, multiple));
      std::ranges::sort(axis.values);
    }
  });
  return axes;
}

}  // namespace mercer

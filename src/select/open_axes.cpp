#include "select/open_axes.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/node.hpp"
#include "mercer/kernel_parameters.hpp"

namespace mercer {

namespace {

double stretched(Role role, double value, double multiple) {
  switch (role) {
    case Role::length: return value * multiple;
    case Role::inverse_length: return value / multiple;
    case Role::inverse_square: break;
  }
  return value / (multiple * multiple);
}

// Of each number of the resolved kernel, in the order of numeric_parameters(): what an open one is, or none.
class Open {
 public:
  Open(const Kernel& kernel, const Kernel& resolved) { visit(kernel, resolved); }
  const std::vector<std::optional<Role>>& roles() const { return roles_; }

 private:
  void visit(const Kernel& kernel, const Kernel& resolved) {
    const Node& node = kernel.node();
    const Node& numbers = resolved.node();
    if (numbers.numbers_lead()) take(node, numbers);
    const std::vector<Kernel> parts = kernel.parts(), resolved_parts = resolved.parts();
    for (std::size_t p = 0; p < parts.size(); ++p) visit(parts[p], resolved_parts[p]);
    if (!numbers.numbers_lead()) take(node, numbers);
  }
  void take(const Node& node, const Node& resolved) {
    for (const KernelParameter& number : resolved.numbers()) {
      std::optional<Role> role;
      for (const Leaf::Parameter& parameter : node.leaf() ? node.leaf()->parameters() : std::span<const Leaf::Parameter>()) {
        const std::optional<Argument> argument = parameter.get(*node.leaf());
        if (parameter.name == number.name && argument && std::holds_alternative<Word>(*argument)) role = parameter.role;
      }
      roles_.push_back(role);
    }
  }
  std::vector<std::optional<Role>> roles_;
};

}  // namespace

std::vector<GridAxis> open_axes(const Kernel& kernel, const Points& points, std::span<const double> multiples) {
  const Kernel resolved = kernel.resolve(points);
  const std::vector<KernelParameter> parameters = numeric_parameters(resolved);
  const Open open(kernel, resolved);
  std::vector<GridAxis> axes;
  for (std::size_t p = 0; p < parameters.size(); ++p) {
    if (!open.roles()[p]) continue;
    GridAxis& axis = axes.emplace_back(GridAxis{parameters[p].name, {}});
    for (const double multiple : multiples) axis.values.push_back(stretched(*open.roles()[p], parameters[p].value, multiple));
    std::ranges::sort(axis.values);
  }
  return axes;
}

}  // namespace mercer

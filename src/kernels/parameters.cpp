// Collects the numbers of all nodes of an expression, names them, and puts others in their place.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

struct Found {
  KernelParameter parameter;
  std::string leaf;  // the name of its leaf; empty for other nodes
  // Of the leaves of that name, or of the numbers of that name that other nodes have; from 1.
  std::size_t which = 0;
};

struct Search {
  std::vector<Found> found = {};
  std::map<std::string, std::size_t, std::less<>> leaves = {}, others = {};  // how many of each name

  void visit(const Kernel& kernel) {
    const Node& node = kernel.node();
    if (node.numbers_lead()) take(node);
    for (const Kernel& part : node.parts()) visit(part);
    if (!node.numbers_lead()) take(node);
  }
  void take(const Node& node) {
    const std::string leaf(node.leaf() ? node.leaf()->name() : "");
    const std::size_t number = node.leaf() ? ++leaves[leaf] : 0;
    for (KernelParameter& parameter : node.numbers()) {
      const std::size_t which = node.leaf() ? number : ++others[parameter.name];
      found.push_back({std::move(parameter), leaf, which});
    }
  }
  std::string name_of(const Found& one) const {
    const std::string& name = one.parameter.name;
    const auto same = [&](const Found& other) { return other.parameter.name == name; };
    if (std::ranges::count_if(found, same) == 1) return name;
    if (one.leaf.empty()) return fmt::format("{}[{}]", name, one.which);
    if (leaves.find(one.leaf)->second == 1) return fmt::format("{}.{}", one.leaf, name);
    return fmt::format("{}[{}].{}", one.leaf, one.which, name);
  }
};

/// Takes the numbers of the node and its parts from the front of `values`.
Kernel replaced(const Kernel& kernel, std::span<const double>& values) {
  const Node& node = kernel.node();
  const std::size_t count = node.numbers().size();
  std::span<const double> own;
  const auto take = [&] {
    own = values.first(count);
    values = values.subspan(count);
  };
  if (node.numbers_lead()) take();
  std::vector<Kernel> parts;
  for (const Kernel& part : node.parts()) parts.push_back(replaced(part, values));
  if (!node.numbers_lead()) take();
  const Kernel same = parts.empty() ? kernel : node.with_parts(std::move(parts));
  return count == 0 ? same : same.node().with_numbers(own);
}

}  // namespace

std::vector<KernelParameter> numeric_parameters(const Kernel& kernel) {
  if (!kernel.resolved())
    throw Error(ErrorCode::invalid_kernel, fmt::format("{} has words in the place of numbers", kernel.text()),
                {.hint = "resolve it on points first"});
  Search search;
  search.visit(kernel);
  std::vector<KernelParameter> parameters;
  for (const Found& one : search.found)
    parameters.push_back({search.name_of(one), one.parameter.value, one.parameter.interval});
  return parameters;
}

Kernel with_parameters(const Kernel& kernel, std::span<const double> values) {
  const std::vector<KernelParameter> parameters = numeric_parameters(kernel);
  if (values.size() != parameters.size())
    throw Error(ErrorCode::invalid_kernel,
                fmt::format("{} takes {} number{}, not {}", kernel.text(), parameters.size(),
                            parameters.size() == 1 ? "" : "s", values.size()));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (!parameters[i].interval.contains(values[i]))
      throw Error(ErrorCode::invalid_parameter, fmt::format("{} must be {}, not {}", parameters[i].name,
                                                            parameters[i].interval.text, to_text(values[i])));
  return replaced(kernel, values);
}

}  // namespace mercer

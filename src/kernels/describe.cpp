#include "mercer/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/catalogue.hpp"
#include "kernels/maps.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

KernelInfo describe(const Leaf& leaf) {
  KernelInfo info{.kind = KernelInfo::Kind::leaf,
                  .name = std::string(leaf.name()),
                  .formula = std::string(leaf.formula()),
                  .summary = std::string(leaf.summary()),
                  .properties = leaf.properties(),
                  .domains = {leaf.traits().domains.begin(), leaf.traits().domains.end()}};
  bool first_alternative = true;
  for (const auto& parameter : leaf.parameters()) {
    std::string standard;
    if (const auto value = parameter.get(leaf))
      standard = to_text(*value);
    else if (!parameter.alternative)
      standard = parameter.choices.empty() ? "none" : parameter.choices.front();
    if (standard == "\"\"") standard.clear();
    if (parameter.alternative && first_alternative) standard = "scale";
    std::string range(parameter.interval.text);
    if (parameter.alternative) range += ", scale, auto or median";
    if (parameter.word)
      range = parameter.choices.empty() ? "a word" : fmt::format("{}", fmt::join(parameter.choices, " or "));
    info.parameters.push_back({std::string(parameter.name), standard, range, std::string(parameter.meaning),
                               parameter.alternative && !first_alternative});
    first_alternative &= !parameter.alternative;
  }
  AnyLeaf resolved(leaf);
  for (const auto& parameter : leaf.parameters())
    if (parameter.role && !parameter.get(*resolved)) {
      parameter.set(*resolved, 1.0);
      break;
    }
  info.explicit_map = resolved->series(1).has_value();
  return info;
}

KernelInfo describe(const Combinator& rule) {
  KernelInfo info{.kind = KernelInfo::Kind::rule,
                  .name = std::string(rule.name),
                  .formula = std::string(rule.formula),
                  .summary = std::string(rule.summary),
                  .several = rule.several};
  for (const auto& p : rule.parameters)
    info.parameters.push_back({std::string(p.name), std::string(p.standard), "", std::string(p.meaning)});
  return info;
}

KernelInfo describe(const PointMapInfo& map, KernelInfo::Kind kind) {
  KernelInfo info{.kind = kind, .name = map.name, .formula = map.formula};
  if (!map.parameter.empty())
    info.parameters.push_back({map.parameter, to_text(map.default_value),
                               map.integer ? "a whole number from 1 to 1000" : "> 0", ""});
  return info;
}

/// Goes through the construction of a feature map without points, and notes where a series is cut off.
class MapKind final : public FeatureAlgebra {
 public:
  bool truncated = false, real = true;

  int terms() const override { return 1; }
  Id coordinates() override { return 0; }
  Id series(Id, const Series& series) override {
    truncated |= !series.exact;
    real &= std::ranges::all_of(series.coefficients, [](double c) { return c >= 0; });
    return 0;
  }
  Id join(std::span<const Id>) override { return 0; }
  Id tensor(Id, Id) override { return 0; }
  Id weigh(Id, const PointFunction&) override { return 0; }
  Id normalize(Id) override { return 0; }
  Id mapped(const PointMap&, const std::function<Id()>& inside) override { return inside(); }
};

/// Whether `get` succeeds: expressions without such a form refuse.
bool has(auto&& get) {
  try {
    get();
    return true;
  } catch (const Error&) {
    return false;
  }
}

ExpressionInfo::Map map_of(const Node& node) {
  MapKind kind;
  if (!has([&] { node.features(kind); }) || !kind.real) return ExpressionInfo::Map::none;
  return kind.truncated ? ExpressionInfo::Map::truncated : ExpressionInfo::Map::exact;
}

/// The leaves and named rules below the node, and itself, in the order in which they are written.
void collect_named(const Node& node, std::vector<KernelInfo>& found) {
  const std::string text = node.text();
  const auto add = [&](const auto& one, std::string_view name) {
    if (std::ranges::find(found, name, &KernelInfo::name) == found.end()) found.push_back(describe(one));
  };
  if (const Leaf* leaf = node.leaf()) return add(*leaf, leaf->name());
  if (node.binding() == Binding::atom && node.columns().empty())  // not k₁ + k₂, k₁·k₂, k^p, k@column
    for (const Combinator* rule : combinators())
      if (text.starts_with(std::string(rule->name) + "(")) add(*rule, rule->name);
  for (const Kernel& part : node.parts()) collect_named(part.node(), found);
}

}  // namespace

ExpressionInfo describe(const Kernel& kernel) {
  const Node& node = kernel.node();
  ExpressionInfo info{.named = {},
                      .properties = kernel.properties(),
                      .proof = kernel.prove(),
                      .map = map_of(node),
                      .spectral_density = has([&] { node.spectrum(); })};
  collect_named(node, info.named);
  return info;
}

std::vector<KernelInfo> kernel_catalogue() {
  std::vector<KernelInfo> all;
  for (const auto& leaf : leaves()) all.push_back(describe(*leaf));
  for (const Combinator* rule : combinators()) all.push_back(describe(*rule));
  for (const PointMapInfo& map : point_maps()) all.push_back(describe(map, KernelInfo::Kind::map));
  for (const PointMapInfo& function : point_functions())
    all.push_back(describe(function, KernelInfo::Kind::function));
  return all;
}

}  // namespace mercer

#include "mercer/catalogue.hpp"

#include <fmt/format.h>

#include "kernels/catalogue.hpp"
#include "kernels/maps.hpp"
#include "kernels/node.hpp"

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
    if (const auto value = parameter.get(leaf)) standard = to_text(*value);
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

}  // namespace

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

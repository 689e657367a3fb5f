// k(φ(x), φ(z)) (rule A7), with φ by name or any callable; k on some of the columns is the same rule. A
// kernel that is itself a formula over features of objects lends them to others: mapped(chi2, by=histogram),
// mapped(rbf, by="spectrum(k=4)").
#include <fmt/format.h>

#include <algorithm>

#include "mercer/spelling.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/column_formula.hpp"
#include "kernels/maps.hpp"
#include "kernels/node.hpp"
#include "kernels/scale.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

class Mapped : public RuleNode<Mapped> {
 public:
  static constexpr auto proved = "a valid kernel of mapped points";
  /// `domains`: of the objects that the map takes; none: rows of numbers.
  Mapped(Kernel k, PointMap map, std::span<const Domain> domains = {})
      : RuleNode({std::move(k)}), map_(std::move(map)), domains_(domains.begin(), domains.end()) {}
  std::string text() const override { return fmt::format("mapped({}, {})", k().text(), map_.key); }
  Properties properties() const override {
    const Properties p = k().properties();
    // Polynomials of the image are none of x, but constants are constants.
    const int order = p.conditional_order == 1 ? 1 : 0;
    return {.psd = p.psd, .conditional_order = order, .bound = p.bound, .diagonal = p.diagonal};
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    return algebra.mapped(map_, [&] { return k().node().features(algebra); });
  }
  Symbol trace(Tracer& tracer) const override {
    return tracer.mapped(map_, [&] { return k().node().trace(tracer); });
  }
  Dependence dependence() const override { return Dependence::linear; }
  std::vector<Domain> domains() const override { return domains_; }
  Points points_inside(const Points& points) const override { return map_.apply(points, nullptr, 1); }

 protected:
  PointMap map_;
  std::vector<Domain> domains_;
};

/// By a function of the program.
class MappedByFunction final : public Mapped {
 public:
  MappedByFunction(Kernel k, UserFunction by)
      : Mapped(std::move(k), map_by(by), domains_of(by)), by_(std::move(by)) {}
  std::string text() const override { return fmt::format("mapped({}, by=user:{})", k().text(), by_.name()); }
  const UserFunction* function() const override { return &by_; }
  Kernel with_parts(std::vector<Kernel> parts) const override {
    return Kernel(std::make_shared<MappedByFunction>(std::move(parts.front()), by_));
  }

 private:
  UserFunction by_;
};

/// By the features that a kernel of objects compares.
class MappedByFeatures final : public Mapped {
 public:
  MappedByFeatures(Kernel k, AnyLeaf leaf, const std::string& text)
      : Mapped(std::move(k), leaf_map(leaf, "by=" + to_text(Argument(Word{text}))), leaf->traits().domains),
        leaf_(std::move(leaf)) {}
  const Leaf* lender() const override { return &*leaf_; }
  bool open() const override { return has_words(*leaf_); }
  Kernel closed(const Points& points) const override {
    const Kernel features = resolve_scales(*leaf_, points);
    return Kernel(std::make_shared<MappedByFeatures>(k(), AnyLeaf(*features.node().leaf()), features.text()));
  }
  Kernel with_parts(std::vector<Kernel> parts) const override {
    auto node = std::make_shared<MappedByFeatures>(*this);
    node->parts_ = std::move(parts);
    return Kernel(node);
  }

 private:
  AnyLeaf leaf_;
};

class OnColumns final : public Mapped {
 public:
  OnColumns(Kernel k, std::vector<std::string> columns)
      : Mapped(std::move(k),
               {key(columns),
                [columns](const Points& p, const Points*, int) { return columns_named(p, columns); }, false,
                [columns](RowAlgebra& algebra, RowAlgebra::Id x, const Points& like) {
                  return algebra.columns(x, find_columns(like, columns));
                }}),
        columns_(std::move(columns)) {}
  std::string text() const override { return text_within(k(), Binding::atom) + map_.key; }
  Properties properties() const override {
    Properties p = k().properties();
    p.radial = false;  // a function of the distance in these columns alone
    return p;
  }
  std::vector<std::string> columns() const override { return columns_; }
  Kernel with_parts(std::vector<Kernel> parts) const override {
    auto node = std::make_shared<OnColumns>(*this);
    node->parts_ = std::move(parts);
    return Kernel(node);
  }

 private:
  std::vector<std::string> columns_;
  static std::string key(const std::vector<std::string>& columns) {
    const std::string list =
        list_text(columns, [](const std::string& column) { return to_text(Argument(Word{column})); });
    return columns.size() == 1 ? "@" + list : "@[" + list + "]";
  }
};

bool has_features(const Leaf& leaf) {
  return leaf.traits().map || (!leaf.traits().domains.empty() && leaf.traits().statistic != Statistic::pairs);
}

[[noreturn]] void refuse_map(const std::string& name) {
  std::vector<std::string> names;
  for (const PointMapInfo& map : point_maps()) names.push_back(map.name);
  for (const AnyLeaf& leaf : leaves())
    if (has_features(*leaf)) names.emplace_back(leaf->name());
  const std::string near = nearest_word(name, names);
  throw Error(ErrorCode::unknown_name, fmt::format("unknown map '{}'", name),
              {.hint = near.empty() ? fmt::format("the maps are {}, and lists of formulas over columns, such "
                                                  "as [x1, x1^2]",
                                                  fmt::join(names, ", "))
                                    : fmt::format("did you mean '{}'?", near)});
}

/// `by` is a kernel in full, with its parameters: k of the features that it compares.
Kernel by_features(const Kernel& k, const std::string& by, bool alone) {
  const std::string name = by.substr(0, by.find_first_of("( "));
  if (std::ranges::none_of(leaves(),
                           [&](const AnyLeaf& leaf) { return leaf->name() == name && has_features(*leaf); }))
    refuse_map(by);
  if (!alone)
    throw Error(ErrorCode::invalid_kernel, fmt::format("by={} takes no parameter degree", name),
                {.hint = "parameters of a kernel stand with it, in quotes"});
  const Kernel features = Kernel::parse(by);
  if (!features.node().leaf())
    throw Error(ErrorCode::invalid_kernel, fmt::format("by=\"{}\" is more than one kernel", by),
                {.hint = fmt::format("name one, such as \"{}\"", name)});
  return Kernel(std::make_shared<MappedByFeatures>(k, AnyLeaf(*features.node().leaf()), features.text()));
}

Kernel by_name(const Kernel& k, const Combinator::Arguments& arguments) {
  // The name first: an unknown map has no parameters that could be wrong.
  for (const auto& argument : arguments) {
    if (argument.first != "by") continue;
    const Choice choice = choose(point_maps(), Combinator::Arguments{argument});
    if (choice.info) continue;
    if (!choice.name.starts_with('[')) return by_features(k, choice.name, arguments.size() == 1);
    if (arguments.size() > 1)
      throw Error(ErrorCode::invalid_kernel, "formulas over columns take no parameter degree");
    const ColumnFormulas formulas = ColumnFormulas::parse(choice.name);
    return Kernel(std::make_shared<Mapped>(
        k, PointMap{"by=" + formulas.text(),
                    [formulas](const Points& points, const Points*, int) { return formulas.apply(points); },
                    false,
                    [formulas](RowAlgebra& algebra, RowAlgebra::Id x, const Points& like) {
                      return formulas.write(algebra, x, like);
                    }}));
  }
  const Choice choice = choose(point_maps(), arguments);
  return Kernel(
      std::make_shared<Mapped>(k, PointMap{choice.text(),
                                           [choice](const Points& points, const Points*, int) {
                                             return map_rows(points, [&](std::span<const double> x) {
                                               return choice.info->apply(x, choice.parameter);
                                             });
                                           },
                                           false,
                                           [choice](RowAlgebra& algebra, RowAlgebra::Id x, const Points&) {
                                             return choice.info->write(algebra, x, choice.parameter);
                                           }}));
}

}  // namespace

Kernel mapped(const Kernel& k, const std::string& by) { return by_name(k, {{"by", Word{by}}}); }

Kernel mapped(const Kernel& k, const UserFunction& by) {
  if (by.is_kernel())
    throw Error(ErrorCode::invalid_kernel, fmt::format("user:{} is a kernel, not a map of rows", by.name()));
  return Kernel(std::make_shared<MappedByFunction>(k, by));
}

Kernel mapped(const Kernel& k, std::function<std::vector<double>(std::span<const double>)> by,
              std::string name) {
  return mapped(k, UserFunction(std::move(name), [by = std::move(by)](const Points& points) {
                  return image_rows(points, by);
                }));
}

Kernel on_columns(const Kernel& k, std::vector<std::string> columns) {
  if (columns.empty()) throw Error(ErrorCode::invalid_kernel, "name at least one column after @");
  return Kernel(std::make_shared<OnColumns>(k, std::move(columns)));
}

extern const Combinator mapped_combinator{
    .name = "mapped",
    .formula = "k(φ(x), φ(z))",
    .summary = "a kernel of mapped rows; of linear it is the map's own kernel φ(x)ᵀφ(z)",
    .parameters =
        {{"by",
          "squares, powers, append_norm, unit, formulas over columns, e.g. [x1, x2, x1^2 + x2^2], or "
          "a kernel whose features it takes, e.g. histogram or \"spectrum(k=4)\"",
          "", true},
         {"degree", "highest power of powers", "3"}},
    .build = [](const std::vector<Kernel>& kernels,
                const Combinator::Arguments& arguments) { return by_name(kernels.front(), arguments); },
    .build_by = [](const Kernel& k, const UserFunction& by) { return mapped(k, by); }};

}  // namespace mercer

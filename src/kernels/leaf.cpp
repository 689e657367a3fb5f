// Leaves as nodes of an expression: checking, printing and tracing any Leaf.
#include "mercer/leaf.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/maps.hpp"
#include "kernels/object_column.hpp"
#include "kernels/node.hpp"
#include "kernels/scale.hpp"
#include "mercer/dataset.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

/// Calls `use` with the number that the argument is, or with each of its list or lists.
void for_each_number(Argument& argument, auto&& use) {
  if (double* number = std::get_if<double>(&argument)) use(*number);
  if (auto* list = std::get_if<std::vector<double>>(&argument)) std::ranges::for_each(*list, use);
  if (auto* rows = std::get_if<std::vector<std::vector<double>>>(&argument))
    for (std::vector<double>& row : *rows) std::ranges::for_each(row, use);
}

class LeafNode final : public Node {
 public:
  explicit LeafNode(AnyLeaf leaf) : leaf_(std::move(leaf)) {}

  std::string text() const override {
    std::string list;
    for (const auto& parameter : leaf_->parameters())
      if (const auto value = parameter.get(*leaf_))
        list += fmt::format("{}{}={}", list.empty() ? "" : ", ", parameter.name, to_text(*value));
    return list.empty() ? std::string(leaf_->name()) : fmt::format("{}({})", leaf_->name(), list);
  }
  Properties properties() const override { return leaf_->properties(); }
  Proof prove() const override {
    if (leaf_->properties().psd) return {true, fmt::format("{} is positive semidefinite", leaf_->name())};
    if (const int order = leaf_->properties().conditional_order)
      return {false, fmt::format("{} is positive semidefinite only conditionally, of order {}", leaf_->name(),
                                 order)};
    return {false, fmt::format("{} is not positive semidefinite in general", leaf_->name())};
  }
  Symbol trace(Tracer& tracer) const override {
    if (const auto composed = leaf_->composed()) return composed->node().trace(tracer);
    if (!has_image()) return formula(tracer);
    return tracer.mapped(map(), [&] { return formula(tracer); });
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    if (const auto composed = leaf_->composed()) return composed->node().features(algebra);
    if (is_dot_of_features()) return algebra.mapped(map(), [&] { return algebra.coordinates(); });
    const auto series = leaf_->series(algebra.terms());
    if (!series) return Node::features(algebra);
    const auto inside = [&] { return algebra.series(algebra.coordinates(), *series); };
    return has_image() ? algebra.mapped(map(), inside) : inside();
  }
  std::vector<SpectralTerm> spectrum() const override {
    if (const auto composed = leaf_->composed()) return composed->node().spectrum();
    const Properties p = leaf_->properties();
    if (leaf_->traits().statistic == Statistic::none && p.diagonal) return {{.weight = *p.diagonal}};
    const auto spectral = leaf_->spectral();
    if (!spectral) return Node::spectrum();
    return {{.factors = {{*spectral, {}}}}};
  }
  std::optional<DotPower> dot_power() const override { return leaf_->dot_power(); }
  std::vector<Kernel> parts() const override { return {}; }
  Kernel with_parts(std::vector<Kernel>) const override { return Kernel(std::make_shared<LeafNode>(leaf_)); }
  const Leaf* leaf() const override { return &*leaf_; }
  std::vector<Domain> domains() const override {
    return {leaf_->traits().domains.begin(), leaf_->traits().domains.end()};
  }
  std::vector<KernelParameter> numbers() const override {
    std::vector<KernelParameter> list;
    for (const auto& parameter : leaf_->parameters()) {
      const std::vector<double> numbers = numbers_in(parameter);
      const bool several = !numbers.empty() && !std::holds_alternative<double>(*parameter.get(*leaf_));
      for (std::size_t i = 0; i < numbers.size(); ++i)
        list.push_back({several ? fmt::format("{}[{}]", parameter.name, i + 1) : std::string(parameter.name),
                        numbers[i], parameter.interval});
    }
    return list;
  }
  Kernel with_numbers(std::span<const double> values) const override {
    AnyLeaf changed = leaf_;
    std::size_t next = 0;
    for (const auto& parameter : leaf_->parameters()) {
      if (numbers_in(parameter).empty()) continue;
      Argument argument = *parameter.get(*leaf_);
      for_each_number(argument, [&](double& number) { number = values[next++]; });
      parameter.set(*changed, argument);
    }
    return make_kernel(std::move(changed));
  }

 private:
  /// The number or numbers of a continuous parameter; none where it is not given, is a word, or is of another
  /// kind.
  std::vector<double> numbers_in(const Leaf::Parameter& parameter) const {
    std::optional<Argument> value = parameter.get(*leaf_);
    std::vector<double> numbers;
    if (value && !parameter.integer && parameter.interval.continuous)
      for_each_number(*value, [&](double number) { numbers.push_back(number); });
    return numbers;
  }
  /// Whether the statistic is over images of the points.
  bool has_image() const {
    return leaf_->traits().map ||
           (!leaf_->traits().domains.empty() && leaf_->traits().statistic != Statistic::pairs);
  }
  PointMap map() const { return leaf_map(leaf_, text()); }
  /// k(x, z) is the dot product of the objects' features itself.
  bool is_dot_of_features() const {
    if (leaf_->traits().domains.empty() || leaf_->traits().statistic != Statistic::dot || leaf_->uses_self())
      return false;
    Formula formula;
    formula.finish(leaf_->trace(formula.statistic(0), 0, 0));
    return formula.operations().size() == 1 && formula.operations()[0].code == Formula::Code::statistic;
  }
  Symbol formula(Tracer& tracer) const {
    if (leaf_->traits().statistic == Statistic::none) return leaf_->trace(0, 0, 0);
    if (leaf_->traits().statistic == Statistic::tile)
      return leaf_->trace(tracer.tile(
                              text(), [leaf = leaf_](auto&&... arguments) { leaf->tile(arguments...); },
                              [leaf = leaf_](const Points& points) { leaf->check_reference(points); }),
                          0, 0);
    if (leaf_->traits().statistic == Statistic::pairs) return pairs(tracer);
    const Symbol statistic = tracer.statistic(*leaf_);
    if (!leaf_->uses_self()) return leaf_->trace(statistic, 0, 0);
    const auto [xx, zz] = tracer.self_statistic(*leaf_);
    return leaf_->trace(statistic, xx, zz);
  }
  /// The column is found, and read as what the leaf compares, once for each set of points, not for each tile.
  Symbol pairs(Tracer& tracer) const {
    const PointMap column{fmt::format("column of {}", leaf_->name()),
                          [leaf = leaf_](const Points& points, const Points*, int) {
                            return Points(object_column(points, leaf->traits().domains, leaf->name()));
                          }};
    const auto fill = [leaf = leaf_](const Points& x, Range rows, const Points& z, Range columns,
                                     double* out) {
      leaf->pairs(x.objects().front(), rows, z.objects().front(), columns, out);
    };
    return tracer.mapped(column, [&] {
      const Symbol statistic = tracer.tile(text(), fill);
      if (!leaf_->uses_self()) return leaf_->trace(statistic, 0, 0);
      const auto [xx, zz] = tracer.self_tile(text(), fill);
      return leaf_->trace(statistic, xx, zz);
    });
  }

  AnyLeaf leaf_;
};

void check_word(const Leaf::Parameter& parameter, const std::string& word) {
  if (parameter.choices.empty() || std::ranges::find(parameter.choices, word) != parameter.choices.end())
    return;
  throw Error::of_parameter("", parameter.name,
                            fmt::format("must be {}", fmt::join(parameter.choices, " or ")), word);
}

void check_number(const Leaf::Parameter& parameter, double value) {
  const Interval& range = parameter.interval;
  if (range.contains(value) && (!parameter.integer || value == std::floor(value))) return;
  const char* limit = value > range.high && range.high == any_number.high ? " and at most 1e300"
                      : value < range.low && range.low == any_number.low  ? " and at least -1e300"
                                                                          : "";
  throw Error::of_parameter("", parameter.name, fmt::format("must be {}{}", range.text, limit),
                            to_text(value));
}

}  // namespace

PointMap leaf_map(const AnyLeaf& leaf, const std::string& key) {
  if (leaf->traits().map)
    return {key,
            [leaf](const Points& points, const Points*, int) {
              return map_rows(points, [&](std::span<const double> x) { return leaf->map(x); });
            },
            false,
            [leaf](RowAlgebra& algebra, RowAlgebra::Id x, const Points&) { return leaf->map(algebra, x); }};
  return {key,
          [leaf, key](const Points& points, const Points* reference, int threads) {
            ObjectFeatures features{
                key, [&](const Objects& x, std::size_t i, FeatureRow& row) { leaf->features(x, i, row); },
                leaf->weighs_by_rarity(), leaf->words()};
            if (leaf->traits().aligned) features.layout = [&](const Objects& x) { return leaf->layout(x); };
            return feature_image(object_column(points, leaf->traits().domains, leaf->name()), features,
                                 reference, threads);
          },
          leaf->weighs_by_rarity()};
}

Kernel make_kernel(AnyLeaf leaf) {
  try {
    std::vector<const Leaf::Parameter*> alternatives, given;
    for (const auto& parameter : leaf->parameters()) {
      auto value = parameter.get(*leaf);
      if (parameter.alternative) alternatives.push_back(&parameter);
      if (parameter.alternative && value) given.push_back(&parameter);
      const bool one = value && std::holds_alternative<double>(*value);
      if (one || (value && parameter.interval.continuous))
        for_each_number(*value, [&](double number) { check_number(parameter, number); });
      if (const Word* word = value ? std::get_if<Word>(&*value) : nullptr) check_word(parameter, word->text);
    }
    if (given.size() > 1)
      throw Error(ErrorCode::invalid_kernel,
                  fmt::format("{} and {} say the same thing twice", given[0]->name, given[1]->name),
                  {.hint = "give one of them"});
    if (given.empty() && !alternatives.empty()) alternatives.front()->set(*leaf, Word{"scale"});
    leaf->prepare();
  } catch (const Error& error) {
    throw error.about(leaf->name());
  }
  return Kernel(std::make_shared<LeafNode>(std::move(leaf)));
}

std::vector<double> exponential_series(double rate, int terms) {
  std::vector<double> coefficients;
  double term = 1;
  for (int t = 0; t < terms; ++t) {
    coefficients.push_back(term);
    term *= rate / (t + 1);
  }
  return coefficients;
}

namespace detail {

std::optional<Argument> written(double value) { return value; }
std::optional<Argument> written(int value) { return double(value); }
std::optional<Argument> written(const std::optional<Scale>& value) {
  if (!value) return std::nullopt;
  if (value->kind == Scale::Kind::number) return value->value;
  return Word{std::string(text_of(value->kind))};
}
std::optional<Argument> written(const Matrix& value) {
  if (!value.rows.empty()) return value.rows;
  return Word{value.file};
}
std::optional<Argument> written(const Table& value) {
  if (!std::ranges::all_of(value.rows, [](const auto& row) { return row.size() == 1; })) return value.rows;
  std::vector<double> list;
  for (const std::vector<double>& row : value.rows) list.push_back(row.front());
  return list;
}
std::optional<Argument> written(const std::vector<double>& value) { return value; }
std::optional<Argument> written(const std::string& value) { return Word{value}; }
std::optional<Argument> written(const std::optional<std::string>& value) {
  if (!value) return std::nullopt;
  return Word{*value};
}

void assign(double& value, const Argument& argument) {
  const double* number = std::get_if<double>(&argument);
  if (!number)
    throw Error(ErrorCode::invalid_parameter, fmt::format("must be a number, not {}", to_text(argument)));
  value = *number;
}
void assign(int& value, const Argument& argument) {
  double number = 0;
  assign(number, argument);
  if (!(std::abs(number) <= 1e9) || number != std::floor(number))
    throw Error(ErrorCode::invalid_parameter, fmt::format("must be a whole number, not {}", to_text(number)));
  value = int(number);
}
void assign(std::optional<Scale>& value, const Argument& argument) {
  const Word* word = std::get_if<Word>(&argument);
  if (const auto kind = word ? scale_kind(word->text) : std::nullopt) {
    value = *kind;
  } else if (const double* number = std::get_if<double>(&argument)) {
    value = *number;
  } else {
    throw Error(ErrorCode::invalid_parameter,
                fmt::format("must be a number, scale, auto or median, not {}", to_text(argument)));
  }
}
void assign(Matrix& value, const Argument& argument) {
  value = {};
  if (const Word* word = std::get_if<Word>(&argument)) {
    value.file = word->text;
  } else if (const auto* diagonal = std::get_if<std::vector<double>>(&argument)) {
    value.rows.assign(diagonal->size(), std::vector<double>(diagonal->size()));
    for (std::size_t i = 0; i < diagonal->size(); ++i) value.rows[i][i] = (*diagonal)[i];
  } else if (const auto* rows = std::get_if<std::vector<std::vector<double>>>(&argument)) {
    value.rows = *rows;
  } else {
    throw Error(ErrorCode::invalid_parameter,
                "must be a matrix [[…], […]], a diagonal […] or a file in quotes");
  }
}

void assign(Table& value, const Argument& argument) {
  value = {};
  if (const auto* list = std::get_if<std::vector<double>>(&argument)) {
    for (const double number : *list) value.rows.push_back({number});
  } else if (const auto* rows = std::get_if<std::vector<std::vector<double>>>(&argument)) {
    value.rows = *rows;
  } else {
    throw Error(
        ErrorCode::invalid_parameter,
        fmt::format("must be a list such as [0.5, 2] or [[0.5, 2], [1, 3]], not {}", to_text(argument)));
  }
}
void assign(std::vector<double>& value, const Argument& argument) {
  const auto* list = std::get_if<std::vector<double>>(&argument);
  if (!list)
    throw Error(ErrorCode::invalid_parameter,
                fmt::format("must be a list such as [0.5, 2], not {}", to_text(argument)));
  value = *list;
}

void assign(std::string& value, const Argument& argument) {
  const Word* word = std::get_if<Word>(&argument);
  if (!word)
    throw Error(ErrorCode::invalid_parameter, fmt::format("must be a word, not {}", to_text(argument)));
  value = word->text;
}
void assign(std::optional<std::string>& value, const Argument& argument) {
  assign(value.emplace(), argument);
}

void load(Matrix& value) {
  const Points points = read(value.file, {.target = "none"}).points;
  for (std::size_t i = 0; i < points.rows(); ++i) value.rows.push_back(points.row(i));
}

}  // namespace detail

}  // namespace mercer

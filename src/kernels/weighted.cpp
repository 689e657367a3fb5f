// f(x) k(x,z) f(z) (rule A6): valid for any f, since f(x)φ(x) is a feature map too.
#include <fmt/format.h>

#include "kernels/catalogue.hpp"
#include "kernels/column_formula.hpp"
#include "kernels/maps.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

class Weighted : public RuleNode<Weighted> {
 public:
  static constexpr auto proved = "f(x) k(x,z) f(z) with a valid k";
  Weighted(Kernel k, PointFunction f) : RuleNode({std::move(k)}), f_(std::move(f)) {}
  std::string text() const override { return fmt::format("weighted({}, {})", k().text(), f_.key); }
  Properties properties() const override { return {.psd = k().properties().psd}; }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    return algebra.weigh(k().node().features(algebra), f_);
  }
  Symbol trace(Tracer& tracer) const override {
    const auto [fx, fz] = tracer.value(f_);
    return k().node().trace(tracer) * (fx * fz);
  }
  Dependence dependence() const override { return Dependence::linear; }

 protected:
  PointFunction f_;
};

/// By a function of the program.
class WeightedByFunction final : public Weighted {
 public:
  WeightedByFunction(Kernel k, UserFunction by) : Weighted(std::move(k), weight_by(by)), by_(std::move(by)) {}
  std::string text() const override {
    return fmt::format("weighted({}, by=user:{})", k().text(), by_.name());
  }
  const UserFunction* function() const override { return &by_; }
  Kernel with_parts(std::vector<Kernel> parts) const override {
    return Kernel(std::make_shared<WeightedByFunction>(std::move(parts.front()), by_));
  }

 private:
  UserFunction by_;
};

std::vector<double> at_each_row(const Points& points,
                                const std::function<double(std::span<const double>)>& f) {
  std::vector<double> values, row(points.cols());
  for (std::size_t i = 0; i < points.rows(); ++i) {
    points.copy_row(i, row);
    values.push_back(f(row));
  }
  return values;
}

Kernel by_name(const Kernel& k, const Choice& choice) {
  if (!choice.info) {  // not a function's name: a column or a formula over columns
    const bool is_formula = choice.name.starts_with('[');
    const ColumnFormulas formula =
        is_formula ? ColumnFormulas::parse(choice.name) : ColumnFormulas::column(choice.name);
    if (formula.size() != 1)
      throw Error(ErrorCode::invalid_kernel, fmt::format("by has {} formulas", formula.size()),
                  {.hint = "a weight is one number; mapped takes several"});
    return Kernel(std::make_shared<Weighted>(
        k, PointFunction{is_formula ? "by=" + formula.text() : choice.text(),
                         [formula](const Points& p) { return formula.values(p); },
                         [formula](RowAlgebra& algebra, RowAlgebra::Id x, const Points& like) {
                           return formula.write(algebra, x, like);
                         }}));
  }
  return Kernel(std::make_shared<Weighted>(
      k, PointFunction{choice.text(),
                       [choice](const Points& points) {
                         return at_each_row(points, [&](std::span<const double> x) {
                           return choice.info->apply(x, choice.parameter).front();
                         });
                       },
                       [choice](RowAlgebra& algebra, RowAlgebra::Id x, const Points&) {
                         return choice.info->write(algebra, x, choice.parameter);
                       }}));
}

}  // namespace

Kernel weighted(const Kernel& k, const std::string& by) { return by_name(k, choose(point_functions(), by)); }

Kernel weighted(const Kernel& k, const UserFunction& by) {
  if (by.is_kernel())
    throw Error(ErrorCode::invalid_kernel,
                fmt::format("user:{} is a kernel, not a function of rows", by.name()));
  return Kernel(std::make_shared<WeightedByFunction>(k, by));
}

Kernel weighted(const Kernel& k, std::function<double(std::span<const double>)> by, std::string name) {
  return weighted(k, UserFunction(std::move(name), [by = std::move(by)](const Points& points) {
                    return image_rows(points, [&](std::span<const double> x) { return std::vector{by(x)}; });
                  }));
}

extern const Combinator weighted_combinator{
    .name = "weighted",
    .formula = "f(x)·k(x,z)·f(z)",
    .summary = "a kernel weighted by a function of each row",
    .parameters = {{"by",
                    "norm, inverse_norm, exp_norm, a column, or a formula over columns, e.g. exp(-x1^2)", "",
                    true},
                   {"sigma", "width of exp_norm", "1"}},
    .build =
        [](const std::vector<Kernel>& kernels, const Combinator::Arguments& arguments) {
          return by_name(kernels.front(), choose(point_functions(), arguments));
        },
    .build_by = [](const Kernel& k, const UserFunction& by) { return weighted(k, by); }};

}  // namespace mercer

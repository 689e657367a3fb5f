// f(x) k(x,z) f(z) (rule A6): valid for any f, since f(x)φ(x) is a feature map too.
#include <fmt/format.h>

#include "kernels/catalogue.hpp"
#include "kernels/maps.hpp"
#include "kernels/node.hpp"

namespace mercer {

namespace {

class Weighted final : public RuleNode<Weighted> {
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

 private:
  PointFunction f_;
};

std::vector<double> column_values(const Points& points, const std::string& column) {
  const std::size_t number = find_columns(points, std::span(&column, 1)).front();
  const Points one = points.select_columns(std::span(&number, 1));
  std::vector<double> values(points.rows());
  for (std::size_t i = 0; i < values.size(); ++i) one.copy_row(i, std::span(values).subspan(i, 1));
  return values;
}

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
  if (!choice.info)  // not a function's name: a column
    return Kernel(std::make_shared<Weighted>(
        k, PointFunction{choice.text(),
                         [column = choice.name](const Points& p) { return column_values(p, column); }}));
  return Kernel(std::make_shared<Weighted>(
      k, PointFunction{choice.text(), [choice](const Points& points) {
                         return at_each_row(points, [&](std::span<const double> x) {
                           return choice.info->apply(x, choice.parameter).front();
                         });
                       }}));
}

}  // namespace

Kernel weighted(const Kernel& k, const std::string& by) { return by_name(k, choose(point_functions(), by)); }

Kernel weighted(const Kernel& k, std::function<double(std::span<const double>)> by) {
  return Kernel(std::make_shared<Weighted>(
      k, PointFunction{user_key(),
                       [by = std::move(by)](const Points& points) { return at_each_row(points, by); }}));
}

extern const Combinator weighted_combinator{
    .name = "weighted",
    .formula = "f(x)·k(x,z)·f(z)",
    .summary = "a kernel weighted by a function of each row",
    .parameters = {{"by", "norm, inverse_norm, exp_norm, or a column", ""},
                   {"sigma", "width of exp_norm", "1"}},
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments& arguments) {
      return by_name(kernels.front(), choose(point_functions(), arguments));
    }};

}  // namespace mercer

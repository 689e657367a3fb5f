// k(Dx, Dz) with D = diag(w) (rule A7): each column has a weight of its own, so that a radial kernel can tell
// columns that matter from those that do not (automatic relevance determination; MacKay 1994, Neal 1996).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/catalogue.hpp"
#include "kernels/maps.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

class ScaledColumns final : public RuleNode<ScaledColumns> {
 public:
  static constexpr auto proved = "a valid kernel of scaled points";
  ScaledColumns(Kernel k, std::vector<double> by) : RuleNode({std::move(k)}), by_(std::move(by)) {}
  std::string text() const override { return fmt::format("scaled({}, {})", k().text(), key()); }
  Properties properties() const override {
    Properties p = k().properties();
    p.radial =
        p.radial && std::ranges::all_of(by_, [&](double w) { return std::abs(w) == std::abs(by_.front()); });
    return p;
  }
  Symbol trace(Tracer& tracer) const override {
    return tracer.mapped(map(), [&] { return k().node().trace(tracer); });
  }
  FeatureAlgebra::Id features(FeatureAlgebra& algebra) const override {
    return algebra.mapped(map(), [&] { return k().node().features(algebra); });
  }
  std::vector<SpectralTerm> spectrum() const override {
    std::vector<SpectralTerm> terms = k().node().spectrum();
    for (SpectralTerm& term : terms)
      for (auto& factor : term.factors) {
        if (factor.by.empty()) factor.by.assign(by_.size(), 1);
        check_columns(factor.by.size());
        for (std::size_t k = 0; k < by_.size(); ++k) factor.by[k] *= by_[k];
      }
    return terms;
  }
  Dependence dependence() const override { return Dependence::linear; }
  std::vector<KernelParameter> numbers() const override {
    std::vector<KernelParameter> weights;  // one above 0 stays there, so that its logarithm can be looked for
    for (const double weight : by_) weights.push_back({"by", weight, weight > 0 ? positive : any_number});
    return weights;
  }
  Kernel with_numbers(std::span<const double> values) const override {
    return scaled(k(), {values.begin(), values.end()});
  }
  Points points_inside(const Points& points) const override {
    check_columns(points.cols());
    return with_scaled_columns(points, by_);
  }

 private:
  std::string key() const { return "by=" + to_text(Argument(by_)); }
  void check_columns(std::size_t columns) const {
    if (columns == by_.size()) return;
    throw Error(ErrorCode::invalid_kernel,
                fmt::format("by has {} weights but the points have {} columns", by_.size(), columns),
                {.owner = "scaled", .hint = "one for each is needed"});
  }
  PointMap map() const {
    return {
        "scaled " + key(),
        [node = *this](const Points& points, const Points*, int) { return node.points_inside(points); },
        false,
        [by = by_](RowAlgebra& algebra, RowAlgebra::Id x, const Points&) { return algebra.scale(x, by); }};
  }

  std::vector<double> by_;
};

}  // namespace

Kernel scaled(const Kernel& k, std::vector<double> by) {
  if (by.empty())
    throw Error(ErrorCode::invalid_kernel, "by must list one weight for each column, e.g. by=[1, 0.5]");
  const auto wrong = std::ranges::find_if_not(by, [](double weight) { return std::isfinite(weight); });
  if (wrong != by.end())
    throw Error(ErrorCode::invalid_parameter,
                fmt::format("weight {} of by must be a finite number", wrong - by.begin() + 1));
  return Kernel(std::make_shared<ScaledColumns>(k, std::move(by)));
}

extern const Combinator scaled_combinator{
    .name = "scaled",
    .formula = "k(Dx, Dz), D = diag(by)",
    .summary = "a weight for each column (automatic relevance determination)",
    .parameters = {{"by", "one weight for each column, e.g. [1, 0.5, 2]", ""}},
    .build = [](const std::vector<Kernel>& kernels, const Combinator::Arguments& arguments) {
      const auto* by = std::get_if<std::vector<double>>(&arguments.at(0).second);
      if (!by)
        throw Error::of_parameter("", "by", "must be a list of numbers", to_text(arguments.at(0).second));
      return scaled(kernels.front(), *by);
    }};

}  // namespace mercer

#include "model_selection/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/mkl.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernel_parameters.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "model_selection/kernel_families.hpp"
#include "model_selection/open_axes.hpp"

namespace mercer {

namespace {

constexpr std::size_t sampled = 500;  // rows that scales are measured on

Points evenly_spaced(const Points& points, std::size_t most) {
  const std::size_t n = points.rows(), count = std::min(n, most);
  std::vector<std::size_t> rows(count);
  for (std::size_t e = 0; e < count; ++e) rows[e] = e * n / count;
  return points.select_rows(rows);
}

double mean_diagonal(const Kernel& kernel, const Points& points) {
  const Points sample = evenly_spaced(points, sampled);
  std::vector<double> diagonal(sample.rows());
  KernelOperator<double>(kernel, sample, {.threads = 1}).diagonal(diagonal);
  const double mean = std::accumulate(diagonal.begin(), diagonal.end(), 0.0) / double(diagonal.size());
  return mean > 0 ? mean : 1;
}

/// The standard deviation of the target, all outputs together; 1 where it is constant, and of classes.
double spread(const Target& target) {
  if (target.values.empty()) return 1;
  const double n = double(target.values.size());
  const double mean = std::accumulate(target.values.begin(), target.values.end(), 0.0) / n;
  double sum = 0;
  for (const double value : target.values) sum += (value - mean) * (value - mean);
  return sum > 0 ? std::sqrt(sum / n) : 1;
}

double unit_of(SearchUnit unit, double diagonal, double spread) {
  switch (unit) {
    case SearchUnit::diagonal:
      return diagonal;
    case SearchUnit::inverse_diagonal:
      return 1 / diagonal;
    case SearchUnit::spread:
      return spread;
    case SearchUnit::spread_over_diagonal:
      return spread / diagonal;
    case SearchUnit::one:
      break;
  }
  return 1;
}

/// What the method's traits ask for, in the units of these data.
std::vector<GridAxis> method_axes(const Method& method, const Kernel& kernel, const Dataset& data) {
  const bool learned = !kernel.resolved();  // mkl(…), whose terms get a mean diagonal of 1
  const bool grows = !learned && !kernel.properties().diagonal;
  std::vector<GridAxis> axes;
  if (method.traits().search.empty()) return axes;
  const double diagonal = learned ? 1 : mean_diagonal(kernel, data.points), deviation = spread(data.target);
  for (const SearchRange& range : method.traits().search) {
    const double unit = unit_of(range.unit, diagonal, deviation);
    GridAxis axis{std::string(range.parameter), {}};
    for (const double value : range.values) axis.values.push_back(value * unit);
    const double first = grows                      ? range.low + range.shift_of_growing
                         : small_table(data.points) ? range.low_of_few_rows
                                                    : range.low,
                 last = range.high + (grows ? range.shift_of_growing : 0);
    for (int e = 0; range.values.empty() && first + range.step * e <= last + 1e-9; ++e)
      axis.values.push_back(unit * std::pow(range.base, first + range.step * e));
    axes.push_back(std::move(axis));
  }
  return axes;
}

/// The axis of a number by its name in numeric_parameters().
GridAxis axis_of(const SearchSpace& space, const std::string& number, std::vector<double> values) {
  const std::vector<KernelParameter> numbers = numeric_parameters(space.kernel);
  const auto place = std::ranges::find(numbers, number, &KernelParameter::name) - numbers.begin();
  return {axis_names(space.kernel, *space.method)[std::size_t(place)], std::move(values)};
}

bool has_number(const SearchSpace& space, const std::string& name) {
  if (!space.kernel.resolved()) return true;  // tune() looks at the method's
  return std::ranges::any_of(space.method->parameters(),
                             [&](const MethodParameter& p) { return p.name == name; }) ||
         std::ranges::count(axis_names(space.kernel, *space.method), name) > 0;
}

/// Targets are seldom around 0: a constant beside f costs nothing, unless the user said none.
AnyMethod with_free_constant(AnyMethod method, const AutomaticOptions& options) {
  if (std::ranges::find(options.fixed, "bias") != options.fixed.end()) return method;
  for (const MethodParameter& parameter : method->parameters())
    if (parameter.name == "bias") method->set("bias", Word{"free"});
  return method;
}

/// The user's axes in place of the program's.
void apply_wishes(SearchSpace& space, const AutomaticOptions& options) {
  const auto given = [&](std::string_view name) {
    return std::ranges::count(options.fixed, name) > 0 ||
           std::ranges::count(options.axes, name, &GridAxis::parameter) > 0;
  };
  const auto search = space.method->traits().search;
  std::erase_if(space.axes, [&](const GridAxis& axis) {
    const auto own = std::ranges::find(search, axis.parameter, &SearchRange::parameter);
    return given(axis.parameter) || (own != search.end() && std::ranges::any_of(own->unless, given));
  });
  space.axes.insert(space.axes.begin(), options.axes.begin(), options.axes.end());
}

}  // namespace

std::vector<SearchSpace> candidates(const Dataset& scaled, const AutomaticOptions& options) {
  const bool classes = scaled.target.task == Task::classification;
  const AnyMethod chosen = options.method ? *options.method : classes ? AnyMethod(Svm{}) : AnyMethod(Ridge{});
  const AnyMethod method = classes ? chosen : with_free_constant(chosen, options);
  const std::vector<KernelFamily> tried =
      options.kernel ? std::vector<KernelFamily>{{*options.kernel, {0.35, 0.5, 0.7, 1, 1.4, 2, 2.8}}}
      : method->traits().needs_columns ? std::vector<KernelFamily>{{Kernel::parse("linear"), {}}}
                                       : kernel_families(scaled.points, scaled.target.task);
  std::vector<SearchSpace> spaces;
  for (const KernelFamily& family : tried) {
    const bool learned = OpenWeights::find(family.kernel).has_value();
    SearchSpace space{method, learned ? family.kernel : family.kernel.resolve(scaled.points)};
    if (!method->finds_kernel_parameters() && !learned) {
      space.axes = open_axes(family.kernel, *method, scaled.points, family.multiples);
      if (!family.number.empty()) space.axes.push_back(axis_of(space, family.number, family.values));
    }
    for (GridAxis& axis : method_axes(*method, space.kernel, scaled)) space.axes.push_back(std::move(axis));
    apply_wishes(space, options);
    spaces.push_back(std::move(space));
  }
  // An axis that the user names chooses among the kernels; where none has such a number, tune() says so.
  const auto fits = [&](const SearchSpace& space) {
    return std::ranges::all_of(options.axes,
                               [&](const GridAxis& axis) { return has_number(space, axis.parameter); });
  };
  if (std::ranges::any_of(spaces, fits))
    std::erase_if(spaces, [&](const SearchSpace& space) { return !fits(space); });
  return spaces;
}

}  // namespace mercer

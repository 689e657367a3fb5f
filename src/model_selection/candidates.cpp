#include "model_selection/candidates.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "kernels/mkl.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels/poly.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/methods/svm.hpp"
#include "model_selection/object_kernels.hpp"
#include "model_selection/open_axes.hpp"

namespace mercer {

namespace {

constexpr std::size_t sampled = 500;  // rows that scales are measured on
constexpr std::size_t few_rows = 40;  // below, the noise of the choice outweighs what more kernels could gain
// Above, distances tell little apart, and ‖x − z‖₁ has no matrix product.
constexpr std::size_t many_columns = 500;

Points evenly_spaced(const Points& points, std::size_t most) {
  const std::size_t n = points.rows(), count = std::min(n, most);
  std::vector<std::size_t> rows(count);
  for (std::size_t e = 0; e < count; ++e) rows[e] = e * n / count;
  return points.select_rows(rows);
}

double median_manhattan(const Points& points) {
  const Points sample = evenly_spaced(points, sampled);
  std::vector<std::vector<double>> rows;
  std::vector<double> distances;
  for (std::size_t i = 0; i < sample.rows(); ++i) {
    rows.push_back(sample.row(i));
    for (std::size_t j = 0; j < i; ++j) {
      double sum = 0;
      for (std::size_t k = 0; k < sample.cols(); ++k) sum += std::abs(rows[i][k] - rows[j][k]);
      if (sum > 0) distances.push_back(sum);
    }
  }
  if (distances.empty()) return 1;
  const auto middle = distances.begin() + std::ptrdiff_t(distances.size() / 2);
  std::ranges::nth_element(distances, middle);
  return *middle;
}

double mean_diagonal(const Kernel& kernel, const Points& points) {
  const Points sample = evenly_spaced(points, sampled);
  std::vector<double> diagonal(sample.rows());
  KernelOperator<double>(kernel, sample, {.threads = 1}).diagonal(diagonal);
  const double mean = std::accumulate(diagonal.begin(), diagonal.end(), 0.0) / double(diagonal.size());
  return mean > 0 ? mean : 1;
}

/// A kernel that is tried where none is given, with the multiples of its open lengths.
struct Family {
  Kernel kernel;
  std::vector<double> multiples = {};
  std::vector<double> rates = {};  // of a kernel whose one number has no such word
};

// Lengths are multiples of scale's, which has 2σ² = d·var(X); on standardised columns that is about half the
// median distance. Rough functions (thresholds, steps, few noise) want matern and manhattan: ‖x − z‖₁ makes a
// product of one kernel for each column, which adds up effects of single columns and beats the Gaussian by
// half on tables of measured quantities. Smooth functions of all columns together want rbf; its length
// matters most, that of the rough kernels little.
std::vector<Family> number_families(const Dataset& data) {
  const Kernel linear = Kernel::parse("linear"), rbf = Kernel::parse("rbf(gamma=scale)");
  if (data.rows() < few_rows) return {{linear}, {rbf, {0.7, 1.4, 2.8, 5.6}}};
  if (data.points.cols() > many_columns) return {{linear}, {rbf, {0.5, 0.7, 1, 1.4, 2.8}}};
  std::vector<double> rates;
  const double distance = median_manhattan(data.points);
  for (const double multiple : {4.0, 2.0, 1.0, 0.5, 0.25}) rates.push_back(1 / (multiple * distance));
  const Kernel quadratic =
      poly({.degree = 2, .scale = 1 / double(std::max<std::size_t>(1, data.points.cols()))});
  return {{linear},
          {quadratic},
          {rbf, {0.35, 0.5, 0.7, 1, 1.4, 2, 2.8}},
          {Kernel::parse("matern(nu=1.5, length=scale)"), {0.5, 1, 2, 4}},
          {Kernel::parse("matern(nu=2.5, length=scale)"), {0.5, 1, 2, 4}},
          {Kernel::parse("manhattan(lambda=1)"), {}, rates}};
}

// The border between classes is rougher than a function of numbers is: shorter lengths, and no kernel between
// rbf and manhattan.
std::vector<Family> class_families(const Dataset& data) {
  const Kernel linear = Kernel::parse("linear"), rbf = Kernel::parse("rbf(gamma=scale)");
  if (data.rows() < few_rows) return {{linear}, {rbf, {0.5, 1, 2}}};
  if (data.points.cols() > many_columns) return {{linear}, {rbf, {0.35, 0.5, 0.7, 1, 1.4, 2}}};
  std::vector<double> rates;
  const double distance = median_manhattan(data.points);
  for (const double multiple : {2.0, 1.0, 0.5, 0.25}) rates.push_back(1 / (multiple * distance));
  const Kernel quadratic =
      poly({.degree = 2, .scale = 1 / double(std::max<std::size_t>(1, data.points.cols()))});
  return {{linear},
          {quadratic},
          {rbf, {0.25, 0.35, 0.5, 0.7, 1, 1.4, 2}},
          {Kernel::parse("manhattan(lambda=1)"), {}, rates}};
}

// Objects may tell nothing beside the numbers, which are tried alone too.
std::vector<Family> families_for(const Dataset& data) {
  std::vector<Family> families;
  if (data.points.cols() > 0 || data.points.objects().empty())
    families = data.target.task == Task::classification ? class_families(data) : number_families(data);
  if (data.points.objects().empty()) return families;
  for (const Kernel& kernel : kernels_for_objects(data.points)) families.push_back({kernel, {0.5, 1, 2}});
  return families;
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
    const double first = grows                    ? range.low + range.shift_of_growing
                         : data.rows() < few_rows ? range.low_of_few_rows
                                                  : range.low,
                 last = range.high + (grows ? range.shift_of_growing : 0);
    for (int e = 0; range.values.empty() && first + range.step * e <= last + 1e-9; ++e)
      axis.values.push_back(unit * std::pow(range.base, first + range.step * e));
    axes.push_back(std::move(axis));
  }
  return axes;
}

/// Whether the method finds the kernel's numbers itself.
bool finds_numbers(const Method& method) {
  for (const auto& [parameter, word] : {std::pair{"optimize", "evidence"}, {"bandwidth", "loo"}})
    for (const MethodParameter& own : method.parameters())
      if (own.name == parameter && std::get<Word>(method.get(parameter)).text == word) return true;
  return false;
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

/// The user's axes in place of the program's; lambda and tau2 are the same penalty.
void apply_wishes(SearchSpace& space, const AutomaticOptions& options) {
  const auto given = [&](const std::string& name) {
    return std::ranges::count(options.fixed, name) > 0 ||
           std::ranges::count(options.axes, name, &GridAxis::parameter) > 0;
  };
  std::erase_if(space.axes, [&](const GridAxis& axis) {
    return given(axis.parameter) || (axis.parameter == "tau2" && (given("lambda") || given("select")));
  });
  space.axes.insert(space.axes.begin(), options.axes.begin(), options.axes.end());
}

}  // namespace

std::vector<SearchSpace> candidates(const Dataset& scaled, const AutomaticOptions& options) {
  const bool classes = scaled.target.task == Task::classification;
  const AnyMethod chosen = options.method ? *options.method : classes ? AnyMethod(Svm{}) : AnyMethod(Ridge{});
  const AnyMethod method = classes ? chosen : with_free_constant(chosen, options);
  const std::vector<Family> tried =
      options.kernel ? std::vector<Family>{{*options.kernel, {0.35, 0.5, 0.7, 1, 1.4, 2, 2.8}}}
                     : families_for(scaled);
  std::vector<SearchSpace> spaces;
  for (const Family& family : tried) {
    const bool learned = OpenWeights::find(family.kernel).has_value();
    SearchSpace space{method, learned ? family.kernel : family.kernel.resolve(scaled.points)};
    if (!finds_numbers(*method) && !learned) {
      space.axes = open_axes(family.kernel, *method, scaled.points, family.multiples);
      if (!family.rates.empty())
        space.axes.push_back({axis_names(space.kernel, *method).front(), family.rates});
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

#include "select/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "mercer/error.hpp"
#include "mercer/kernel_parameters.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_settings = 100'000;
constexpr std::size_t none = std::size_t(-1);

// A parameter that is the only one of its name may also be written with its leaf: laplace.lambda beside a method's lambda.
bool names(const std::string& given, const KernelParameter& parameter, const Kernel& kernel) {
  if (given == parameter.name) return true;
  const auto dot = given.find('.');
  return dot != given.npos && given.substr(dot + 1) == parameter.name && kernel.text().find(given.substr(0, dot) + "(") != std::string::npos;
}

struct Places {  // of each axis: which number of the kernel it is, or none where it is the method's
  std::vector<std::size_t> of;
};

Places find_places(const SearchSpace& space, const Kernel& kernel, const std::vector<KernelParameter>& numbers) {
  Places places;
  const auto parameters = space.method->parameters();
  for (const GridAxis& axis : space.axes) {
    if (axis.values.empty()) throw Error(ErrorKind::usage, fmt::format("there is no value to try for {}", axis.parameter));
    const bool of_method = std::ranges::any_of(parameters, [&](const MethodParameter& p) { return p.name == axis.parameter && p.choices.empty(); });
    const auto found = std::ranges::find_if(numbers, [&](const KernelParameter& p) { return names(axis.parameter, p, kernel); });
    if (!of_method && found == numbers.end()) {
      std::vector<std::string> known;
      for (const MethodParameter& p : parameters)
        if (p.choices.empty()) known.emplace_back(p.name);
      for (const KernelParameter& p : numbers) known.push_back(p.name);
      throw Error(ErrorKind::usage, fmt::format("a grid is given for {}, but neither {} nor {} has such a number; they have {}", axis.parameter,
                                                space.method->name(), kernel.text(), fmt::join(known, ", ")));
    }
    places.of.push_back(of_method ? none : std::size_t(found - numbers.begin()));
  }
  return places;
}

std::vector<double> path_values(const SearchSpace& space, std::optional<std::size_t> axis) {
  if (space.method->path().empty()) return {};
  if (!axis) return {std::get<double>(space.method->get(space.method->path()))};
  std::vector<double> values = space.axes[*axis].values;
  std::ranges::sort(values);
  values.erase(std::ranges::unique(values).begin(), values.end());
  return values;
}

void add_lines(const std::vector<SearchSpace>& spaces, std::size_t number, const Points& points, std::vector<SettingLine>& lines) {
  const SearchSpace& space = spaces[number];
  const Kernel resolved = space.kernel.resolve(points);
  const std::vector<KernelParameter> numbers = numeric_parameters(resolved);
  const Places places = find_places(space, resolved, numbers);
  std::optional<std::size_t> path_axis;
  std::size_t combinations = 1;
  for (std::size_t a = 0; a < space.axes.size(); ++a) {
    if (places.of[a] == none && space.axes[a].parameter == space.method->path()) path_axis = a;
    else combinations *= space.axes[a].values.size();
    if (combinations > most_settings) throw Error(ErrorKind::usage, fmt::format("the grid has over {} settings; make it coarser", most_settings));
  }
  std::vector<double> kernel_values;
  for (const KernelParameter& p : numbers) kernel_values.push_back(p.value);
  for (std::size_t c = 0; c < combinations; ++c) {
    SettingLine line{number, space.method, resolved, std::vector<double>(space.axes.size()), path_axis, path_values(space, path_axis)};
    std::size_t rest = c;
    for (std::size_t a = space.axes.size(); a-- > 0;) {  // the last axis fastest
      if (a == path_axis) continue;
      const GridAxis& axis = space.axes[a];
      const double value = line.values[a] = axis.values[rest % axis.values.size()];
      rest /= axis.values.size();
      if (places.of[a] == none) line.method->set(axis.parameter, value);
      else kernel_values[places.of[a]] = value;
    }
    if (!numbers.empty()) line.kernel = with_parameters(resolved, kernel_values);
    for (const double value : line.path) AnyMethod(line.method)->set(space.method->path(), value);  // refused where it may not be
    lines.push_back(std::move(line));
  }
}

}  // namespace

Trial SettingLine::at(std::size_t v) const {
  Trial trial{.space = space, .values = values, .method = method, .kernel = kernel};
  if (path.empty()) return trial;
  trial.method->set(method->path(), path[v]);
  if (path_axis) trial.values[*path_axis] = path[v];
  return trial;
}

std::vector<SettingLine> setting_lines(const std::vector<SearchSpace>& spaces, const Points& points) {
  std::vector<SettingLine> lines;
  for (std::size_t s = 0; s < spaces.size(); ++s) add_lines(spaces, s, points, lines);
  return lines;
}

}  // namespace mercer

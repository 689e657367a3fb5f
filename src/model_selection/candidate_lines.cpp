#include "model_selection/candidate_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/mkl.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_parameters.hpp"
#include "model_selection/open_axes.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_candidates = 100'000;
constexpr std::size_t none = std::size_t(-1);

struct Places {  // of each axis: which number of the kernel it is, or none where it is the method's
  std::vector<std::size_t> of;
};

Places find_places(const SearchSpace& space, const Kernel& kernel, bool learned) {
  Places places;
  const std::vector<std::string> numbers =
      learned ? std::vector<std::string>() : axis_names(kernel, *space.method);
  const auto parameters = space.method->parameters();
  for (const GridAxis& axis : space.axes) {
    if (axis.values.empty())
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("there is no value to try for {}", axis.parameter));
    const bool of_method = std::ranges::any_of(
        parameters, [&](const MethodParameter& p) { return p.name == axis.parameter && p.choices.empty(); });
    const auto found = std::ranges::find(numbers, axis.parameter);
    if (!of_method && found == numbers.end()) {
      std::vector<std::string> known;
      for (const MethodParameter& p : parameters)
        if (p.choices.empty()) known.emplace_back(p.name);
      known.insert(known.end(), numbers.begin(), numbers.end());
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("a grid is given for {}, but neither {} nor {} has such a number",
                              axis.parameter, space.method->name(), kernel.text()),
                  {.hint = fmt::format("they have {}", fmt::join(known, ", "))});
    }
    places.of.push_back(of_method ? none : std::size_t(found - numbers.begin()));
  }
  return places;
}

struct Path {
  std::string parameter = {};
  std::optional<std::size_t> axis = {};
  std::vector<double> values = {};
};

Path path_of(const SearchSpace& space, const Places& places) {
  const auto known = space.method->traits().paths;
  for (std::size_t a = 0; a < space.axes.size(); ++a) {
    if (places.of[a] != none || std::ranges::find(known, space.axes[a].parameter) == known.end()) continue;
    std::vector<double> values = space.axes[a].values;
    std::ranges::sort(values);
    values.erase(std::ranges::unique(values).begin(), values.end());
    return {space.axes[a].parameter, a, values};
  }
  for (const std::string_view parameter : known)
    if (const Argument value = space.method->get(parameter); std::holds_alternative<double>(value))
      return {std::string(parameter), {}, {std::get<double>(value)}};
  return {};
}

void add_lines(const std::vector<SearchSpace>& spaces, std::size_t number, const Points& points,
               std::vector<CandidateLine>& lines) {
  const SearchSpace& space = spaces[number];
  const bool learned = OpenWeights::find(space.kernel).has_value();  // weights that every fit finds itself
  const Kernel resolved = learned ? space.kernel : space.kernel.resolve(points);
  const std::vector<KernelParameter> numbers =
      learned ? std::vector<KernelParameter>() : numeric_parameters(resolved);
  const Places places = find_places(space, resolved, learned);
  const Path path = path_of(space, places);
  std::size_t combinations = 1;
  for (std::size_t a = 0; a < space.axes.size(); ++a) {
    if (a != path.axis) combinations *= space.axes[a].values.size();
    if (combinations > most_candidates)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("the grid has over {} candidates", most_candidates),
                  {.hint = "make it coarser"});
  }
  std::vector<double> kernel_values;
  for (const KernelParameter& p : numbers) kernel_values.push_back(p.value);
  for (std::size_t c = 0; c < combinations; ++c) {
    CandidateLine line{number,         space.method, resolved,   std::vector<double>(space.axes.size()),
                       path.parameter, path.axis,    path.values};
    std::size_t rest = c;
    for (std::size_t a = space.axes.size(); a-- > 0;) {  // the last axis fastest
      if (a == path.axis) continue;
      const GridAxis& axis = space.axes[a];
      const double value = line.values[a] = axis.values[rest % axis.values.size()];
      rest /= axis.values.size();
      if (places.of[a] == none)
        line.method->set(axis.parameter, value);
      else
        kernel_values[places.of[a]] = value;
    }
    if (!numbers.empty()) line.kernel = with_parameters(resolved, kernel_values);
    for (const double value : line.path)
      AnyMethod(line.method)->set(line.parameter, value);  // refused where it may not be
    lines.push_back(std::move(line));
  }
}

}  // namespace

Trial CandidateLine::at(std::size_t v) const {
  Trial trial{.space = space, .values = values, .method = method, .kernel = kernel};
  if (path.empty()) return trial;
  trial.method->set(parameter, path[v]);
  if (path_axis) trial.values[*path_axis] = path[v];
  return trial;
}

std::vector<CandidateLine> candidate_lines(const std::vector<SearchSpace>& spaces, const Points& points) {
  std::vector<CandidateLine> lines;
  for (std::size_t s = 0; s < spaces.size(); ++s) add_lines(spaces, s, points, lines);
  return lines;
}

}  // namespace mercer

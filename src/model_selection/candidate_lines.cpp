#include "model_selection/candidate_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "kernels/mkl.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_parameters.hpp"
#include "model_selection/open_axes.hpp"

namespace mercer {

// --- What is written for an axis: a list, or a range that is stepped through, by its exponents where its
// ends are powers

namespace {

constexpr std::size_t most_values = 1000, most_candidates = 100'000;
constexpr std::size_t none = std::size_t(-1);

[[noreturn]] void refuse(const std::string& text, const std::string& what) {
  throw Error(ErrorCode::invalid_argument, fmt::format("grid '{}': {}", text, what),
              {.hint = "write \"C=2^-5:2^15:2\" (the exponents −5, −3 … 15 of 2), \"gamma=0.1:0.5:0.1\" or "
                       "\"C=1,10,100\""});
}

double plain_number(const std::string& text, std::string_view part) {
  double value = 0;
  const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (part.empty() || error != std::errc() || end != part.data() + part.size() || !std::isfinite(value))
    refuse(text, fmt::format("'{}' is not a number", part));
  return value;
}

// "2^-5" or "0.1".
struct Power {
  double base = 0, exponent = 0;  // base 0: a plain number, in exponent
  double value() const { return base == 0 ? exponent : std::pow(base, exponent); }
};

Power to_power(const std::string& text, std::string_view part) {
  const auto caret = part.find('^');
  if (caret == part.npos) return {0, plain_number(text, part)};
  const Power power{plain_number(text, part.substr(0, caret)), plain_number(text, part.substr(caret + 1))};
  if (!(power.base > 0) || power.base == 1)
    refuse(text, fmt::format("the base of '{}' must be above 0 and not 1", part));
  return power;
}

std::vector<std::string_view> split(std::string_view text, char at) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = text.find(at);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::vector<double> stepped(const std::string& text, const std::vector<std::string_view>& parts) {
  if (parts.size() != 3) refuse(text, "a range has a first value, a last one and a step");
  const Power first = to_power(text, parts[0]), last = to_power(text, parts[1]);
  const double step = plain_number(text, parts[2]);
  if (first.base != last.base)
    refuse(text, fmt::format("'{}' and '{}' are not powers of the same number", parts[0], parts[1]));
  const double count = std::floor((last.exponent - first.exponent) / step + 1e-9);
  if (step == 0 || !(count >= 0))
    refuse(text, fmt::format("a step of {} does not lead from '{}' to '{}'", parts[2], parts[0], parts[1]));
  if (count >= double(most_values)) refuse(text, fmt::format("there would be over {} values", most_values));
  std::vector<double> values;
  for (std::size_t i = 0; i <= std::size_t(count); ++i)
    values.push_back(Power{first.base, first.exponent + double(i) * step}.value());
  return values;
}

}  // namespace

GridAxis parse_axis(const std::string& text) {
  const auto equals = text.find('=');
  if (equals == text.npos || equals == 0) refuse(text, "the parameter's name and '=' are missing");
  GridAxis axis{text.substr(0, equals), {}};
  const std::string_view written = std::string_view(text).substr(equals + 1);
  if (const auto parts = split(written, ':'); parts.size() > 1) {
    axis.values = stepped(text, parts);
  } else {
    for (const std::string_view part : split(written, ','))
      axis.values.push_back(to_power(text, part).value());
  }
  for (const double value : axis.values)
    if (!std::isfinite(value)) refuse(text, "a value overflows");
  return axis;
}

// --- The product of the axes

namespace {

// Of each axis: which number of the kernel it is, or none where it is the method's.
std::vector<std::size_t> find_places(const SearchSpace& space, const Kernel& kernel, bool learned) {
  std::vector<std::size_t> places;
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
    places.push_back(of_method ? none : std::size_t(found - numbers.begin()));
  }
  return places;
}

void set_path(CandidateLine& line, const SearchSpace& space, const std::vector<std::size_t>& places) {
  const auto known = space.method->traits().paths;
  for (std::size_t a = 0; a < space.axes.size(); ++a) {
    const auto& [parameter, values] = space.axes[a];
    if (places[a] != none || std::ranges::find(known, parameter) == known.end()) continue;
    line.parameter = parameter, line.path_axis = a, line.path = values;
    std::ranges::sort(line.path);
    line.path.erase(std::ranges::unique(line.path).begin(), line.path.end());
    return;
  }
  for (const std::string_view parameter : known)
    if (const Argument value = space.method->get(parameter); std::holds_alternative<double>(value)) {
      line.parameter = parameter, line.path = {std::get<double>(value)};
      return;
    }
}

void add_lines(const std::vector<SearchSpace>& spaces, std::size_t number, const Points& points,
               std::vector<CandidateLine>& lines) {
  const SearchSpace& space = spaces[number];
  const bool learned = OpenWeights::find(space.kernel).has_value();  // weights that every fit finds itself
  const Kernel resolved = learned ? space.kernel : space.kernel.resolve(points);
  const std::vector<KernelParameter> numbers =
      learned ? std::vector<KernelParameter>() : numeric_parameters(resolved);
  const std::vector<std::size_t> places = find_places(space, resolved, learned);
  CandidateLine first{number, space.method, resolved, std::vector<double>(space.axes.size())};
  set_path(first, space, places);
  std::size_t combinations = 1;
  for (std::size_t a = 0; a < space.axes.size(); ++a) {
    if (a != first.path_axis) combinations *= space.axes[a].values.size();
    if (combinations > most_candidates)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("the grid has over {} candidates", most_candidates),
                  {.hint = "make it coarser"});
  }
  std::vector<double> kernel_values;
  for (const KernelParameter& p : numbers) kernel_values.push_back(p.value);
  for (std::size_t c = 0; c < combinations; ++c) {
    CandidateLine line = first;
    std::size_t rest = c;
    for (std::size_t a = space.axes.size(); a-- > 0;) {  // the last axis fastest
      if (a == first.path_axis) continue;
      const GridAxis& axis = space.axes[a];
      const double value = line.values[a] = axis.values[rest % axis.values.size()];
      rest /= axis.values.size();
      if (places[a] == none)
        line.method->set(axis.parameter, value);
      else
        kernel_values[places[a]] = value;
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

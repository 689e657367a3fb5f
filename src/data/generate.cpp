// Checks what was asked for and draws the rows one after the other from one stream of random numbers, so that
// row i does not depend on how many follow. Classes cycle with the row number.
#include "mercer/generate.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <new>

#include "data/generators.hpp"
#include "mercer/error.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

namespace {

[[noreturn]] void refuse_recipe(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

const Recipe& recipe_named(std::string_view name) {
  const auto found =
      std::ranges::find(recipes(), name, [](const Recipe& recipe) { return recipe.about.name; });
  if (found != recipes().end()) return *found;
  std::vector<std::string> names;
  for (const Recipe& recipe : recipes()) names.emplace_back(recipe.about.name);
  const std::string nearest = nearest_word(name, names);
  refuse_recipe(fmt::format("unknown generator '{}'; {}there are {}", name,
                            nearest.empty() ? "" : fmt::format("did you mean '{}'? ", nearest),
                            fmt::join(names, ", ")));
}

std::string names_of(bool (*has)(const Generator&)) {
  std::string names;
  for (const Generator& generator : generators()) {
    if (has(generator)) names += fmt::format("{}{}", names.empty() ? "" : ", ", generator.name);
  }
  return names;
}

std::size_t checked_dim(const Generator& generator, std::size_t dim) {
  if (dim == 0) return generator.default_dim;
  if (generator.least_dim == 0)
    refuse_recipe(fmt::format("{} takes no dim: it has {}; dim is for {}", generator.name,
                              generator.objects            ? std::string(plural_of(*generator.objects))
                              : generator.default_dim == 1 ? "1 column"
                                                           : fmt::format("{} columns", generator.default_dim),
                              names_of([](const Generator& other) { return other.least_dim > 0; })));
  if (dim < generator.least_dim)
    refuse_recipe(fmt::format("dim {} is too small for {}; it must be at least {}", dim, generator.name,
                              generator.least_dim));
  return dim;
}

std::size_t checked_classes(const Generator& generator, std::size_t asked, std::size_t n) {
  if (asked == 0) return generator.default_classes;
  if (!generator.free_classes)
    refuse_recipe(fmt::format("{} takes no classes: {}; classes is for {}", generator.name,
                              generator.task == Task::regression
                                  ? "its target is a number"
                                  : fmt::format("it has {}", generator.default_classes),
                              names_of([](const Generator& other) { return other.free_classes; })));
  constexpr std::size_t most = 1'000'000;
  if (asked < 2 || asked > std::min(n, most))
    refuse_recipe(fmt::format("classes {} is impossible; it must be from 2 to {}", asked,
                              n < most ? fmt::format("n ({})", n) : fmt::format("{}", most)));
  return asked;
}

double checked_noise(const Generator& generator, std::optional<double> asked) {
  constexpr double most = 1e100;  // so that no sum of a value and its noise overflows
  const double noise = asked.value_or(generator.default_noise);
  if (!(noise >= 0 && noise <= most))
    refuse_recipe(fmt::format("noise {} is impossible; it must be from 0 to 1e100", noise));
  return noise;
}

void check_size(std::size_t n, std::size_t dim) {
  constexpr std::size_t most = std::size_t{1} << 40;
  if (n == 0) refuse_recipe("n must be at least 1");
  if (dim > most || n > most / std::max<std::size_t>(dim, 1))
    refuse_recipe(fmt::format("n {} times {} column{} is too large; the product must be at most 2^40", n, dim,
                              dim == 1 ? "" : "s"));
}

std::vector<std::string> numbered(std::string_view prefix, std::size_t first, std::size_t count) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < count; ++i) names.push_back(fmt::format("{}{}", prefix, first + i));
  return names;
}

Dataset draw_rows(const Recipe& recipe, const Drawing& drawing) {
  const auto [n, dim, class_count, noise_scale, seed] = drawing;
  Dense<double> points{n, dim, Buffer<double>(n * dim)};
  Dataset data;
  data.target = {.task = recipe.about.task, .name = "y"};
  const bool classified = data.target.task == Task::classification;
  if (classified) data.target.labels = numbered("", 0, std::min(class_count, n));
  Random random(seed);
  for (std::size_t i = 0; i < n; ++i) {
    const double y = recipe.draw(drawing.row(i, random), {points.values.data() + i * dim, dim});
    if (classified)
      data.target.codes.push_back(std::int32_t(y));
    else
      data.target.values.push_back(y);
  }
  data.points = Points(std::move(points), numbered("x", 1, dim));
  return data;
}

Dataset draw_objects(const Recipe& recipe, const Drawing& drawing) {
  const Objects objects = recipe.objects(drawing);
  Dataset data;
  data.points = Points(objects);
  data.target = {.task = Task::classification,
                 .name = "y",
                 .labels = numbered("", 0, std::min(drawing.classes, drawing.n))};
  for (std::size_t i = 0; i < drawing.n; ++i) data.target.codes.push_back(std::int32_t(i % drawing.classes));
  data.schema.columns.push_back({.name = objects.name(), .categories = {}, .objects = objects.domain()});
  data.schema.target = data.target.name;
  return data;
}

}  // namespace

std::span<const Generator> generators() {
  static const std::vector<Generator> all = [] {
    std::vector<Generator> list;
    for (const Recipe& recipe : recipes()) list.push_back(recipe.about);
    return list;
  }();
  return all;
}

Dataset generate(std::string_view name, const GenerateOptions& options) {
  const Recipe& recipe = recipe_named(name);
  const std::size_t dim = checked_dim(recipe.about, options.dim);
  check_size(options.n, dim);
  const Drawing drawing{options.n, dim, checked_classes(recipe.about, options.classes, options.n),
                        checked_noise(recipe.about, options.noise), options.seed};
  try {
    return recipe.objects ? draw_objects(recipe, drawing) : draw_rows(recipe, drawing);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, fmt::format("{} rows of {} do not fit in memory", options.n, name));
  }
}

}  // namespace mercer

// Toy data: each generator is a function that draws one row and returns its target, or one that draws all
// objects, and one line of the catalogue. What was asked for is checked, and the rows are drawn one after the
// other from one stream of random numbers, so that row i does not depend on how many follow. Classes cycle
// with the row number.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <new>
#include <numbers>

#include "data/generators.hpp"
#include "mercer/error.hpp"
#include "mercer/generate.hpp"
#include "mercer/spelling.hpp"

namespace mercer {

namespace {

using std::numbers::pi;
using Row = std::span<double>;

/// Moves the row by noise, and returns its class.
double jittered(const Draw& draw, Row x) {
  for (double& value : x) value += draw.jitter();
  return double(draw.label);
}

double on_circle(const Draw& draw, Row x, double radius, double angle) {
  x[0] = radius * std::cos(angle);
  x[1] = radius * std::sin(angle);
  return jittered(draw, x);
}

// Two half circles of radius 1, the second turned over and moved to (1, ½).
double moons(const Draw& draw, Row x) {
  const double angle = draw.random.uniform(0, pi);
  x[0] = draw.label == 0 ? std::cos(angle) : 1 - std::cos(angle);
  x[1] = draw.label == 0 ? std::sin(angle) : 0.5 - std::sin(angle);
  return jittered(draw, x);
}

double circles(const Draw& draw, Row x) {
  const double angle = draw.random.uniform(0, 2 * pi);
  return on_circle(draw, x, draw.label == 0 ? 1 : 0.5, angle);
}

// Arms r = 0.1 + 0.9 s at the angle 3π s, turned by a share of the circle each; √u spreads points evenly.
double spirals(const Draw& draw, Row x) {
  const double s = std::sqrt(draw.random.uniform());
  const double angle = 3 * pi * s + 2 * pi * double(draw.label) / double(draw.classes);
  return on_circle(draw, x, 0.1 + 0.9 * s, angle);
}

// Uniform on [−1, 1]²; class 1 where the signs differ.
double exclusive_or(const Draw& draw, Row x) {
  x[0] = draw.random.uniform(-1, 1);
  x[1] = draw.random.uniform();
  if ((x[0] < 0) == (draw.label == 0)) x[1] = -x[1];
  return jittered(draw, x);
}

// Unit squares over [−2, 2]²; class (⌊x₁⌋ + ⌊x₂⌋) mod 2.
double checkerboard(const Draw& draw, Row x) {
  const std::uint64_t column = draw.random.below(4);
  const std::uint64_t row = 2 * draw.random.below(2) + (column + draw.label) % 2;
  x[0] = double(column) - 2 + draw.random.uniform();
  x[1] = double(row) - 2 + draw.random.uniform();
  return jittered(draw, x);
}

// N(centre, noise² I). A class draws its centre from a stream of its own: the same for every n and classes.
double blobs(const Draw& draw, Row x) {
  Random centre(Random(draw.seed).bits() + draw.label);
  for (double& value : x) value = centre.uniform(-10, 10);
  return jittered(draw, x);
}

// Shares that sum to 1, as of the pixels of an image in each bin of colour (the lectures' experiment E8):
// proportional to exp(centre + N(0, noise²)), a class having a centre of its own in which a few bins are
// large.
double histograms(const Draw& draw, Row x) {
  Random centre(Random(draw.seed).bits() + draw.label);
  for (double& value : x) value = 1.5 * centre.normal();
  jittered(draw, x);
  const double largest = *std::ranges::max_element(x);
  double sum = 0;
  for (double& value : x) sum += value = std::exp(value - largest);
  for (double& value : x) value /= sum;
  return double(draw.label);
}

// Y = sin(‖X‖²) + N(0, 0.04), the lectures' experiment E1.
double sinc2d(const Draw& draw, Row x) {
  for (double& value : x) value = draw.random.uniform(-3.5, 3.5);
  return std::sin(x[0] * x[0] + x[1] * x[1]) + draw.jitter();
}

double line(const Draw& draw, Row x) {
  x[0] = draw.random.uniform(-3, 3);
  return 1 + 0.5 * x[0] + draw.jitter();
}

double sine(const Draw& draw, Row x) {
  x[0] = draw.random.uniform(-3, 3);
  return std::sin(3 * x[0]) + 0.5 * x[0] + draw.jitter();
}

double noise(const Draw& draw, Row x) {
  for (double& value : x) value = draw.random.uniform(-3, 3);
  return draw.jitter();
}

// Friedman 1991, Multivariate adaptive regression splines; the columns after the fifth are idle.
double friedman1(const Draw& draw, Row x) {
  for (double& value : x) value = draw.random.uniform();
  return 10 * std::sin(pi * x[0] * x[1]) + 20 * (x[2] - 0.5) * (x[2] - 0.5) + 10 * x[3] + 5 * x[4] +
         draw.jitter();
}

// (t cos t, height, t sin t), one and a half turns; the parameters of Marsland 2009, SvmTrainer Learning.
double swiss_roll(const Draw& draw, Row x) {
  const double t = draw.random.uniform(1.5 * pi, 4.5 * pi);
  x[0] = t * std::cos(t);
  x[1] = draw.random.uniform(0, 21);
  x[2] = t * std::sin(t);
  jittered(draw, x);
  return t;
}

struct Recipe {
  Generator about;
  double (*draw)(const Draw& draw, Row x);  // fills a row and returns its target; null where rows are objects
  Objects (*objects)(const Drawing& drawing) = nullptr;
};

constexpr auto classes = Task::classification;
constexpr auto real = Task::regression;

// clang-format off
constexpr std::array catalogue{  // name, summary, task, noise, dim, least dim, classes, whether these are free
    Recipe{{"moons", "two interleaved half circles", classes, 0.1, 2, 0, 2, false}, moons},
    Recipe{{"circles", "a circle inside a circle", classes, 0.05, 2, 0, 2, false}, circles},
    Recipe{{"spirals", "interleaved spiral arms", classes, 0.03, 2, 0, 2, true}, spirals},
    Recipe{{"xor", "a square whose opposite quadrants are alike", classes, 0.1, 2, 0, 2, false}, exclusive_or},
    Recipe{{"checkerboard", "a board of 4 × 4 squares", classes, 0.05, 2, 0, 2, false}, checkerboard},
    Recipe{{"blobs", "a Gaussian cloud per class", classes, 1, 2, 1, 3, true}, blobs},
    Recipe{{"histograms", "shares of 64 colours, a class for each kind of image", classes, 1, 64, 2, 14, true}, histograms},
    Recipe{{"sinc2d", "y = sin(‖x‖²) + noise on [−7/2, 7/2]²", real, 0.2, 2, 0, 0, false}, sinc2d},
    Recipe{{"line", "y = 1 + x/2 + noise", real, 0.3, 1, 0, 0, false}, line},
    Recipe{{"sine", "y = sin(3x) + x/2 + noise", real, 0.3, 1, 0, 0, false}, sine},
    Recipe{{"noise", "y is noise, whatever x", real, 1, 1, 1, 0, false}, noise},
    Recipe{{"friedman1", "Friedman's benchmark: five columns matter", real, 1, 10, 5, 0, false}, friedman1},
    Recipe{{"swiss_roll", "a rolled-up sheet; y is the place along it", real, 0, 3, 0, 0, false}, swiss_roll},
    Recipe{{"ring_graphs", "random trees, half of them with a ring of dim nodes; a folder of graphs", classes, 0.5, 6, 3, 2, false, Domain::graph}, nullptr, ring_graphs},
    Recipe{{"colour_images", "images in colours of a palette, a folder for each class", classes, 5, 0, 0, 14, true, Domain::image}, nullptr, colour_images},
    Recipe{{"digit_images", "images of digits, moved and turned, a folder for each", classes, 40, 0, 0, 10, false, Domain::image}, nullptr, digit_images},
    Recipe{{"sets", "sets of vectors, a ball or a sphere around one mean; a table with a row for each member", classes, 0.1, 2, 1, 2, false, Domain::vectors}, nullptr, sets_of_vectors},
    Recipe{{"words", "short texts that share most words, some telling the class", classes, 0.5, 1, 0, 2, false, Domain::text}, nullptr, short_texts},
    Recipe{{"dna_motif", "DNA of dim letters; half have a motif on either strand, noise is the share of its letters that mutate", classes, 0.1, 100, 10, 2, false, Domain::sequence}, nullptr, dna_motif},
};
// clang-format on

[[noreturn]] void refuse_recipe(const std::string& message) {
  throw Error(ErrorCode::invalid_argument, message);
}

const Recipe& recipe_named(std::string_view name) {
  const auto found =
      std::ranges::find(catalogue, name, [](const Recipe& recipe) { return recipe.about.name; });
  if (found != catalogue.end()) return *found;
  std::vector<std::string> names;
  for (const Recipe& recipe : catalogue) names.emplace_back(recipe.about.name);
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
    for (const Recipe& recipe : catalogue) list.push_back(recipe.about);
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

#include "data/generators.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace mercer {

namespace {

using std::numbers::pi;
using Row = std::span<double>;

void jitter(const Draw& draw, Row x) {
  for (double& value : x) value += draw.jitter();
}

// Two half circles of radius 1, the second turned over and moved to (1, ½).
double moons(const Draw& draw, Row x) {
  const double angle = draw.random.uniform(0, pi);
  x[0] = draw.label == 0 ? std::cos(angle) : 1 - std::cos(angle);
  x[1] = draw.label == 0 ? std::sin(angle) : 0.5 - std::sin(angle);
  jitter(draw, x);
  return double(draw.label);
}

double circles(const Draw& draw, Row x) {
  const double angle = draw.random.uniform(0, 2 * pi);
  const double radius = draw.label == 0 ? 1 : 0.5;
  x[0] = radius * std::cos(angle);
  x[1] = radius * std::sin(angle);
  jitter(draw, x);
  return double(draw.label);
}

// Arms r = 0.1 + 0.9 s at the angle 3π s, turned by a share of the circle each; √u spreads points evenly.
double spirals(const Draw& draw, Row x) {
  const double s = std::sqrt(draw.random.uniform());
  const double angle = 3 * pi * s + 2 * pi * double(draw.label) / double(draw.classes);
  const double radius = 0.1 + 0.9 * s;
  x[0] = radius * std::cos(angle);
  x[1] = radius * std::sin(angle);
  jitter(draw, x);
  return double(draw.label);
}

// Uniform on [−1, 1]²; class 1 where the signs differ.
double exclusive_or(const Draw& draw, Row x) {
  x[0] = draw.random.uniform(-1, 1);
  x[1] = draw.random.uniform();
  if ((x[0] < 0) == (draw.label == 0)) x[1] = -x[1];
  jitter(draw, x);
  return double(draw.label);
}

// Unit squares over [−2, 2]²; class (⌊x₁⌋ + ⌊x₂⌋) mod 2.
double checkerboard(const Draw& draw, Row x) {
  const std::uint64_t column = draw.random.below(4);
  const std::uint64_t row = 2 * draw.random.below(2) + (column + draw.label) % 2;
  x[0] = double(column) - 2 + draw.random.uniform();
  x[1] = double(row) - 2 + draw.random.uniform();
  jitter(draw, x);
  return double(draw.label);
}

// N(centre, noise² I). A class draws its centre from a stream of its own: the same for every n and classes.
double blobs(const Draw& draw, Row x) {
  Random centre(Random(draw.seed).bits() + draw.label);
  for (double& value : x) value = centre.uniform(-10, 10);
  jitter(draw, x);
  return double(draw.label);
}

// Shares that sum to 1, as of the pixels of an image in each bin of colour (the lectures' experiment E8):
// proportional to exp(centre + N(0, noise²)), a class having a centre of its own in which a few bins are
// large.
double histograms(const Draw& draw, Row x) {
  Random centre(Random(draw.seed).bits() + draw.label);
  for (double& value : x) value = 1.5 * centre.normal();
  jitter(draw, x);
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
  jitter(draw, x);
  return t;
}

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

}  // namespace

std::span<const Recipe> recipes() noexcept { return catalogue; }

}  // namespace mercer

// Images drawn at random, for experiments with kernels of images that need no files from elsewhere.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "data/generators.hpp"

namespace mercer {

namespace {

using Colour = std::array<double, 3>;

Colour any_colour(Random& random) {
  Colour colour;
  for (double& channel : colour) channel = random.uniform(20, 235);
  return colour;
}

std::vector<Colour> palette(std::uint64_t seed, std::size_t size) {
  Random random(seed);
  std::vector<Colour> colours(size);
  for (Colour& colour : colours) colour = any_colour(random);
  return colours;
}

std::uint8_t to_byte(double value) { return std::uint8_t(std::lround(std::clamp(value, 0.0, 255.0))); }

/// n images of one size, drawn one after the other.
template <class Draw>
Objects images_of(std::size_t n, std::uint32_t side, std::size_t channels, Draw draw) {
  const std::size_t size = std::size_t(side) * side * channels;
  Images images{Buffer<std::size_t>(n + 1), Buffer<std::uint32_t>(n, side), Buffer<std::uint32_t>(n, side),
                channels, Buffer<std::uint8_t>(n * size)};
  for (std::size_t i = 0; i <= n; ++i) images.starts[i] = i * size;
  for (std::size_t i = 0; i < n; ++i) draw(i, images.pixels.data() + i * size);
  return Objects("image", Domain::image, Objects::Storage(std::move(images)));
}

// How the digits 0 to 9 are written in 5 × 7 dots, side by side.
constexpr std::size_t dots_high = 7, dots_wide = 5;
constexpr std::array<std::string_view, dots_high> digit_dots{
    ".###. ..#.. .###. ##### ...#. ##### ..##. ##### .###. .###.",
    "#...# .##.. #...# ...#. ..##. #.... .#... ....# #...# #...#",
    "#..## ..#.. ....# ..#.. .#.#. ####. #.... ...#. #...# #...#",
    "#.#.# ..#.. ...#. ...#. #..#. ....# ####. ..#.. .###. .####",
    "##..# ..#.. ..#.. ....# ##### ....# #...# .#... #...# ....#",
    "#...# ..#.. .#... #...# ...#. #...# #...# .#... #...# ...#.",
    ".###. .###. ##### .###. ...#. .###. .###. .#... .###. .##..",
};

/// How dark the dots of a digit are at a place between them: 0 outside, by both neighbours in both
/// directions.
double darkness(std::size_t digit, double row, double column) {
  const double top = std::floor(row), left = std::floor(column);
  double sum = 0;
  for (const int down : {0, 1})
    for (const int right : {0, 1}) {
      const double r = top + down, c = left + right;
      if (r < 0 || c < 0 || r >= double(dots_high) || c >= double(dots_wide) ||
          digit_dots[std::size_t(r)][digit * (dots_wide + 1) + std::size_t(c)] != '#')
        continue;
      sum += (1 - std::abs(row - r)) * (1 - std::abs(column - c));
    }
  return sum;
}

}  // namespace

// A class is a palette of four colours. An image has patches, each of a colour of its class or of one that
// all classes share, under a light of its own; one image in ten shows nothing of its class, and nobody can
// tell it (the lectures' experiment E8).
Objects colour_images(const Drawing& all) {
  constexpr std::uint32_t side = 32;
  constexpr std::size_t own_colours = 4, shared_colours = 24, patches = 16;
  const std::uint64_t stream = Random(all.seed).bits();
  const std::vector<Colour> shared = palette(stream - 1, shared_colours);
  Random random(all.seed);
  return images_of(all.n, side, 3, [&](std::size_t i, std::uint8_t* out) {
    const std::vector<Colour> own = palette(stream + i % all.classes, own_colours);
    const double typical = random.uniform(0.5, 1), share = random.uniform() < 0.1 ? 0 : typical,
                 light = random.uniform(0.95, 1.05);
    struct Patch {
      double row, column;
      Colour colour;
    };
    std::array<Patch, patches> drawn;
    for (Patch& patch : drawn) {
      patch.row = random.uniform(0, side);
      patch.column = random.uniform(0, side);
      const bool is_own = random.uniform() < share;
      patch.colour = is_own ? own[random.below(own_colours)] : shared[random.below(shared_colours)];
    }
    for (std::uint32_t r = 0; r < side; ++r)
      for (std::uint32_t c = 0; c < side; ++c) {
        const Patch& nearest = *std::ranges::min_element(drawn, {}, [&](const Patch& patch) {
          return (patch.row - r) * (patch.row - r) + (patch.column - c) * (patch.column - c);
        });
        for (const double channel : nearest.colour)
          *out++ = to_byte(light * channel + all.noise * random.normal());
      }
  });
}

// Dots of a digit, moved, turned and made larger or smaller by chance, on black: what invariances are good
// for (row D6).
Objects digit_images(const Drawing& all) {
  constexpr std::uint32_t side = 16;
  constexpr double middle = (side - 1) / 2.0, pixels_a_dot = 1.7;
  Random random(all.seed);
  return images_of(all.n, side, 1, [&](std::size_t i, std::uint8_t* out) {
    const double angle = 8 * std::numbers::pi / 180 * random.normal(),
                 size = pixels_a_dot * random.uniform(0.85, 1.15);
    const double down = random.uniform(-2, 2), right = random.uniform(-2, 2);
    for (std::uint32_t r = 0; r < side; ++r)
      for (std::uint32_t c = 0; c < side; ++c) {
        const double y = (r - middle - down) / size, x = (c - middle - right) / size;
        const double row = std::cos(angle) * y - std::sin(angle) * x + double(dots_high - 1) / 2,
                     column = std::sin(angle) * y + std::cos(angle) * x + double(dots_wide - 1) / 2;
        *out++ = to_byte(255 * darkness(i % all.classes, row, column) + all.noise * random.normal());
      }
  });
}

}  // namespace mercer

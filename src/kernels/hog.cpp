// Histograms of oriented gradients (Dalal & Triggs 2005). The gradient of a pixel, by the difference of its
// neighbours in both directions, of the channel where it is longest, votes with its length for its direction
// in the histograms of cells of cell × cell pixels: a vote is shared by the two nearest directions and the
// four nearest cells, linearly. The histograms h of block × block cells together become
//   u = h/√(‖h‖² + 1),  v = min(u, clip),  φ_b = v·‖u‖/‖v‖,
// which does not change with the contrast: 1 is one level of grey, so that flat blocks stay near 0, and no
// single direction outweighs the others.
#include "mercer/kernels/hog.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "mercer/error.hpp"

namespace mercer {

namespace {

struct Grid {
  std::size_t down, across;  // cells
};

Grid grid_of(const Images& images, std::size_t i, const Hog& hog) {
  return {images.heights[i] / std::size_t(hog.cell), images.widths[i] / std::size_t(hog.cell)};
}

struct Gradient {
  double down, across;
};

class Pixels {
 public:
  Pixels(const Images& images, std::size_t i)
      : at_(images.pixels.data() + images.starts[i]),
        height_(images.heights[i]),
        width_(images.widths[i]),
        channels_(images.channels) {}
  /// Beyond the border the image goes on as it ends.
  Gradient gradient(std::size_t r, std::size_t c) const {
    Gradient longest{0, 0};
    for (std::size_t k = 0; k < channels_; ++k) {
      const Gradient g{value(std::min(r + 1, height_ - 1), c, k) - value(r == 0 ? 0 : r - 1, c, k),
                       value(r, std::min(c + 1, width_ - 1), k) - value(r, c == 0 ? 0 : c - 1, k)};
      if (g.down * g.down + g.across * g.across >
          longest.down * longest.down + longest.across * longest.across)
        longest = g;
    }
    return longest;
  }

 private:
  double value(std::size_t r, std::size_t c, std::size_t k) const {
    return at_[(r * width_ + c) * channels_ + k];
  }
  const std::uint8_t* at_;
  std::size_t height_, width_, channels_;
};

/// Between two places of a row of them, at `place`: the lower one, and the share of the upper one.
struct Between {
  std::ptrdiff_t lower;
  double upper_share;
  explicit Between(double place)
      : lower(std::ptrdiff_t(std::floor(place))), upper_share(place - double(lower)) {}
  double share(int which) const { return which ? upper_share : 1 - upper_share; }
};

/// down × across × bins, row-major.
std::vector<double> histograms(const Pixels& pixels, const Grid& grid, const Hog& hog) {
  const auto cell = std::size_t(hog.cell), bins = std::size_t(hog.bins);
  const double turn = (hog.direction == "signed" ? 2 : 1) * std::numbers::pi;
  std::vector<double> votes(grid.down * grid.across * bins);
  for (std::size_t r = 0; r < grid.down * cell; ++r)
    for (std::size_t c = 0; c < grid.across * cell; ++c) {
      const Gradient g = pixels.gradient(r, c);
      const double length = std::hypot(g.down, g.across);
      if (length == 0) continue;
      double angle = std::fmod(std::atan2(g.down, g.across), turn);
      if (angle < 0) angle += turn;
      const Between bin(angle / turn * double(bins) - 0.5), row((double(r) + 0.5) / double(cell) - 0.5),
          column((double(c) + 0.5) / double(cell) - 0.5);
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) {
          const std::ptrdiff_t y = row.lower + i, x = column.lower + j;
          if (y < 0 || x < 0 || y >= std::ptrdiff_t(grid.down) || x >= std::ptrdiff_t(grid.across)) continue;
          for (int b = 0; b < 2; ++b) {
            const std::size_t direction = std::size_t(bin.lower + b + std::ptrdiff_t(bins)) % bins;
            votes[(std::size_t(y) * grid.across + std::size_t(x)) * bins + direction] +=
                length * row.share(i) * column.share(j) * bin.share(b);
          }
        }
    }
  return votes;
}

double length_of(const std::vector<double>& v) {
  double sum = 0;
  for (const double value : v) sum += value * value;
  return std::sqrt(sum);
}

void normalise(std::vector<double>& block, double clip) {
  const double length = length_of(block), divisor = std::sqrt(length * length + 1);
  if (length == 0) return;
  for (double& value : block) value = std::min(value / divisor, clip);
  const double longer = length / divisor / length_of(block);
  for (double& value : block) value *= longer;
}

}  // namespace

std::string Hog::layout(const Objects& x) const {
  const Images& images = x.images();
  const auto size_of = [&](std::size_t i) {
    return fmt::format("{} × {} pixels", images.heights[i], images.widths[i]);
  };
  const Grid first = grid_of(images, 0, *this);
  for (std::size_t i = 0; i < images.rows(); ++i) {
    const Grid grid = grid_of(images, i, *this);
    if (grid.down < std::size_t(block) || grid.across < std::size_t(block))
      throw Error(ErrorCode::invalid_data,
                  fmt::format("image {} of column '{}' is {}, smaller than a block of {} × {}", i + 1,
                              x.name(), size_of(i), block * cell, block * cell),
                  {.owner = "hog", .hint = "make cell or block smaller"});
    if (grid.down != first.down || grid.across != first.across)
      throw Error(ErrorCode::invalid_data,
                  fmt::format("image {} of column '{}' is {}, but image 1 is {}", i + 1, x.name(), size_of(i),
                              size_of(0)),
                  {.owner = "hog",
                   .hint = "bring all to one size, or compare them as sets: patches(hog(cell=4), size=16)"});
  }
  return fmt::format("images of {} × {} cells", first.down, first.across);
}

void Hog::features(const Objects& x, std::size_t i, FeatureRow& out) const {
  const Grid grid = grid_of(x.images(), i, *this);
  const std::vector<double> votes = histograms(Pixels(x.images(), i), grid, *this);
  const auto side = std::size_t(block), n = std::size_t(bins);
  std::uint64_t key = 0;
  std::vector<double> values(side * side * n);
  for (std::size_t r = 0; r + side <= grid.down; ++r)
    for (std::size_t c = 0; c + side <= grid.across; ++c) {
      auto to = values.begin();
      for (std::size_t line = r; line < r + side; ++line)
        to = std::copy_n(votes.begin() + std::ptrdiff_t((line * grid.across + c) * n), side * n, to);
      normalise(values, clip);
      for (const double value : values) out.add(key++, value);
    }
}

}  // namespace mercer

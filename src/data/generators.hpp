// How a row of toy data is drawn. A generator is a function that draws one row and returns its target, and
// one line of the catalogue.
#pragma once

#include <cstdint>
#include <span>

#include "base/random.hpp"
#include "mercer/generate.hpp"

namespace mercer {

/// What a row is drawn from. Noise is drawn even where it is 0, so that changing it moves the same points.
struct Draw {
  Random& random;
  double noise;
  std::size_t label, classes;  // of this row; of all
  std::uint64_t seed;

  double jitter() const noexcept { return noise * random.normal(); }
};

/// Fills the columns of a row and returns its target: the number, or draw.label.
using DrawRow = double (*)(const Draw& draw, std::span<double> x);

struct Recipe {
  Generator about;
  DrawRow draw;
};

std::span<const Recipe> recipes() noexcept;

}  // namespace mercer

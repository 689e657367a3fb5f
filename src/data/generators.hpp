// How a row of toy data is drawn. A generator is a function that draws one row and returns its target, or one
// that draws all objects, and one line of the catalogue.
#pragma once

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

/// What all rows are drawn from. Row i is of class i mod classes and does not depend on n.
struct Drawing {
  std::size_t n, dim, classes;
  double noise;
  std::uint64_t seed;

  Draw row(std::size_t i, Random& random) const {
    return {random, noise, classes > 0 ? i % classes : 0, classes, seed};
  }
};
using DrawObjects = Objects (*)(const Drawing& drawing);
Objects ring_graphs(const Drawing& drawing);
Objects sets_of_vectors(const Drawing& drawing);
Objects short_texts(const Drawing& drawing);
Objects dna_motif(const Drawing& drawing);
Objects colour_images(const Drawing& all);
Objects digit_images(const Drawing& all);

struct Recipe {
  Generator about;
  DrawRow draw;  // null where the rows are objects
  DrawObjects objects = nullptr;
};

std::span<const Recipe> recipes() noexcept;

}  // namespace mercer

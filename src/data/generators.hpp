// What toy data are drawn from.
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

/// What all rows are drawn from. Row i is of class i mod classes and does not depend on n.
struct Drawing {
  std::size_t n, dim, classes;
  double noise;
  std::uint64_t seed;

  Draw row(std::size_t i, Random& random) const {
    return {random, noise, classes > 0 ? i % classes : 0, classes, seed};
  }
};

/// Columns of objects; see object_generators.cpp.
Objects ring_graphs(const Drawing& drawing);
Objects sets_of_vectors(const Drawing& drawing);
Objects short_texts(const Drawing& drawing);
Objects dna_motif(const Drawing& drawing);
Objects colour_images(const Drawing& all);
Objects digit_images(const Drawing& all);

}  // namespace mercer

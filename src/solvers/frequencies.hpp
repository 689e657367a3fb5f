// Random frequencies ω of a translation-invariant kernel, k(x, z) = Σₜ wₜ E cos(ωᵀ(x − z)) (kernels/node.hpp,
// SpectralTerm). Those of a radial kernel are orthogonal within blocks: the rows of a random rotation, with
// independent lengths of the right distribution. Each is distributed as before, and together they miss k by
// less.                                                                                        Yu et al. 2016
// A sum shares its frequencies among its terms in proportion to their weights, which makes the variance
// least.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "kernels/node.hpp"

namespace mercer {

struct Frequencies {
  std::size_t columns = 0, count = 0;
  std::vector<double> values;      // columns × count, row-major: a frequency is a column
  std::vector<double> amplitudes;  // count: √(weight of its term / frequencies of its term)
};

/// At least one for each term, so that there may be more than `count`.
Frequencies draw_frequencies(const std::vector<SpectralTerm>& terms, std::size_t columns, std::size_t count,
                             std::uint64_t seed, bool orthogonal = true);

/// A number of the gamma distribution with this shape and scale 1.                     Marsaglia & Tsang 2000
double gamma_number(Random& random, double shape);

}  // namespace mercer

// Random Fourier features: with frequencies ω₁ … ω_D of the kernel and their amplitudes a,
//   φ(x) = (a₁ cos ω₁ᵀx, …, a_D cos ω_Dᵀx, a₁ sin ω₁ᵀx, …, a_D sin ω_Dᵀx),
//   φ(x)ᵀφ(z) = Σ aⱼ² cos ωⱼᵀ(x − z) → k(x, z), with an error of order 1/√D.              Rahimi & Recht 2007
// ‖φ(x)‖² = k(x, x) exactly: what these features leave out does not show on the diagonal.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.hpp"
#include "kernels/node.hpp"
#include "operators/row_map.hpp"

namespace mercer {

/// Random frequencies ω of a translation-invariant kernel, k(x, z) = Σₜ wₜ E cos(ωᵀ(x − z))
/// (kernels/node.hpp, SpectralTerm). Those of a radial kernel are orthogonal within blocks: the rows of a
/// random rotation, with independent lengths of the right distribution. Each is distributed as before, and
/// together they miss k by less. Yu et al. 2016 A sum shares its frequencies among its terms in proportion to
/// their weights, which makes the variance least.
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

std::unique_ptr<const DenseMap> fourier_map(Frequencies frequencies);

}  // namespace mercer

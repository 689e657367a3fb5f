// Which frequencies a translation-invariant kernel is made of, and so which smoothness it demands.
//
// k(x − z) is positive semidefinite and continuous exactly where it is the transform of a measure (Bochner
// 1932). Along one column, with τ the difference in it,
//   k(τ) = ∫ p(ω) cos(ωτ) dω   and   ‖f‖² = (1/4π²) ∫ |F(ω)|²/p(ω) dω,   F the Fourier transform of f,
// so that frequencies with little p cost much: where 1/p is a polynomial in ω², ‖f‖² is a sum of integrals of
// squared derivatives.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mercer/kernel.hpp"

namespace MERCER_EXPORT mercer {

struct SpectralDensity {
  /// Mass at ±frequency alone: constants (at 0) and waves.
  struct Line {
    double frequency, mass;
  };

  std::string column;               ///< the density is along it: "1" is the first
  double variance = 0;              ///< k(x, x), all of the mass
  std::vector<double> frequencies;  ///< angular, ≥ 0, ascending
  std::vector<double> density;      ///< p there; p(−ω) is the same
  std::vector<Line> lines = {};     ///< beside the density
  std::vector<std::string> terms;   ///< the distributions that p is the sum of; none: it was measured
  double resolution = 0;            ///< measured where k does not fall to 0: how wide a line appears
  std::optional<double> decay =
      {};               ///< p falls like ω^−decay; none: faster than any power that could be seen
  std::string penalty;  ///< what ‖f‖² is, in words

  /// The frequency below which this share of the mass is, lines included.
  double quantile(double share) const;
};

/// In closed form where the distribution of the frequencies is known, else measured by a Fourier transform of
/// k along the first column. Error{usage} for kernels that are not translation invariant, not proved positive
/// semidefinite, not continuous at 0, or without numbers for all parameters.
SpectralDensity spectral_density(const Kernel& kernel);

}  // namespace mercer

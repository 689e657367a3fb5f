// Random Fourier features: with frequencies ω₁ … ω_D of the kernel and their amplitudes a
// (solvers/frequencies.hpp),
//   φ(x) = (a₁ cos ω₁ᵀx, …, a_D cos ω_Dᵀx, a₁ sin ω₁ᵀx, …, a_D sin ω_Dᵀx),
//   φ(x)ᵀφ(z) = Σ aⱼ² cos ωⱼᵀ(x − z) → k(x, z), with an error of order 1/√D.              Rahimi & Recht 2007
// ‖φ(x)‖² = k(x, x) exactly: what these features leave out does not show on the diagonal.
#pragma once

#include <memory>

#include "solvers/frequencies.hpp"
#include "operators/row_map.hpp"

namespace mercer {

std::unique_ptr<const DenseMap> fourier_map(Frequencies frequencies);

}  // namespace mercer

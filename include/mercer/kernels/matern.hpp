#pragma once
#include "mercer/error.hpp"
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// Matérn with ν = ½, 3/2 or 5/2; t = √(2ν)·‖x − z‖/ℓ.                Rasmussen & Williams 2006, §4.2.1
///   ν = ½: e⁻ᵗ      ν = 3/2: (1 + t) e⁻ᵗ      ν = 5/2: (1 + t + t²/3) e⁻ᵗ
struct Matern {
  static constexpr std::string_view name = "matern";
  static constexpr std::string_view formula = "e^−t · (1 | 1+t | 1+t+t²/3), t = √(2nu)·‖x−z‖/length";
  static constexpr std::string_view summary = "between Laplace (nu = 0.5) and the Gaussian in smoothness";
  // Rough functions (thresholds, steps, little noise) want it; borders between classes are rougher still.
  static constexpr KernelSearch search[] = {
      {"matern(nu=1.5, length=scale)", {0.5, 1, 2, 4}, Task::regression, usual_table},
      {"matern(nu=2.5, length=scale)", {0.5, 1, 2, 4}, Task::regression, usual_table}};
  static constexpr LeafTraits traits{
      .statistic = Statistic::squared_distance, .spectral = true, .prepare = true, .search = search};
  double nu = 1.5;
  std::optional<Scale> length = {};
  static constexpr Interval half_integer{0.5, 2.5, false, "0.5, 1.5 or 2.5", false};
  static void params(auto&& param) {
    param("nu", &Matern::nu, half_integer, "smoothness");
    param("length", &Matern::length, positive, "length scale", Role::length);
  }
  Properties properties() const {
    return {.psd = true, .translation_invariant = true, .radial = true, .bound = 1, .diagonal = 1};
  }
  void prepare() const {
    if (nu != 0.5 && nu != 1.5 && nu != 2.5)
      throw Error(ErrorCode::invalid_parameter,
                  "nu must be 0.5, 1.5 or 2.5, the smoothnesses with a closed form");
  }
  Spectral spectral() const {  // Student's t with 2ν degrees of freedom
    return {.scale = 1 / length->value, .variance = Spectral::Variance::inverse_gamma, .shape = nu};
  }
  Symbol operator()(Symbol d2) const {
    // e⁻¹⁰⁰⁰ is 0; ∞·0 is not.
    const Symbol t = min(sqrt(2 * nu / (length->value * length->value) * d2), 1000);
    const Symbol factor = nu == 0.5 ? Symbol(1) : nu == 1.5 ? 1 + t : 1 + t + t * t / 3;
    return factor * exp(-t);
  }
};
inline constexpr Maker<Matern> matern;

}  // namespace mercer

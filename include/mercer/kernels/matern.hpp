#pragma once
#include <cmath>

#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// Matérn, M_ν(t) = 2^(1−ν)/Γ(ν) · t^ν K_ν(t) with t = √(2ν)·‖x − z‖/ℓ.   Rasmussen & Williams 2006, §4.2.1
///   ν = ½: e⁻ᵗ      ν = 3/2: (1 + t) e⁻ᵗ      ν = 5/2: (1 + t + t²/3) e⁻ᵗ
/// Others follow from two below them by the recurrence of K_ν (Abramowitz & Stegun 1964, 9.6.26), which in M
/// has no cancellation and no overflow: M_{ν+1} = M_ν + t²/(4ν(ν−1)) M_{ν−1}. So one more half costs two
/// products, and any other ν two Bessel functions of orders up to 2.
struct Matern {
  static constexpr std::string_view name = "matern";
  static constexpr std::string_view formula =
      "2^(1−nu)/Γ(nu)·t^nu·K_nu(t), t = √(2nu)·‖x−z‖/length; e^−t · (1 | 1+t | 1+t+t²/3) for nu = 0.5, 1.5, "
      "2.5";
  static constexpr std::string_view summary = "between Laplace (nu = 0.5) and the Gaussian in smoothness";
  // Rough functions (thresholds, steps, little noise) want it; borders between classes are rougher still.
  static constexpr KernelSearch search[] = {
      {"matern(nu=1.5, length=scale)", {0.5, 1, 2, 4}, Task::regression, usual_table},
      {"matern(nu=2.5, length=scale)", {0.5, 1, 2, 4}, Task::regression, usual_table}};
  static constexpr LeafTraits traits{
      .statistic = Statistic::squared_distance, .spectral = true, .search = search};
  double nu = 1.5;
  std::optional<Scale> length = {};
  static constexpr Interval smoothness{0, 100, true, "> 0 and at most 100", false};
  static void params(auto&& param) {
    param("nu", &Matern::nu, smoothness, "smoothness; 0.5, 1.5, 2.5, … are fast, rbf is the limit");
    param("length", &Matern::length, positive, "length scale", Role::length);
  }
  Properties properties() const {
    return {.psd = true, .translation_invariant = true, .radial = true, .bound = 1, .diagonal = 1};
  }
  Spectral spectral() const {  // Student's t with 2ν degrees of freedom
    return {.scale = 1 / length->value, .variance = Spectral::Variance::inverse_gamma, .shape = nu};
  }
  Symbol operator()(Symbol d2) const {
    // e⁻¹⁰⁰⁰ is 0; ∞·0 is not.
    const Symbol t = min(sqrt(2 * nu / (length->value * length->value) * d2), 1000);
    if (nu == 2.5) return (1 + t + t * t / 3) * exp(-t);
    const bool half = nu - std::floor(nu) == 0.5;
    const double first = nu - (std::ceil(nu) - 1);  // in (0, 1]
    Symbol before = half ? exp(-t) : bessel(t, first);
    if (nu == first) return before;
    Symbol value = half ? (1 + t) * exp(-t) : bessel(t, first + 1);
    for (double order = first + 1; order < nu; ++order) {
      const Symbol next = value + t * t / (4 * order * (order - 1)) * before;
      before = value;
      value = next;
    }
    return value;
  }
};
inline constexpr Maker<Matern> matern;

}  // namespace mercer

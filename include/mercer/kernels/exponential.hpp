#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = exp(xᵀz / σ²): the Gaussian before it is normalised; its Taylor series holds every polynomial.
struct Exponential {
  static constexpr std::string_view name = "exponential";
  static constexpr std::string_view formula = "exp(xᵀz / sigma²)";
  static constexpr std::string_view summary =
      "all polynomials at once; the Gaussian without its normalisation";
  static constexpr LeafTraits traits{.statistic = Statistic::dot, .series = true};
  std::optional<Scale> sigma = {};
  static void params(auto&& param) { param("sigma", &Exponential::sigma, positive, "width", Role::length); }
  Properties properties() const { return {.psd = true}; }
  Series series(int terms) const {
    return {.coefficients = exponential_series(1 / (sigma->value * sigma->value), terms), .exact = false};
  }
  Symbol operator()(Symbol dot) const { return exp(dot / (sigma->value * sigma->value)); }
};
inline constexpr Maker<Exponential> exponential;

}  // namespace mercer

#pragma once
#include <cmath>

#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = exp(−γ‖x − z‖²), γ = 1/(2σ²): the Gaussian kernel.
struct Rbf {
  static constexpr std::string_view name = "rbf";
  static constexpr std::string_view formula = "exp(−gamma·‖x−z‖²), gamma = 1/(2·sigma²)";
  static constexpr std::string_view summary = "the Gaussian; smooth, universal, the usual default";
  // Smooth functions of all columns together want it, and its length matters most. The border between classes
  // is rougher than a function of numbers is: shorter lengths.
  static constexpr std::string_view open = "rbf(gamma=scale)";
  static constexpr KernelSearch search[] = {
      {open, {0.7, 1.4, 2.8, 5.6}, Task::regression, small_table},
      {open, {0.5, 0.7, 1, 1.4, 2.8}, Task::regression, wide_table},
      {open, {0.35, 0.5, 0.7, 1, 1.4, 2, 2.8}, Task::regression, usual_table},
      {open, {0.5, 1, 2}, Task::classification, small_table},
      {open, {0.35, 0.5, 0.7, 1, 1.4, 2}, Task::classification, wide_table},
      {open, {0.25, 0.35, 0.5, 0.7, 1, 1.4, 2}, Task::classification, usual_table},
      {.kernel = open, .multiples = {0.5, 1, 2}, .when = equally_large, .domain = Domain::image},
      {.kernel = open, .multiples = {0.5, 1, 2}, .standard = true}};
  static constexpr LeafTraits traits{
      .statistic = Statistic::squared_distance, .series = true, .spectral = true, .search = search};
  std::optional<Scale> gamma = {}, sigma = {};
  static void params(auto&& param) {
    param("gamma", &Rbf::gamma, positive, "inverse squared width", Role::inverse_square);
    param("sigma", &Rbf::sigma, positive, "width", Role::length);
  }
  Properties properties() const {
    return {.psd = true, .translation_invariant = true, .radial = true, .bound = 1, .diagonal = 1};
  }
  double rate() const { return gamma ? gamma->value : 0.5 / (sigma->value * sigma->value); }
  /// exp(−γ‖x − z‖²) = exp(−γ‖x‖²) exp(2γ xᵀz) exp(−γ‖z‖²), the middle as a Taylor series.
  Series series(int terms) const {
    return {.coefficients = exponential_series(2 * rate(), terms), .gaussian = rate(), .exact = false};
  }
  Spectral spectral() const { return {.scale = std::sqrt(2 * rate())}; }
  Symbol operator()(Symbol d2) const { return exp(-rate() * d2); }
};
inline constexpr Maker<Rbf> rbf;

}  // namespace mercer

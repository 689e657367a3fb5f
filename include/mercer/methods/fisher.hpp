#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Kernel Fisher discriminant (Mika et al. 1999; of several classes Baudat & Anouar 2000).
struct Fisher {
  static constexpr std::string_view name = "fisher";
  static constexpr std::string_view formula =
      "max vᵀS_B v / vᵀ(S_W + μI)v in feature space; then the nearest class mean";
  static constexpr std::string_view summary =
      "Fisher discriminant analysis: projects onto the directions that separate the classes, then takes the "
      "nearest class mean";
  static constexpr SearchRange search[] = {{"lambda", SearchUnit::one, 10, -7, 0}};
  static constexpr std::string_view solvers[] = {"dual", "primal"};
  static constexpr MethodTraits traits{
      .task = Task::classification, .tolerance = 1e-8, .solvers = solvers, .search = search};
  double lambda = 1e-3;
  static void params(auto&& param) {
    param({"lambda", "μ relative to the total variance: μ = lambda·tr S_T", positive}, &Fisher::lambda);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// One-class support vector machine (Schölkopf et al. 2001): a region that holds all but a fraction ν of the
/// points.
struct OneClass {
  static constexpr std::string_view name = "one_class";
  static constexpr std::string_view formula = "min ½‖w‖² − νnρ + Σ max(0, ρ − wᵀφ(x))";
  static constexpr std::string_view summary =
      "one-class SVM: novelty detection with at most a fraction nu of outliers";
  static constexpr std::string_view solvers[] = {"dual", "primal"};
  static constexpr MethodTraits traits{.task = Task::novelty,
                                       .conditional = Conditional::with_constant_diagonal,
                                       .resumable = true,
                                       .solvers = solvers,
                                       .work = SolverWork::working_sets};
  double nu = 0.5;
  static void params(auto&& param) {
    param({"nu", "upper bound on the fraction of outliers, lower bound on the fraction of support vectors",
           positive_fraction},
          &OneClass::nu);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

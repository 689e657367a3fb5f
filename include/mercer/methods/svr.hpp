#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// ε-support vector regression (Vapnik 1995).
struct Svr {
  static constexpr std::string_view name = "svr";
  static constexpr std::string_view formula = "min ½‖w‖² + C·Σ max(0, |y − f(x)| − ε)";
  static constexpr std::string_view summary = "support vector regression: ignores errors below epsilon";
  static constexpr std::string_view solvers[] = {"dual", "primal"};
  static constexpr double tubes[] = {0.01, 0.1};
  static constexpr SearchRange search[] = {
      {.parameter = "epsilon", .unit = SearchUnit::spread, .values = tubes},
      {"C", SearchUnit::spread_over_diagonal, 10, -1, 3}};
  static constexpr MethodTraits traits{.task = Task::regression,
                                       .conditional = Conditional::always,
                                       .resumable = true,
                                       .penalises_norm = true,
                                       .solvers = solvers,
                                       .work = SolverWork::working_sets,
                                       .search = search};
  double C = 1;
  double epsilon = 0.1;
  static void params(auto&& param) {
    param({"C", "penalty C on errors beyond epsilon", positive}, &Svr::C);
    param({"epsilon", "epsilon, half the width of the tube around f: errors up to it cost nothing",
           non_negative},
          &Svr::epsilon);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

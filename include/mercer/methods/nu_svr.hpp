#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// ν-support vector regression (Schölkopf et al. 2000): ε is found so that a fraction ν of the points lies
/// outside.
struct NuSvr {
  static constexpr std::string_view name = "nu_svr";
  static constexpr std::string_view formula = "min ½‖w‖² + C·(nνε + Σ max(0, |y − f(x)| − ε)) over w and ε";
  static constexpr std::string_view summary =
      "support vector regression that finds epsilon from a fraction nu";
  static constexpr SearchRange search[] = {{"C", SearchUnit::spread_over_diagonal, 10, -1, 3}};
  static constexpr MethodTraits traits{.task = Task::regression,
                                       .conditional = Conditional::always,
                                       .resumable = true,
                                       .penalises_norm = true,
                                       .search = search};
  double C = 1;
  double nu = 0.5;
  static void params(auto&& param) {
    param({"C", "penalty C on errors beyond epsilon", positive}, &NuSvr::C);
    param({"nu", "upper bound on the fraction of errors, lower bound on the fraction of support vectors",
           positive_fraction},
          &NuSvr::nu);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

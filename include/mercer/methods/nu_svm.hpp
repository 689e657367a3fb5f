#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// ν-SVC (Schölkopf, Smola, Williamson & Bartlett 2000): ν bounds the fraction of margin errors from above
/// and of support vectors from below.
struct NuSvm {
  static constexpr std::string_view name = "nu_svm";
  static constexpr std::string_view formula = "min ½‖w‖² − νρ + (1/n)·Σ max(0, ρ − y·f(x)), then f/ρ";
  static constexpr std::string_view summary = "support vector classification with a fraction nu instead of C";
  static constexpr double shares[] = {0.02, 0.05, 0.1, 0.2, 0.3, 0.5};
  static constexpr SearchRange search[] = {{.parameter = "nu", .values = shares}};
  static constexpr MethodTraits traits{.task = Task::classification,
                                       .conditional = Conditional::always,
                                       .resumable = true,
                                       .penalises_norm = true,
                                       .search = search};
  double nu = 0.5;
  static void params(auto&& param) {
    param(
        {"nu", "upper bound on the fraction of margin errors, lower bound on the fraction of support vectors",
         positive_fraction},
        &NuSvm::nu);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

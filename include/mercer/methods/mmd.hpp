#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// The kernel two-sample test (Gretton et al. 2012): do two samples come from one distribution? The model is
/// the witness.
struct Mmd {
  static constexpr std::string_view name = "mmd";
  static constexpr std::string_view formula =
      "f(x) = mean over Q of k(x,·) − mean over P of k(x,·),  MMD² = ‖f‖²";
  static constexpr std::string_view summary =
      "two-sample test: the maximum mean discrepancy, its p-value and its witness";
  static constexpr MethodTraits traits{.task = Task::classification, .conditional = Conditional::always};
  int permutations = 1000;
  static void params(auto&& param) {
    param({"permutations",
           "number of permutations for the p-value; 0: no p-value",
           {0, 1e7, false, "a whole number ≥ 0"}},
          &Mmd::permutations);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

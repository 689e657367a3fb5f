#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Kernel ridge regression, updated with each row: kernel recursive least squares (Engel, Mannor & Meir 2004)
/// with a ridge penalty. Rows that are new in feature space join a dictionary; of all others only what they
/// say about its members is kept. While every row joins, or the dictionary spans the features of the kernel,
/// the model is that of ridge.
struct RecursiveRidge {
  static constexpr std::string_view name = "recursive_ridge";
  static constexpr std::string_view formula =
      "min Σ (y − f(x))² + τ²·‖f‖² over f = Σ α·k(x, ·) of a dictionary, by recursive least squares";
  static constexpr std::string_view summary =
      "kernel ridge regression that learns online, updated exactly with each row (kernel recursive least "
      "squares)";
  static constexpr MethodTraits traits{
      .task = Task::regression, .multi_output = true, .online = true, .keeps_state = true};
  double tau2 = 1;
  int budget = 200;
  double novelty = 1e-8;
  Bias bias = Bias::none;
  static void params(auto&& param) {
    param({"tau2", "ridge penalty: added to the diagonal of K", positive}, &RecursiveRidge::tau2);
    param({"budget", "number of points kept at most: rows of the dictionary", budget_count},
          &RecursiveRidge::budget);
    param({"novelty",
           "a row joins the dictionary if its squared distance from the span of the dictionary in feature "
           "space, as a share of k(x, x), is above this; 0: above rounding",
           {0, 1, false, "from 0 to 1"}},
          &RecursiveRidge::novelty);
    param({"bias", bias_meaning}, &RecursiveRidge::bias);
  }
  Fitted fit(const Training& training) const;
  std::string state_fault(const Fitted& fitted) const;
};

}  // namespace mercer

#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// The kernel perceptron on a budget: the self-tuned Forgetron (Dekel, Shalev-Shwartz & Singer 2008), one
/// pass over rows in their order. Of the ways to stay within a budget it is the one with a bound on its
/// mistakes that holds for every sequence of rows, not on average over random choices.
struct OnlinePerceptron {
  static constexpr std::string_view name = "online_perceptron";
  static constexpr std::string_view formula =
      "at each mistake f += y·k(x, ·); beyond the budget f is shrunk and its oldest term removed";
  static constexpr std::string_view summary =
      "kernel perceptron on a budget, learning online from one row after the other (Forgetron)";
  static constexpr MethodTraits traits{.task = Task::classification, .online = true, .keeps_state = true};
  int budget = 500;
  int epochs = 1;
  static void params(auto&& param) { budget_parameters<OnlinePerceptron>(param); }
  Fitted fit(const Training& training) const;
  std::string state_fault(const Fitted& fitted) const;
};

}  // namespace mercer

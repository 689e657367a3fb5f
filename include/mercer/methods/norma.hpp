#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// NORMA (Kivinen, Smola & Williamson 2004): stochastic gradient descent on a regularised risk in the space
/// of the kernel. What was learned decays, so that the oldest terms can be dropped.
struct Norma {
  static constexpr std::string_view name = "norma";
  static constexpr std::string_view formula = "f ← (1 − η·λ)·f − η·L′(y, f(x))·k(x, ·) at each row";
  static constexpr std::string_view summary =
      "online regularized risk minimization by stochastic gradient steps, on a budget";
  static constexpr MethodTraits traits{
      .task = Task::either, .multi_output = true, .online = true, .keeps_state = true};
  enum class Loss {
    automatic,
    hinge,
    squared_hinge,
    logistic,
    squared,
    absolute,
    epsilon_insensitive,
    huber,
    pinball
  };
  friend constexpr Words<9> words_of(Loss) noexcept {
    return {"auto",  "hinge",  "squared_hinge", "logistic", "squared", "absolute", "epsilon_insensitive",
            "huber", "pinball"};
  }
  enum class Schedule { constant, root };
  friend constexpr Words<2> words_of(Schedule) noexcept { return {"constant", "root"}; }
  Loss loss = Loss::automatic;
  std::optional<double> shape = {};
  double rate = 0.2;
  Schedule schedule = Schedule::constant;
  double lambda = 0.01;
  Bias bias = Bias::none;
  int budget = 500;
  int epochs = 1;
  static void params(auto&& param) {
    param({"loss", "loss L; auto: hinge for classes, squared for numbers"}, &Norma::loss);
    param(
        {"shape",
         "parameter of the loss (delta of huber, tau of pinball, epsilon of epsilon_insensitive); none: the "
         "usual one",
         non_negative},
        &Norma::shape);
    param({"rate", "learning rate η of the first step", positive}, &Norma::rate);
    param({"schedule",
           "constant: η stays, and old terms fade; root: it falls as 1/√t with the number t of the row"},
          &Norma::schedule);
    param({"lambda", "penalty on ‖f‖²: in each step f shrinks by 1 − η·λ", non_negative}, &Norma::lambda);
    param({"bias", bias_meaning}, &Norma::bias);
    budget_parameters<Norma>(param);
  }
  Fitted fit(const Training& training) const;
  std::string state_fault(const Fitted& fitted) const;
};

}  // namespace mercer

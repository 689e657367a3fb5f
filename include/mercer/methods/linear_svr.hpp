#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Linear support vector regression over the weights of columns, with LIBLINEAR's problems (Ho & Lin 2012):
/// the intercept is penalised as the other weights are.
struct LinearSvr {
  static constexpr std::string_view name = "linear_svr";
  static constexpr std::string_view formula =
      "min ½‖w‖² + C·Σ L(|y − wᵀx − b| − ε), with b among the weights";
  static constexpr std::string_view summary =
      "linear support vector regression with a penalized intercept, its loss squared or not";
  static constexpr std::string_view solvers[] = {"descent", "newton"};
  static constexpr SearchRange search[] = {{"C", SearchUnit::inverse_diagonal, 2, -7, 5, 2},
                                           {"epsilon", SearchUnit::spread, 2, -7, -1, 2}};
  static constexpr MethodTraits traits{.task = Task::regression,
                                       .needs_columns = true,
                                       .tolerance = 1e-4,
                                       .solvers = solvers,
                                       .search = search};
  enum class LossWord { epsilon_insensitive, squared_epsilon_insensitive };
  friend constexpr Words<2> words_of(LossWord) noexcept {
    return {"epsilon_insensitive", "squared_epsilon_insensitive"};
  }
  double C = 1;
  double epsilon = 0;
  LossWord loss = LossWord::epsilon_insensitive;
  bool intercept = true;
  double intercept_scaling = 1;
  int epochs = 1000;
  static void params(auto&& param) {
    param({"C", "penalty C on errors", positive}, &LinearSvr::C);
    param({"epsilon", "errors below it cost nothing", non_negative}, &LinearSvr::epsilon);
    param({"loss", "L: epsilon_insensitive is max(0, ·), squared_epsilon_insensitive is max(0, ·)²"},
          &LinearSvr::loss);
    penalised_intercept_parameters<LinearSvr>(param);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

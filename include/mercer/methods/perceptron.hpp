#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// The kernel perceptron (Aizerman, Braverman & Rozonoer 1964), averaged (Freund & Schapire 1999).
struct Perceptron {
  static constexpr std::string_view name = "perceptron";
  static constexpr std::string_view formula =
      "at each mistake f += y·k(x, ·); the result is the mean of all f on the way";
  static constexpr std::string_view summary = "kernel perceptron, trained on one row at a time";
  static constexpr std::string_view solvers[] = {"dual", "primal"};
  static constexpr MethodTraits traits{
      .task = Task::classification, .solvers = solvers, .work = SolverWork::visits};
  int epochs = 10;
  bool averaged = true;
  static void params(auto&& param) {
    param({"epochs", "maximum number of passes over the rows", {1, 1e6, false, "a whole number ≥ 1"}},
          &Perceptron::epochs);
    param({"averaged", "predict with the average of all iterates, or with the last"}, &Perceptron::averaged);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

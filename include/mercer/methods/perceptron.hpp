#pragma once
#include "mercer/method.hpp"

namespace mercer {

/// The kernel perceptron (Aizerman, Braverman & Rozonoer 1964), averaged (Freund & Schapire 1999).
struct Perceptron {
  static constexpr std::string_view name = "perceptron";
  static constexpr std::string_view formula = "at each mistake f += y·k(x, ·); the answer is the mean of all f on the way";
  static constexpr std::string_view summary = "kernel perceptron: learns from its mistakes, row by row";
  static constexpr auto task = Task::classes;
  double epochs = 10;
  std::string averaged = "yes";
  static void params(auto&& param) {
    param({"epochs", "how often all rows are visited, at most", {1, 1e6, false, "≥ 1, whole"}, {}}, &Perceptron::epochs);
    param({"averaged", "answer with the mean of all functions on the way, or with the last", any_number, {"yes", "no"}},
          &Perceptron::averaged);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Linear support vector classification over the weights of columns, with LIBLINEAR's problems (Fan, Chang,
/// Hsieh, Wang & Lin 2008): the intercept is penalised as the other weights are. Class weights count as
/// there: one-vs-rest, that of a class multiplies its rows in its own problem alone.
struct LinearSvm {
  static constexpr std::string_view name = "linear_svm";
  static constexpr std::string_view formula = "min R(w) + C·Σ L(y·(wᵀx + b)), with b among the weights of R";
  static constexpr std::string_view summary =
      "linear support vector classification with a squared hinge, sparse weights or one machine for all "
      "classes";
  static constexpr std::string_view solvers[] = {"descent", "newton"};
  static constexpr SearchRange search[] = {{"C", SearchUnit::inverse_diagonal, 2, -7, 5, 2}};
  static constexpr MethodTraits traits{.task = Task::classification,
                                       .needs_columns = true,
                                       .tolerance = 1e-4,
                                       .solvers = solvers,
                                       .search = search};
  enum class Penalty { l2, l1 };
  friend constexpr Words<2> words_of(Penalty) noexcept { return {"l2", "l1"}; }
  enum class LossWord { squared_hinge, hinge };
  friend constexpr Words<2> words_of(LossWord) noexcept { return {"squared_hinge", "hinge"}; }
  enum class Multiclass { ovr, crammer_singer };
  friend constexpr Words<2> words_of(Multiclass) noexcept { return {"ovr", "crammer_singer"}; }
  double C = 1;
  Penalty penalty = Penalty::l2;
  LossWord loss = LossWord::squared_hinge;
  Multiclass multiclass = Multiclass::ovr;
  bool intercept = true;
  double intercept_scaling = 1;
  int epochs = 1000;
  static void params(auto&& param) {
    param({"C", "penalty C on margin violations", positive}, &LinearSvm::C);
    param({"penalty", "R: l2 is ½‖w‖²; l1 is Σ|w|, which makes many weights 0"}, &LinearSvm::penalty);
    param({"loss", "L: squared_hinge is max(0, 1 − y·f)², hinge is max(0, 1 − y·f)"}, &LinearSvm::loss);
    param({"multiclass",
           "ovr: one classifier per class against the rest; crammer_singer: one problem for all classes, "
           "without penalty and loss"},
          &LinearSvm::multiclass);
    penalised_intercept_parameters<LinearSvm>(param);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Soft and hard margin support vector classification (Cortes & Vapnik 1995).
struct Svm {
  static constexpr std::string_view name = "svm";
  static constexpr std::string_view formula = "min ½‖w‖² + C·Σ max(0, 1 − y·f(x))";
  static constexpr std::string_view summary = "support vector classification; C=inf is the hard margin";
  static constexpr std::string_view solvers[] = {"dual", "primal"};
  static constexpr std::string_view paths[] = {"C"};
  static constexpr SearchRange search[] = {{"C", SearchUnit::inverse_diagonal, 2, -1, 11, 2, -6}};
  static constexpr MethodTraits traits{.task = Task::classification,
                                       .conditional = Conditional::always,
                                       .resumable = true,
                                       .penalises_norm = true,
                                       .solvers = solvers,
                                       .work = SolverWork::working_sets,
                                       .paths = paths,
                                       .search = search,
                                       .search_cost = SearchCost::path};
  enum class Convention { sum, mean };
  friend constexpr Words<2> words_of(Convention) noexcept { return {"sum", "mean"}; }
  enum class Multiclass { ovo, ovr };
  friend constexpr Words<2> words_of(Multiclass) noexcept { return {"ovo", "ovr"}; }
  double C = 1;
  std::optional<double> lambda = {};
  Convention C_convention = Convention::sum;
  Multiclass multiclass = Multiclass::ovo;
  static void params(auto&& param) {
    param({"C",
           "penalty C on margin violations; inf: hard margin",
           {0, std::numeric_limits<double>::infinity(), true, "> 0"}},
          &Svm::C);
    param({"lambda", "instead of C: minimize mean hinge + lambda·‖w‖²", positive}, &Svm::lambda);
    param({"C_convention", "sum: C·Σ hinge; mean: C·(1/n)·Σ hinge"}, &Svm::C_convention);
    param({"multiclass", "ovo: one classifier per pair of classes; ovr: one per class against the rest"},
          &Svm::multiclass);
  }
  Fitted fit(const Training& training) const;
  std::optional<HeldOut> hold_out(const Validation& validation) const;
};

}  // namespace mercer

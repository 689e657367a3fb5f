#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Kernel ridge regression (Saunders, Gammerman & Vovk 1998): α = (K + nλI)⁻¹y, or α = (K + τ²I)⁻¹y.
struct Ridge {
  static constexpr std::string_view name = "ridge";
  static constexpr std::string_view formula = "min (1/n)·Σ (y − f(x))² + λ·‖f‖²";
  static constexpr std::string_view summary =
      "kernel ridge regression; ridge regression with the linear kernel";
  static constexpr std::string_view solvers[] = {"cholesky", "cg", "primal", "dual"};
  static constexpr std::string_view paths[] = {"tau2", "lambda"};
  static constexpr std::string_view same_penalty[] = {"lambda", "select"};
  static constexpr SearchRange search[] = {
      {"tau2", SearchUnit::diagonal, 10, -6, 1, 0.5, 3, -3, {}, same_penalty}};
  static constexpr MethodTraits traits{.task = Task::regression,
                                       .multi_output = true,
                                       .conditional = Conditional::with_trend,
                                       .penalises_norm = true,
                                       .tolerance = 1e-8,
                                       .solvers = solvers,
                                       .paths = paths,
                                       .leaves_out_single_rows = true,
                                       .search = search,
                                       .search_cost = SearchCost::factorisation};
  enum class Select { none, loo, gcv };
  friend constexpr Words<3> words_of(Select) noexcept { return {"none", "loo", "gcv"}; }
  double lambda = 1e-3;
  std::optional<double> tau2 = {};
  Select select = Select::none;
  Bias bias = Bias::none;
  static void params(auto&& param) {
    param({"lambda", "penalty on ‖f‖²: α = (K + nλI)⁻¹y; 0: the minimum-norm least-squares solution",
           non_negative},
          &Ridge::lambda);
    param({"tau2", "instead of lambda: added to the diagonal of K, α = (K + τ²I)⁻¹y; 0: as lambda = 0",
           non_negative},
          &Ridge::tau2);
    param({"select", "select lambda from 50 values by leave-one-out or generalized cross-validation"},
          &Ridge::select);
    param({"bias", bias_meaning}, &Ridge::bias);
  }
  Fitted fit(const Training& training) const;
  std::optional<HeldOut> hold_out(const Validation& validation) const;
};

}  // namespace mercer

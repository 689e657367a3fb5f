#pragma once
#include "mercer/method.hpp"

namespace mercer {

/// Kernel ridge regression (Saunders, Gammerman & Vovk 1998): α = (K + nλI)⁻¹y, or α = (K + τ²I)⁻¹y.
struct Ridge {
  static constexpr std::string_view name = "ridge";
  static constexpr std::string_view formula = "min (1/n)·Σ (y − f(x))² + λ·‖f‖²";
  static constexpr std::string_view summary = "least squares with a price on ‖f‖²; of the linear kernel ridge regression";
  static constexpr auto task = Task::real;
  static constexpr bool penalises_norm = true;
  static constexpr bool multi_output = true;
  static constexpr double tolerance = 1e-8;
  static constexpr std::string_view solvers[] = {"cholesky", "cg", "primal"};
  static constexpr std::string_view paths[] = {"tau2", "lambda"};
  static constexpr bool leaves_out_single_rows = true;
  double lambda = 1e-3;
  std::optional<double> tau2 = {};
  std::string select = "none";
  std::string bias = "none";
  static void params(auto&& param) {
    param({"lambda", "price of ‖f‖²: α = (K + nλI)⁻¹y; 0: the f of least norm among those with the least error", non_negative, {}}, &Ridge::lambda);
    param({"tau2", "in place of lambda: what is added to the diagonal of K, α = (K + τ²I)⁻¹y; 0: as lambda = 0", non_negative, {}}, &Ridge::tau2);
    param({"select", "choose lambda from 50 values by leave-one-out or generalised cross-validation", any_number, {"none", "loo", "gcv"}}, &Ridge::select);
    param({"bias", "free: a constant beside f that costs nothing", any_number, {"none", "free"}}, &Ridge::bias);
  }
  Fitted fit(const Training& training) const;
  std::optional<HeldOut> hold_out(const Validation& validation) const;
};

}  // namespace mercer

#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Least squares without a penalty on f: kernel ridge regression with λ = 0. Where several f have the least
/// error, the one of least norm.
struct Ols {
  static constexpr std::string_view name = "ols";
  static constexpr std::string_view formula = "min Σ (y − f(x))², then ‖f‖²";
  static constexpr std::string_view summary =
      "ordinary least squares; linear regression with the linear kernel";
  static constexpr std::string_view solvers[] = {"cholesky", "cg", "primal", "dual"};
  static constexpr MethodTraits traits{.task = Task::regression,
                                       .multi_output = true,
                                       .conditional = Conditional::with_trend,
                                       .tolerance = 1e-8,
                                       .solvers = solvers};
  Bias bias = Bias::none;
  static void params(auto&& param) { param({"bias", "free: an intercept"}, &Ols::bias); }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

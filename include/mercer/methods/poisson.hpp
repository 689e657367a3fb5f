#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Poisson regression: the logarithm of the rate is f.
struct Poisson {
  static constexpr std::string_view name = "poisson";
  static constexpr std::string_view formula = "min (1/n)·Σ (e^f(x) − y·f(x)) + λ·‖f‖²";
  static constexpr std::string_view summary = "Poisson regression: the rate of counts, e^f(x)";
  static constexpr std::string_view solvers[] = {"newton", "gradient", "cholesky", "cg", "primal"};
  static constexpr MethodTraits traits{.task = Task::regression,
                                       .penalises_norm = true,
                                       .tolerance = 1e-6,
                                       .solvers = solvers,
                                       .search = lambda_search};
  double lambda = 1e-3;
  Bias bias = Bias::free;
  static void params(auto&& param) {
    param({"lambda", "penalty on ‖f‖²", positive}, &Poisson::lambda);
    param({"bias", "free: an unpenalized intercept; none: no intercept"}, &Poisson::bias);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Poisson regression: the logarithm of the rate is f.
struct Poisson {
  static constexpr std::string_view name = "poisson";
  static constexpr std::string_view formula = "min (1/n)·Σ (e^f(x) − y·f(x)) + λ·‖f‖²";
  static constexpr std::string_view summary = "Poisson regression: the rate of counts, e^f(x)";
  static constexpr MethodTraits traits = smooth_risk(Task::regression);
  double lambda = 1e-3;
  Bias bias = Bias::free;
  static void params(auto&& param) {
    param({"lambda", "penalty on ‖f‖²", positive}, &Poisson::lambda);
    param({"bias", bias_meaning}, &Poisson::bias);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

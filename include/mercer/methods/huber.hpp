#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Robust regression (Huber 1964).
struct Huber {
  static constexpr std::string_view name = "huber";
  static constexpr std::string_view formula = "min (1/n)·Σ huber(y − f(x)) + λ·‖f‖²";
  static constexpr std::string_view summary = "robust regression: squared loss up to delta, linear beyond";
  static constexpr MethodTraits traits = smooth_risk(Task::regression);
  double lambda = 1e-3;
  double delta = 1;
  Bias bias = Bias::free;
  static void params(auto&& param) {
    param({"lambda", "penalty on ‖f‖²", positive}, &Huber::lambda);
    param({"delta", "residuals beyond it count linearly", positive}, &Huber::delta);
    param({"bias", bias_meaning}, &Huber::bias);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

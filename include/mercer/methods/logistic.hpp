#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Kernel logistic regression (Zhu & Hastie 2005), binary and multinomial.
struct Logistic {
  static constexpr std::string_view name = "logistic";
  static constexpr std::string_view formula =
      "min (1/n)·Σ log(1 + e^(−y·f(x))) + λ·‖f‖²; of many classes (1/n)·Σ log Σ e^(f_c(x) − f_y(x))";
  static constexpr std::string_view summary = "kernel logistic regression for two or more classes";
  static constexpr MethodTraits traits = smooth_risk(Task::classification);
  double lambda = 1e-3;
  Bias bias = Bias::free;
  static void params(auto&& param) {
    param({"lambda", "penalty on ‖f‖²", positive}, &Logistic::lambda);
    param({"bias", bias_meaning}, &Logistic::bias);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

#pragma once
#include "losses/loss_of.hpp"

namespace mercer {

/// L(y, f) = exp(−y·f), the loss that AdaBoost lowers.                     Friedman, Hastie & Tibshirani 2000
struct ExponentialLoss {
  static constexpr std::string_view name = "exponential";
  static constexpr std::string_view formula = "exp(−y·f)";
  static constexpr std::string_view summary = "two classes; the loss of boosting, exponential in the margin";
  static constexpr LossTraits traits{.target = LossTarget::signs, .smooth = true};
  double value(double y, double f) const noexcept { return std::exp(-y * f); }
  double derivative(double y, double f) const noexcept { return -y * std::exp(-y * f); }
  double second(double y, double f) const noexcept { return std::exp(-y * f); }
  double conjugate(double y, double a) const noexcept {
    const double q = -a * y;
    return q >= 0 ? x_log_x(q) - q : outside_domain;
  }
};

}  // namespace mercer

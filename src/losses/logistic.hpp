#pragma once
#include "losses/loss_of.hpp"

namespace mercer {

/// L(y, f) = log(1 + exp(−y·f)) = −log p, with p = 1/(1 + exp(−y·f)) the probability of y.
///                                                                                          Zhu & Hastie 2005
/// Written in exp(−|f|), which cannot overflow.
struct LogisticLoss {
  static constexpr std::string_view name = "logistic";
  static constexpr std::string_view formula = "log(1 + exp(−y·f))";
  static constexpr std::string_view summary =
      "logistic regression: two classes with probabilities 1/(1 + exp(−y·f))";
  static constexpr LossTraits traits{.target = LossTarget::signs, .smooth = true};
  double value(double y, double f) const noexcept {
    const double margin = y * f;
    return (margin < 0 ? -margin : 0) + std::log1p(std::exp(-std::abs(margin)));
  }
  double derivative(double y, double f) const noexcept {
    const double small = std::exp(-std::abs(f));
    return -y * (y * f > 0 ? small : 1) / (1 + small);  // −y(1 − p)
  }
  double second(double, double f) const noexcept {
    const double small = std::exp(-std::abs(f));
    return small / ((1 + small) * (1 + small));  // p(1 − p)
  }
  double conjugate(double y, double a) const noexcept {
    const double q = -a * y;
    return q >= 0 && q <= 1 ? x_log_x(q) + x_log_x(1 - q) : outside_domain;
  }
};

}  // namespace mercer

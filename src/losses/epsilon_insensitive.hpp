#pragma once
#include "losses/loss_of.hpp"

namespace mercer {

/// L(y, f) = max(0, |y − f| − ε)                                                                  Vapnik 1995
struct EpsilonInsensitiveLoss {
  static constexpr std::string_view name = "epsilon_insensitive";
  static constexpr std::string_view formula = "max(0, |y − f| − epsilon)";
  static constexpr std::string_view summary = "support vector regression: ignores errors below epsilon";
  static constexpr LossTraits traits{.target = LossTarget::real, .dual = true, .parameters = true};
  double epsilon = 0.1;
  static void params(auto&& param) {
    param("epsilon", &EpsilonInsensitiveLoss::epsilon, non_negative, "errors up to this are ignored");
  }
  double value(double y, double f) const noexcept {
    const double beyond = std::abs(y - f) - epsilon;
    return beyond > 0 ? beyond : 0;
  }
  double derivative(double y, double f) const noexcept {
    return f - y > epsilon ? 1 : y - f > epsilon ? -1 : 0;
  }
  double conjugate(double y, double a) const noexcept {
    return std::abs(a) <= 1 ? a * y + epsilon * std::abs(a) : outside_domain;
  }
  std::vector<DualPiece> dual(double y) const { return {{epsilon - y, 0, 1}, {-epsilon - y, -1, 0}}; }
};

}  // namespace mercer

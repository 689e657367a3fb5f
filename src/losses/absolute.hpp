#pragma once
#include "losses/loss_of.hpp"

namespace mercer {

/// L(y, f) = |y − f|, whose minimiser is the median.                                           Edgeworth 1887
struct AbsoluteLoss {
  static constexpr std::string_view name = "absolute";
  static constexpr std::string_view formula = "|y − f|";
  static constexpr std::string_view summary = "absolute error: estimates the median of y, robust to outliers";
  static constexpr LossTraits traits{.target = LossTarget::real, .dual = true};
  double value(double y, double f) const noexcept { return std::abs(y - f); }
  double derivative(double y, double f) const noexcept { return f > y ? 1 : f < y ? -1 : 0; }
  double conjugate(double y, double a) const noexcept { return std::abs(a) <= 1 ? a * y : outside_domain; }
  std::vector<DualPiece> dual(double y) const { return {{-y, -1, 1}}; }
};

}  // namespace mercer

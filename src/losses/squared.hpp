#pragma once
#include "losses/loss_of.hpp"

namespace mercer {

/// L(y, f) = (y − f)², without ½, so that (1/n)ΣL + λ‖f‖² has the solution α = (K + nλI)⁻¹y.
///                                                                                       Saunders et al. 1998
struct SquaredLoss {
  static constexpr std::string_view name = "squared";
  static constexpr std::string_view formula = "(y − f)²";
  static constexpr std::string_view summary = "squared error: estimates the mean of y; ridge regression";
  static constexpr LossTraits traits{.target = LossTarget::real, .smooth = true};
  double value(double y, double f) const noexcept { return (y - f) * (y - f); }
  double derivative(double y, double f) const noexcept { return 2 * (f - y); }
  double second(double, double) const noexcept { return 2; }
  double conjugate(double y, double a) const noexcept { return a * y + a * a / 4; }
};

}  // namespace mercer

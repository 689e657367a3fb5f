#pragma once
#include "losses/loss_of.hpp"

namespace mercer {

/// L(y, f) = ½r² where |r| ≤ δ, δ(|r| − δ/2) beyond, with r = y − f.                               Huber 1964
struct HuberLoss {
  static constexpr std::string_view name = "huber";
  static constexpr std::string_view formula =
      "½(y − f)² where |y − f| ≤ delta, delta·(|y − f| − delta/2) beyond";
  static constexpr std::string_view summary =
      "robust regression: squared error for small residuals, absolute error for large ones";
  static constexpr LossTraits traits{.target = LossTarget::real, .smooth = true, .parameters = true};
  double delta = 1;
  static void params(auto&& param) {
    param("delta", &HuberLoss::delta, positive, "residuals beyond it count linearly");
  }
  double value(double y, double f) const noexcept {
    const double r = std::abs(y - f);
    return r <= delta ? r * r / 2 : delta * (r - delta / 2);
  }
  double derivative(double y, double f) const noexcept {
    const double r = f - y;
    return r > delta ? delta : r < -delta ? -delta : r;
  }
  double second(double y, double f) const noexcept { return std::abs(y - f) <= delta ? 1 : 0; }
  double conjugate(double y, double a) const noexcept {
    return std::abs(a) <= delta ? a * y + a * a / 2 : outside_domain;
  }
};

}  // namespace mercer

#pragma once
#include "losses/loss_of.hpp"

namespace mercer {

/// L(y, f) = τ(y − f) where y ≥ f, (1 − τ)(f − y) beyond, whose minimiser is the quantile τ.
///                                      Koenker & Bassett 1978; with kernels Takeuchi, Le, Sears & Smola 2006
struct PinballLoss {
  static constexpr std::string_view name = "pinball";
  static constexpr std::string_view formula = "tau·(y − f) where y ≥ f, (1 − tau)·(f − y) beyond";
  static constexpr std::string_view summary = "quantile regression: a fraction tau of y lies below f";
  static constexpr LossTraits traits{.target = LossTarget::real, .dual = true, .parameters = true};
  double tau = 0.5;
  static void params(auto&& param) {
    constexpr double below_one = 1 - std::numeric_limits<double>::epsilon() / 2;
    param("tau", &PinballLoss::tau, Interval{0, below_one, true, "> 0 and < 1"},
          "quantile: the fraction of targets below f");
  }
  double value(double y, double f) const noexcept { return y >= f ? tau * (y - f) : (1 - tau) * (f - y); }
  double derivative(double y, double f) const noexcept { return f > y ? 1 - tau : f < y ? -tau : 0; }
  double conjugate(double y, double a) const noexcept {
    return a >= -tau && a <= 1 - tau ? a * y : outside_domain;
  }
  std::vector<DualPiece> dual(double y) const { return {{-y, tau - 1, tau}}; }
};

}  // namespace mercer

#pragma once
#include "losses/loss_of.hpp"

namespace mercer {

/// L(y, f) = max(0, 1 − y·f)                                                             Cortes & Vapnik 1995
struct HingeLoss {
  static constexpr std::string_view name = "hinge";
  static constexpr std::string_view formula = "max(0, 1 − y·f)";
  static constexpr std::string_view summary = "two classes; the loss of support vector machines";
  static constexpr LossTraits traits{.target = LossTarget::signs, .dual = true};
  double value(double y, double f) const noexcept { return y * f < 1 ? 1 - y * f : 0; }
  double derivative(double y, double f) const noexcept { return y * f < 1 ? -y : 0; }
  double conjugate(double y, double a) const noexcept {
    return a * y >= -1 && a * y <= 0 ? a * y : outside_domain;
  }
  std::vector<DualPiece> dual(double y) const {
    return y > 0 ? std::vector<DualPiece>{{-1, 0, 1}} : std::vector<DualPiece>{{1, -1, 0}};
  }
};

}  // namespace mercer

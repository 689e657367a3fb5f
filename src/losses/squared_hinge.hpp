#pragma once
#include "losses/loss_of.hpp"

namespace mercer {

/// L(y, f) = max(0, 1 − y·f)²                              Mangasarian 2001; by Newton's method Chapelle 2007
struct SquaredHingeLoss {
  static constexpr std::string_view name = "squared_hinge";
  static constexpr std::string_view formula = "max(0, 1 − y·f)²";
  static constexpr std::string_view summary = "two classes; a smooth hinge";
  static constexpr LossTraits traits{.target = LossTarget::signs, .smooth = true};
  double value(double y, double f) const noexcept { return short_of(y, f) * short_of(y, f); }
  double derivative(double y, double f) const noexcept { return -2 * y * short_of(y, f); }
  double second(double y, double f) const noexcept { return y * f < 1 ? 2 : 0; }
  double conjugate(double y, double a) const noexcept {
    const double t = a * y;
    return t <= 0 ? t + t * t / 4 : outside_domain;
  }

 private:
  static double short_of(double y, double f) noexcept { return y * f < 1 ? 1 - y * f : 0; }  // of the margin
};

}  // namespace mercer

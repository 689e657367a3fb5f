#pragma once
#include "losses/loss_of.hpp"

namespace mercer {

/// L(y, f) = exp(f) − y·f: minus the log-likelihood of a count whose mean is exp(f), without log y!, which is
/// the same for every f.                                                             Nelder & Wedderburn 1972
struct PoissonLoss {
  static constexpr std::string_view name = "poisson";
  static constexpr std::string_view formula = "exp(f) − y·f";
  static constexpr std::string_view summary = "Poisson regression: exp(f) is the mean count";
  static constexpr LossTraits traits{.target = LossTarget::counts, .smooth = true};
  double value(double y, double f) const noexcept { return std::exp(f) - y * f; }
  double derivative(double y, double f) const noexcept { return std::exp(f) - y; }
  double second(double, double f) const noexcept { return std::exp(f); }
  double conjugate(double y, double a) const noexcept {
    const double mean = a + y;
    return mean >= 0 ? x_log_x(mean) - mean : outside_domain;
  }
};

}  // namespace mercer

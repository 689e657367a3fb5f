#pragma once
#include "mercer/method.hpp"

namespace mercer {

/// A Gaussian process (Rasmussen & Williams 2006, chapters 2 and 5): kernel ridge regression with λ = noise variance, read as
/// the posterior of a function whose covariance is the kernel; so it has variances, and an evidence that says which kernel
/// parameters the data make probable.
struct Gp {
  static constexpr std::string_view name = "gp";
  static constexpr std::string_view formula = "y = f(x) + e, f ~ GP(mean, k), e ~ N(0, noise): f(x) = k(x)ᵀ(K + noise·I)⁻¹y";
  static constexpr std::string_view summary = "regression with variances; finds kernel parameters and noise by the evidence";
  static constexpr auto task = Task::real;
  static constexpr bool multi_output = true;
  static constexpr double tolerance = 1e-8;
  double noise = 0.1;
  std::string optimize = "evidence";
  std::string ard = "no";
  double restarts = 0;
  std::string mean = "constant";
  static void params(auto&& param) {
    param({"noise", "variance of the noise; where the evidence is maximised, where that begins", non_negative, {}}, &Gp::noise);
    param({"optimize", "evidence: the kernel's numbers and the noise that make the data most probable; none: as given", {}, {"evidence", "none"}}, &Gp::optimize);
    param({"ard", "yes: a weight for each column, found with the others (automatic relevance determination)", {}, {"no", "yes"}}, &Gp::ard);
    param({"restarts", "more beginnings, drawn from the seed", {0, 1000, false, "a whole number from 0 to 1000", false}, {}}, &Gp::restarts);
    param({"mean", "of the process: the target's, or zero", {}, {"constant", "zero"}}, &Gp::mean);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

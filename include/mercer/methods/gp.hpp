#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// A Gaussian process (Rasmussen & Williams 2006, chapters 2 and 5): kernel ridge regression with λ = noise
/// variance, read as the posterior of a function whose covariance is the kernel; so it has variances, and an
/// evidence that says which kernel parameters the data make probable.
struct Gp {
  static constexpr std::string_view name = "gp";
  static constexpr std::string_view formula =
      "y = f(x) + e, f ~ GP(mean, k), e ~ N(0, noise): f(x) = k(x)ᵀ(K + noise·I)⁻¹y";
  static constexpr std::string_view summary =
      "Gaussian process regression with predictive variances; kernel hyperparameters and noise maximize the "
      "evidence";
  static constexpr MethodTraits traits{
      .task = Task::regression, .multi_output = true, .tolerance = 1e-8, .finds_kernel_parameters = true};
  using Optimize = mercer::Optimize;
  using Mean = ProcessMean;
  double noise = 0.1;
  Optimize optimize = Optimize::evidence;
  bool ard = false;
  int restarts = 0;
  Mean mean = Mean::constant;
  static void params(auto&& param) {
    process_parameters<Gp>(
        param, "noise variance; the starting value if the evidence is maximized", non_negative,
        "evidence: maximize the marginal likelihood over kernel hyperparameters and noise; "
        "none: keep them as given");
  }
  bool finds_kernel_parameters() const { return optimize == Optimize::evidence; }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

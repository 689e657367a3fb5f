#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// A Gaussian process of several outputs that learn from each other: the intrinsic coregionalisation model
/// (Goovaerts 1997; Bonilla, Chai & Williams 2008; Álvarez, Rosasco & Lawrence 2012).
struct MultiGp {
  static constexpr std::string_view name = "multi_gp";
  static constexpr std::string_view formula =
      "cov(f_i(x), f_j(z)) = B_ij·k(x, z), B = WWᵀ + diag(κ), y_i = f_i(x) + e, e ~ N(0, noise_i)";
  static constexpr std::string_view summary =
      "Gaussian process regression of several correlated outputs, some of which may be missing; kernel "
      "hyperparameters, B and the noise of each output maximize the evidence";
  static constexpr MethodTraits traits{.task = Task::regression,
                                       .multi_output = true,
                                       .missing_outputs = true,
                                       .keeps_state = true,
                                       .tolerance = 1e-6,
                                       .finds_kernel_parameters = true};
  using Optimize = mercer::Optimize;
  using Mean = ProcessMean;
  int rank = 1;
  double noise = 0.1;
  Optimize optimize = Optimize::evidence;
  bool ard = false;
  int restarts = 0;
  Mean mean = Mean::constant;
  static void params(auto&& param) {
    param({"rank", "number of columns of W: shared functions behind the outputs", count_from_one},
          &MultiGp::rank);
    process_parameters<MultiGp>(
        param, "noise variance of each output; the starting value if the evidence is maximized", positive,
        "evidence: maximize the marginal likelihood over kernel hyperparameters, B and noise; none: keep "
        "kernel "
        "and noise as given, with the covariance of the targets as B");
  }
  bool finds_kernel_parameters() const { return optimize == Optimize::evidence; }
  Fitted fit(const Training& training) const;
  std::string state_fault(const Fitted& fitted) const;
  std::vector<double> prior_scales(const Fitted& fitted) const;
};

}  // namespace mercer

#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// A Gaussian process seen through inducing points (Titsias 2009): its cost grows with the rows as n·m², not
/// as n³.
struct SparseGp {
  static constexpr std::string_view name = "sparse_gp";
  static constexpr std::string_view formula =
      "max log N(y | 0, Q + noise·I) − tr(K − Q)/(2·noise), Q = K_XZ·K_ZZ⁻¹·K_ZX, Z the inducing points";
  static constexpr std::string_view summary =
      "sparse Gaussian process regression for many rows: variational inducing points, predictive variances; "
      "kernel "
      "hyperparameters and noise maximize the evidence lower bound";
  static constexpr MethodTraits traits{
      .task = Task::regression, .multi_output = true, .tolerance = 1e-5, .finds_kernel_parameters = true};
  using Optimize = mercer::Optimize;
  using Mean = ProcessMean;
  int inducing = 500;
  double noise = 0.1;
  Optimize optimize = Optimize::evidence;
  bool ard = false;
  int restarts = 0;
  Mean mean = Mean::constant;
  static void params(auto&& param) {
    param({"inducing", "number of inducing points, which are training rows", count_from_one},
          &SparseGp::inducing);
    process_parameters<SparseGp>(
        param, "noise variance; the starting value if the bound is maximized", positive,
        "evidence: maximize the evidence lower bound over kernel hyperparameters and "
        "noise; none: keep them as given");
  }
  bool finds_kernel_parameters() const { return optimize == Optimize::evidence; }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

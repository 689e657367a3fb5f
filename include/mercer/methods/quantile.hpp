#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Quantile regression (Koenker & Bassett 1978; Takeuchi et al. 2006 with kernels), by the box-constrained
/// dual.
struct Quantile {
  static constexpr std::string_view name = "quantile";
  static constexpr std::string_view formula = "min (1/n)·Σ pinball(y − f(x)) + λ·‖f‖²";
  static constexpr std::string_view summary = "quantile regression; tau = 0.5 is the median";
  static constexpr MethodTraits traits{
      .task = Task::regression, .penalises_norm = true, .search = lambda_search};
  double tau = 0.5;
  double lambda = 1e-3;
  static void params(auto&& param) {
    constexpr double below_one = 1 - std::numeric_limits<double>::epsilon() / 2;
    param(
        {"tau", "quantile to predict: the fraction of targets below f", {0, below_one, true, "> 0 and < 1"}},
        &Quantile::tau);
    param({"lambda", "penalty on ‖f‖²", positive}, &Quantile::lambda);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

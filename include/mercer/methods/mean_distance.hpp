#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Novelty by the distance from the mean in feature space (Shawe-Taylor & Cristianini 2004, chapter 5).
struct MeanDistance {
  static constexpr std::string_view name = "mean_distance";
  static constexpr std::string_view formula =
      "t − ‖φ(x) − mean φ‖²,  ‖·‖² = k(x,x) − 2/n·Σk(x,xᵢ) + 1/n²·ΣΣk(xᵢ,xⱼ)";
  static constexpr std::string_view summary =
      "novelty detection by the distance to the mean in feature space";
  static constexpr MethodTraits traits{.task = Task::novelty};
  double outliers = 0.05;
  static void params(auto&& param) {
    param({"outliers",
           "fraction of the training rows treated as outliers",
           {0, 0.999, false, "≥ 0 and below 1"}},
          &MeanDistance::outliers);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

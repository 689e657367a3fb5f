#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Kernel k-means (Girolami 2002; Dhillon, Guan & Kulis 2004), begun as k-means++ begins (Arthur &
/// Vassilvitskii 2007).
struct Kmeans {
  static constexpr std::string_view name = "kmeans";
  static constexpr std::string_view formula = "min Σ ‖φ(x) − mean of its cluster‖² over the clusters";
  static constexpr std::string_view summary = "kernel k-means: clusters around means in feature space";
  // the tolerance is of the last step's change of the objective
  static constexpr MethodTraits traits{.task = Task::clustering, .tolerance = 1e-9};
  int clusters = 2;
  int restarts = 10;
  static void params(auto&& param) { cluster_parameters<Kmeans>(param); }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

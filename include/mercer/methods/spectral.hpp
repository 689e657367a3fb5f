#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Spectral clustering (Ng, Jordan & Weiss 2002). The kernel gives affinities: numbers ≥ 0, positive
/// semidefinite or not.
struct SpectralClustering {
  static constexpr std::string_view name = "spectral";
  static constexpr std::string_view formula =
      "k-means of the rows of the leading eigenvectors of D^(−1/2) K D^(−1/2), D = diag(K1)";
  static constexpr std::string_view summary = "spectral clustering: connected clusters of any shape";
  // the tolerance is of ‖Av − λv‖ / λ
  static constexpr MethodTraits traits{.task = Task::clustering, .needs_psd = false, .tolerance = 1e-6};
  int clusters = 2;
  int restarts = 10;
  static void params(auto&& param) { cluster_parameters<SpectralClustering>(param); }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

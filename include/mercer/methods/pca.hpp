#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Kernel principal component analysis (Schölkopf, Smola & Müller 1998).
struct Pca {
  static constexpr std::string_view name = "pca";
  static constexpr std::string_view formula =
      "max Σ ⟨v, φ(x) − mean⟩² over orthonormal v: the leading eigenvectors of HKH";
  static constexpr std::string_view summary =
      "kernel principal component analysis: coordinates, pre-images, denoising";
  static constexpr std::string_view solvers[] = {"dual", "primal"};
  // the tolerance is of ‖HKHv − λv‖ / λ
  static constexpr MethodTraits traits{.task = Task::projection, .tolerance = 1e-6, .solvers = solvers};
  int components = 2;
  bool centred = true;
  static void params(auto&& param) {
    param({"components",
           "number of components; 0: as many as the rows span",
           {0, std::numeric_limits<double>::infinity(), false, "a whole number ≥ 0"}},
          &Pca::components);
    param({"centred", "center in feature space"}, &Pca::centred);
  }
  Fitted fit(const Training& training) const;
};

}  // namespace mercer

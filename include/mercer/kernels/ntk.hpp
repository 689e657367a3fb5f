#pragma once
#include "mercer/kernels/arc_cosine.hpp"

namespace MERCER_EXPORT mercer {

/// The neural tangent kernel (Jacot, Gabriel & Hongler 2018): what gradient descent on all weights of an
/// infinitely wide, fully connected network with `depth` hidden layers of rectified linear units computes.
/// Weights are √(weight_variance / inputs of the layer)·N(0, 1), biases √bias_variance·N(0, 1), as in that
/// paper, except that xᵀz is not divided by the number of columns. With w and b the variances, Σ the
/// covariance of a layer's units and θ the angle that it gives x and z:
///   Σ₀ = w·xᵀz + b,   Σₕ₊₁ = w·√(Σₕ(x,x) Σₕ(z,z))·(sin θ + (π − θ) cos θ)/2π + b,
///   Θ₀ = Σ₀,          Θₕ₊₁ = w·Θₕ·(π − θ)/2π + Σₕ₊₁,      k = Θ_depth.
struct Ntk {
  static constexpr std::string_view name = "ntk";
  static constexpr std::string_view formula = "Θ_depth: Θ₀ = Σ₀ = w·xᵀz + b, Θₕ₊₁ = w·Θₕ·(π−θₕ)/2π + Σₕ₊₁";
  static constexpr std::string_view summary =
      "neural tangent kernel: a wide fully connected ReLU network trained by gradient descent";
  static constexpr LeafTraits traits{.statistic = Statistic::dot};
  int depth = 1;
  double weight_variance = 2, bias_variance = 0;
  static void params(auto&& param) {
    param("depth", &Ntk::depth, ArcCosine::depths, "number of hidden layers");
    param("weight_variance", &Ntk::weight_variance, positive,
          "w; 2 keeps the size of signals (He et al. 2015)");
    param("bias_variance", &Ntk::bias_variance, non_negative, "b");
  }
  Properties properties() const { return {.psd = true}; }
  Symbol operator()(Symbol dot, Symbol xx, Symbol zz) const {
    const double w = weight_variance, b = bias_variance;
    Symbol sigma = w * dot + b, theta = sigma;
    xx = w * xx + b;
    zz = w * zz + b;
    for (int layer = 0; layer < depth; ++layer) {
      const FeatureAngle angle(sigma, xx, zz);
      sigma = w / (2 * std::numbers::pi) * (sqrt(xx) * sqrt(zz) * angle.j(1)) + b;
      theta = w / (2 * std::numbers::pi) * (theta * angle.j(0)) + sigma;
      xx = w / 2 * xx + b;
      zz = w / 2 * zz + b;
    }
    return theta;
  }
};
inline constexpr Maker<Ntk> ntk;

}  // namespace mercer

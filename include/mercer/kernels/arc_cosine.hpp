#pragma once
#include <numbers>

#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// The angle θ between two points of a feature space, from k(x, z), k(x, x) and k(z, z); π/2 where either is
/// the origin. sin θ and θ come from the same cosine: where θ is small, sin θ − θ cos θ loses nothing.
struct FeatureAngle {
  Symbol cosine, theta, sine;
  FeatureAngle(Symbol xz, Symbol xx, Symbol zz)
      : cosine(max(min(xz * (inverse_root(xx) * inverse_root(zz)), 1), -1)),
        theta(acos(cosine)),
        sine(sqrt((1 - cosine) * (1 + cosine)) * (1 - is_zero(theta) - is_zero(rest()))) {}
  Symbol rest() const { return std::numbers::pi - theta; }
  /// J of order 0, 1 or 2 (Cho & Saul 2009, eq. 4–6).
  Symbol j(int order) const {
    if (order == 0) return rest();
    if (order == 1) return sine + rest() * cosine;
    return 3 * sine * cosine + rest() * (1 + 2 * cosine * cosine);
  }
};

/// What a layer of infinitely many random units does to a pair of points, 2E[f(wᵀx) f(wᵀz)] with w standard
/// normal and f(a) = max(0, a)ⁿ: steps (n = 0), rectified linear units (1) or their squares (2).       Cho &
/// Saul 2009
///   k(x, z) = ‖x‖ⁿ‖z‖ⁿ Jₙ(θ)/π, θ the angle between them; further layers do the same in the feature space of
///   the
/// one before. The origin, which has no angle, is at right angles to all.
struct ArcCosine {
  static constexpr std::string_view name = "arc_cosine";
  static constexpr std::string_view formula = "(‖x‖·‖z‖)^order · J(θ)/π, θ the angle of x and z";
  static constexpr std::string_view summary =
      "an infinitely wide layer of steps (order 0), rectified linear units (1) or their squares (2)";
  static constexpr LeafTraits traits{.statistic = Statistic::dot};
  int order = 1, layers = 1;
  static constexpr Interval orders{0, 2, false, "0, 1 or 2", false};
  static constexpr Interval depths{1, 20, false, "a whole number from 1 to 20", false};
  static void params(auto&& param) {
    param("order", &ArcCosine::order, orders,
          "power of the rectified units: 0 steps, 1 ReLU, 2 squared ReLU");
    param("layers", &ArcCosine::layers, depths, "number of layers");
  }
  Properties properties() const {
    return {.psd = true, .bound = order == 0 ? 1 : std::numeric_limits<double>::infinity()};
  }
  Symbol operator()(Symbol dot, Symbol xx, Symbol zz) const {
    for (int layer = 0; layer < layers; ++layer) {
      dot = pow(sqrt(xx) * sqrt(zz), order) * FeatureAngle(dot, xx, zz).j(order) / std::numbers::pi;
      xx = self(xx);
      zz = self(zz);
    }
    return dot;
  }
  /// k(x, x) from ‖x‖²: J(0) is π, π and 3π, and the origin, whose angle with itself is taken for a right
  /// one, has J₀ = π/2.
  Symbol self(Symbol xx) const {
    if (order == 0) return 1 - 0.5 * is_zero(xx);
    return order == 1 ? xx : 3 * xx * xx;
  }
};
inline constexpr Maker<ArcCosine> arc_cosine;

}  // namespace mercer

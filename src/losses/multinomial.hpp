#pragma once
#include <algorithm>

#include "losses/loss_of.hpp"

namespace mercer {

/// L(y, f) = log Σ_c exp(f_c) − f_y = −log p_y, with p_c = exp(f_c) / Σ exp(f_b). With the largest f taken
/// off first, no exponential overflows. The second derivative is diag(p) − ppᵀ = diag(√p)(I − √p√pᵀ)diag(√p).
///                                                                                               Böhning 1992
struct MultinomialLoss {
  static constexpr std::string_view name = "multinomial";
  static constexpr std::string_view formula = "log Σ exp(f_c) − f_y";
  static constexpr std::string_view summary =
      "multinomial logistic regression: k classes with probabilities exp(f_c)/Σ exp(f_b)";
  static constexpr LossTraits traits{.target = LossTarget::classes, .smooth = true};

  double value(double y, std::span<const double> f) const noexcept {
    const double top = std::ranges::max(f);
    double total = 0;
    for (const double one : f) total += std::exp(one - top);
    return std::log(total) + (top - f[std::size_t(y)]);
  }
  void derivative(double y, std::span<const double> f, std::span<double> g) const noexcept {
    probabilities(f, g);
    // p_y − 1 without the difference of nearly equal numbers.
    double others = 0;
    for (std::size_t c = 0; c < g.size(); ++c)
      if (c != std::size_t(y)) others += g[c];
    g[std::size_t(y)] = -others;
  }
  void curvature(double, std::span<const double> f, std::span<double> s, std::span<double> u) const noexcept {
    probabilities(f, s);
    for (std::size_t c = 0; c < s.size(); ++c) s[c] = u[c] = std::sqrt(s[c]);
  }
  /// Σ q log q with q = a + e_y, where q is a probability distribution: no entry below 0, sum 1, up to
  /// rounding.
  double conjugate(double y, std::span<const double> a) const noexcept {
    constexpr double rounding = 1e-10;
    double total = 0, entropy = 0;
    for (std::size_t c = 0; c < a.size(); ++c) {
      const double q = a[c] + (c == std::size_t(y) ? 1 : 0);
      if (!(q >= -rounding)) return outside_domain;
      total += q;
      entropy += x_log_x(q);
    }
    return std::abs(total - 1) <= rounding ? entropy : outside_domain;
  }

 private:
  static void probabilities(std::span<const double> f, std::span<double> p) noexcept {
    const double top = std::ranges::max(f);
    double total = 0;
    for (std::size_t c = 0; c < f.size(); ++c) total += p[c] = std::exp(f[c] - top);
    for (double& one : p) one /= total;
  }
};

}  // namespace mercer

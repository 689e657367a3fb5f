#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Locally weighted linear regression (Cleveland 1979): at each row a linear fit of its own, weighted by the
/// kernel.
struct Lwlr {
  static constexpr std::string_view name = "lwlr";
  static constexpr std::string_view formula = "β₀ of min Σ k(xᵢ,x)·(yᵢ − β₀ − βᵀ(φ(xᵢ)−φ(x)))² + c·‖β‖²";
  static constexpr std::string_view summary =
      "locally weighted linear regression: a linear fit at each row, weighted by the kernel; over features φ "
      "a "
      "fit that is linear in them";
  static constexpr SearchRange search[] = {{"ridge", SearchUnit::one, 10, -6, 0, 1}};
  static constexpr MethodTraits traits{
      .task = Task::regression, .multi_output = true, .needs_psd = false, .search = search, .expands = false};
  double ridge = 1e-8;
  std::string features = "linear";
  static void params(auto&& param) {
    param({"ridge", "penalty c, relative to the trace of the weighted scatter matrix; 0: the minimum-norm β",
           non_negative},
          &Lwlr::ridge);
    param({"features",
           "φ: a kernel with explicit features, such as poly(degree=2) for a quadratic fit at each row or "
           "mapped(linear, by=[x1, sin(x1)]); linear: the columns themselves",
           any_number,
           {"linear", "poly"},
           check_features},
          &Lwlr::features);
  }
  /// Throws Error{usage} unless it is a kernel that may have explicit features.
  static void check_features(const std::string& text);
  Fitted fit(const Training& training) const;
  void evaluate(const Fitted& fitted, const Points& at, std::span<double> out, int threads,
                const Progress& progress) const;
};

}  // namespace mercer

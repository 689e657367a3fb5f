#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Locally weighted linear regression (Cleveland 1979): at each row a linear fit of its own, weighted by the
/// kernel.
struct Lwlr {
  static constexpr std::string_view name = "lwlr";
  static constexpr std::string_view formula = "β₀ of min Σ k(xᵢ,x)·(yᵢ − β₀ − βᵀ(xᵢ−x))² + c·‖β‖²";
  static constexpr std::string_view summary =
      "locally weighted linear regression: a linear fit at each row, weighted by the kernel";
  static constexpr SearchRange search[] = {{"ridge", SearchUnit::one, 10, -6, 0, 1}};
  static constexpr MethodTraits traits{
      .task = Task::regression, .multi_output = true, .needs_psd = false, .search = search, .expands = false};
  double ridge = 1e-8;
  static void params(auto&& param) {
    param({"ridge", "penalty c, relative to the trace of the weighted scatter matrix; 0: the minimum-norm β",
           non_negative},
          &Lwlr::ridge);
  }
  Fitted fit(const Training& training) const;
  void evaluate(const Fitted& fitted, const Points& at, std::span<double> out, int threads,
                const Progress& progress) const;
};

}  // namespace mercer

#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Kernel regression (Nadaraya 1964, Watson 1964): the mean of the targets, weighted by the kernel.
struct NadarayaWatson {
  static constexpr std::string_view name = "nadaraya_watson";
  static constexpr std::string_view formula = "Σ y·k(xᵢ,x) / Σ k(xᵢ,x)";
  static constexpr std::string_view summary =
      "Nadaraya–Watson kernel regression: the kernel-weighted mean of the targets, or the majority class";
  static constexpr MethodTraits traits{.task = Task::either,
                                       .multi_output = true,
                                       .needs_psd = false,
                                       .finds_kernel_parameters = true,
                                       .expands = false};
  enum class Bandwidth { none, loo };
  friend constexpr Words<2> words_of(Bandwidth) noexcept { return {"none", "loo"}; }
  Bandwidth bandwidth = Bandwidth::none;
  static void params(auto&& param) {
    param({"bandwidth", "loo: select the kernel width by the leave-one-out error; none: keep it as given"},
          &NadarayaWatson::bandwidth);
  }
  bool finds_kernel_parameters() const { return bandwidth == Bandwidth::loo; }
  Fitted fit(const Training& training) const;
  void evaluate(const Fitted& fitted, const Points& at, std::span<double> out, int threads,
                const Progress& progress) const;
};

}  // namespace mercer

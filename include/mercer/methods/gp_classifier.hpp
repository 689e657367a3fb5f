#pragma once
#include "mercer/method.hpp"

namespace MERCER_EXPORT mercer {

/// Gaussian process classification by Laplace's approximation (Rasmussen & Williams 2006, chapters 3 and 5;
/// Williams & Barber 1998).
struct GpClassifier {
  static constexpr std::string_view name = "gp_classifier";
  static constexpr std::string_view formula =
      "p(y=1|x) = ∫ σ(f)·N(f | k(x)ᵀa, k(x,x) − k(x)ᵀ(K + W⁻¹)⁻¹k(x)) df, a = ∇log p(y|f̂), f̂ the mode of the "
      "posterior";
  static constexpr std::string_view summary =
      "Gaussian process classification with probabilities (Laplace's approximation); kernel hyperparameters "
      "maximize "
      "the approximate evidence";
  static constexpr MethodTraits traits{
      .task = Task::classification, .tolerance = 1e-8, .finds_kernel_parameters = true, .expands = false};
  using Optimize = mercer::Optimize;
  Optimize optimize = Optimize::evidence;
  bool ard = false;
  int restarts = 0;
  static void params(auto&& param) {
    search_parameters<GpClassifier>(param,
                                    "evidence: maximize the approximate marginal likelihood over kernel "
                                    "hyperparameters; none: keep them as "
                                    "given");
  }
  bool finds_kernel_parameters() const { return optimize == Optimize::evidence; }
  Fitted fit(const Training& training) const;
  void evaluate(const Fitted& fitted, const Points& at, std::span<double> out, int threads,
                const Progress& progress) const;
};

}  // namespace mercer

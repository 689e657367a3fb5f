#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = exp(−λ‖x − z‖₁): a product of one-dimensional Laplace kernels.
struct Manhattan {
  static constexpr std::string_view name = "manhattan";
  static constexpr std::string_view formula = "exp(−lambda·‖x−z‖₁)";
  static constexpr std::string_view summary = "Laplace in the L1 distance (scikit-learn's laplacian)";
  // A product of one kernel for each column adds up effects of single columns, and beats the Gaussian by half
  // on tables of measured quantities. ‖x − z‖₁ has no matrix product: not for many columns.
  static constexpr KernelSearch search[] = {{"manhattan(lambda=1)",
                                             {0.25, 0.5, 1, 2, 4},
                                             Task::regression,
                                             usual_table,
                                             "lambda",
                                             inverse_manhattan},
                                            {"manhattan(lambda=1)",
                                             {0.5, 1, 2, 4},
                                             Task::classification,
                                             usual_table,
                                             "lambda",
                                             inverse_manhattan}};
  static constexpr LeafTraits traits{
      .statistic = Statistic::coordinate_sum, .spectral = true, .search = search};
  double lambda = 1;
  static void params(auto&& param) {
    param("lambda", &Manhattan::lambda, positive, "inverse width", Role::inverse_length);
  }
  Properties properties() const {
    return {.psd = true, .translation_invariant = true, .bound = 1, .diagonal = 1};
  }
  Symbol coordinate(Symbol x, Symbol z) const { return abs(x - z); }
  Spectral spectral() const {  // independent Cauchy coordinates
    return {
        .scale = lambda, .variance = Spectral::Variance::inverse_gamma, .shape = 0.5, .independent = true};
  }
  Symbol operator()(Symbol distance) const { return exp(-lambda * distance); }
};
inline constexpr Maker<Manhattan> manhattan;

}  // namespace mercer

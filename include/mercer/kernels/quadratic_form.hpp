#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) = xᵀAz with A symmetric positive semidefinite (verified): the inner product of Lᵀx with A = LLᵀ.
struct QuadraticForm {
  static constexpr std::string_view name = "quadratic_form";
  static constexpr std::string_view formula = "xᵀ A z";
  static constexpr std::string_view summary = "an inner product with a matrix of your own";
  static constexpr LeafTraits traits{
      .statistic = Statistic::dot, .map = true, .series = true, .prepare = true};
  Matrix A = {};
  static constexpr Interval psd_matrix{0, 0, false, "symmetric positive semidefinite", false};
  static void params(auto&& param) {
    param("A", &QuadraticForm::A, psd_matrix,
          "[[2, 1], [1, 2]], a diagonal [1, 2, 3], or a .npy file in quotes");
  }
  Properties properties() const { return {.psd = true}; }
  void prepare();  ///< verifies A and factors it; throws Error{usage} with the offending eigenvalue
  std::vector<double> map(std::span<const double> x) const;
  RowAlgebra::Id map(RowAlgebra& algebra, RowAlgebra::Id x) const { return algebra.multiply(x, factor); }
  Series series(int) const { return {.coefficients = {0, 1}}; }
  Symbol operator()(Symbol dot) const { return dot; }

  std::vector<std::vector<double>> factor = {};  // r × d: A = factorᵀ·factor
};
inline constexpr Maker<QuadraticForm> quadratic_form;

}  // namespace mercer

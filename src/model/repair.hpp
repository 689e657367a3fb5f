// Indefinite similarities made positive semidefinite (Wu, Chang & Zhang 2005; Chen, Garcia, Gupta, Rahimi &
// Cazzanti 2009). With K = VΛVᵀ on the training rows, the method learns from K̂ = V g(Λ) Vᵀ,
//   clip    g(λ) = max(λ, 0)          flip   g(λ) = |λ|
//   shift   g(λ) = λ − min(λ, 0)      square g(λ) = λ²
// and new rows are changed in the same way: k̂(x) = P k(x) with P = V (g(Λ)/Λ) Vᵀ, which for training rows
// gives the columns of K̂ (of shift P is the identity: only k(x, x) is raised). Since f(x) = αᵀ k̂(x) = (Pα)ᵀ
// k(x), the model is one over the given kernel with the coefficients Pα. Flip, of support vector machines, is
// the machine in a Kreĭn space (Loosli, Canu & Ong 2016): P is then V sign(Λ) Vᵀ.
#pragma once

#include <memory>

#include "mercer/fit.hpp"
#include "mercer/method.hpp"

namespace mercer {

/// Throws Error{usage} where a method keeps more of K than coefficients, or the options ask for another K.
void check_repair(const Method& method, const FitOptions& options);

/// K̂ of the training rows, and P.
class KernelRepair {
 public:
  /// Throws Error{usage} for an unknown word, Error{budget} where n × n numbers do not fit the memory.
  KernelRepair(const std::string& how, const Kernel& kernel, const Points& points, const FitOptions& options);

  /// The rows as rows of K̂, for the kernel `precomputed`.
  const Points& rows() const noexcept { return rows_; }
  /// The expansion that a method found over rows(), as one over the given kernel and points.
  void bring_back(Fitted& fitted, const Kernel& kernel, const Points& points) const;

 private:
  std::string how_;
  std::size_t n_;
  std::vector<double> P_;  // n × n; none of shift
  Points rows_;
  std::size_t negative_ = 0;  // eigenvalues below 0
  double lowest_ = 0, change_ = 0;
};

}  // namespace mercer

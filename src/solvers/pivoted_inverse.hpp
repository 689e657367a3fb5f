// (S F Fᵀ S + cI)⁻¹ with F from a randomly pivoted Cholesky factorisation of K: what makes conjugate
// gradients on S K S + cI converge in few steps (Díaz, Epperly, Frangella, Tropp & Webber 2023). F is made
// once; its rank is chosen so that a larger one would cost more than the iterations that it saves.
#pragma once

#include <optional>

#include "operators/pivoted_cholesky.hpp"
#include "operators/column_features.hpp"
#include "solvers/inverse.hpp"
#include "solvers/low_rank_inverse.hpp"
#include "solvers/system_costs.hpp"

namespace mercer {

struct PivotedInverseOptions {
  std::size_t most_rank = 0;
  std::uint64_t seed = 1;
  int threads = 0;
  SystemCosts costs = {};
};

/// What does not depend on the precision of F.
class PivotedInverseBase : public Inverse {
 public:
  /// The seconds that conjugate gradients are expected to take with what was prepared, and one iteration.
  double expected_seconds() const noexcept { return expected_seconds_; }
  double iteration_seconds() const noexcept { return iteration_seconds_; }
  std::size_t evaluations() const noexcept { return evaluations_; }
  virtual std::size_t bytes() const = 0;

 protected:
  double expected_seconds_ = 0, iteration_seconds_ = 0;
  std::size_t evaluations_ = 0;
};

template <class T>
class PivotedInverse : public PivotedInverseBase {
 public:
  /// `K` must outlive it.
  PivotedInverse(const KernelOperator<T>& K, const PivotedInverseOptions& options, const Progress& progress)
      : K_(K), options_(options), progress_(progress) {}

  bool prepare(std::span<const double> s, double c) override;
  bool prepare(const RowFactors& factors, double c) override;
  void apply(std::span<const double> V, std::size_t k, std::span<double> out) const override;
  std::string words() const override;

  std::size_t bytes() const override {
    return factor_.rank * (K_.rows() * sizeof(T) + 2 * factor_.rank * sizeof(double));
  }
  std::size_t rank() const noexcept { return factor_.rank; }

 private:
  void make_factor(double c);

  const KernelOperator<T>& K_;
  PivotedInverseOptions options_;
  Progress progress_;
  PivotedCholesky<T> factor_;
  std::optional<ColumnFeatures<T>> features_;  // the factor as an operator
  std::optional<LowRankInverse> inverse_;
  double made_for_ = 0;      // c in units of K
  double largest_left_ = 0;  // the largest eigenvalue of K − F Fᵀ, estimated
  bool chosen_ = false;      // the rank was chosen, not reached by a limit
};

extern template class PivotedInverse<float>;
extern template class PivotedInverse<double>;

}  // namespace mercer

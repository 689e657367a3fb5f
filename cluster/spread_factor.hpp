// K ≈ F Fᵀ over the rows of all ranks, each rank having its rows of F: a partial Cholesky factor with random
// pivots (Chen, Epperly, Tropp & Webber 2023; blocks of proposals with rejection, Epperly, Tropp & Webber
// 2024), and with it
//
//   (S F Fᵀ S + μI)⁻¹ V = (V − S F (μI + Fᵀ S² F)⁻¹ Fᵀ S V)/μ,
//
// the Nyström preconditioner. A block of pivots is proposed by drawing from the diagonals that are left on
// all ranks; their rows are gathered on every rank. FᵀS²F and FᵀSV are sums over all ranks.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "cluster/communicator.hpp"
#include "mercer/kernel_operator.hpp"
#include "solvers/pivoted_inverse.hpp"

namespace mercer::cluster {

struct FactorOptions {
  std::size_t most_rank = 0;
  double c = 0;  ///< of the system: a larger rank is taken while it is expected to pay
  SystemCosts costs = {};
  std::uint64_t seed = 1;
  int threads = 0;
  Progress progress = {};
};

class SpreadFactor {
 public:
  /// `own`: the rows of this rank. To be made by all ranks together.
  SpreadFactor(const Communicator& ranks, const Kernel& kernel, const Points& own,
               const FactorOptions& options);

  std::size_t rank() const noexcept { return rank_; }
  double trace() const noexcept { return trace_; }
  double trace_left() const noexcept { return trace_left_; }
  std::size_t evaluations() const noexcept { return rank_ * own_rows_; }
  std::span<const std::size_t> pivots() const noexcept { return pivots_; }  ///< rows of all ranks

  /// Makes the inverse ready for S (own rows, or none for ones) and c; a part of what F leaves of the
  /// diagonal is added to c. False where the small matrix cannot be factorised.
  bool prepare(std::span<const double> s, double c);
  /// The same for Bᵀ(K ⊗ I)B + cI. The small matrix has a block for each pair of outputs (as CoupledInverse
  /// of solvers/low_rank_inverse.hpp); where it would be too large, S is what B is on average.
  bool prepare(const RowFactors& factors, double c);
  /// out ≈ (S K S + cI)⁻¹ V, own rows × k.
  void apply(std::span<const double> V, std::size_t k, std::span<double> out) const;

  /// Of what apply() inverts, P = S F Fᵀ S + μI, not of coupled outputs: log det P, and draws of N(0, P), own
  /// rows × k. The numbers behind a row's depend on the seed and on its number alone.
  double log_determinant() const;
  std::vector<double> draws(std::size_t k, std::uint64_t seed) const;

 private:
  std::size_t add_block(const Kernel& kernel, const Points& own, std::vector<double>& left,
                        std::size_t proposals, std::uint64_t seed);

  void add_columns(const Kernel& kernel, const Points& own, const Points& pivots,
                   std::span<const double> pivot_F, std::span<const double> L, std::span<double> left);

  const Communicator& ranks_;
  FactorOptions options_;
  std::size_t own_rows_ = 0, first_row_ = 0, all_rows_ = 0, rank_ = 0;
  double trace_ = 0, trace_left_ = 0;
  std::vector<std::size_t> pivots_;
  std::vector<double> F_;  // rank × own rows, row-major
  bool factorise();
  void apply_coupled(std::span<const double> V, std::span<double> out) const;

  std::vector<double> s_, u_;  // of the own rows, or × outputs where those are coupled
  std::size_t coupled_ = 0;    // outputs, where they are
  double mu_ = 0;
  std::vector<double> L_;  // the Cholesky factor of μI + FᵀS²F, or of μI + (F ⊗ I)ᵀBBᵀ(F ⊗ I)
};

}  // namespace mercer::cluster

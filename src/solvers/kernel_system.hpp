// The linear systems of the smooth methods (kernel ridge, Gaussian processes, Newton's method):
//
//   (S K S + cI) X = R,   K positive semidefinite (n × n), S a non-negative diagonal, c ≥ 0
//
// Over features, K = ΦΦᵀ, everything follows from the small matrix Φᵀ S² Φ. Of some hundred rows K is
// computed once, in float64, and its Cholesky factor and all residuals come from there. Of more there are two
// ways:
//   cholesky   a float32 Cholesky factor as the preconditioner of float64 conjugate gradients; float64 where
//              that fails; all eigenvalues where c = 0 and K is singular.
//   cg         conjugate gradients on float32 tiles of K, as many held as the memory allows, with a randomly
//              pivoted Cholesky preconditioner, refined by residuals in float64.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "mercer/kernel_operator.hpp"
#include "operators/feature_operator.hpp"
#include "operators/product.hpp"
#include "solvers/dense_inverse.hpp"
#include "solvers/held_inverse.hpp"
#include "solvers/low_rank_inverse.hpp"
#include "solvers/pivoted_inverse.hpp"
#include "solvers/refinement.hpp"

namespace mercer {

struct SystemOptions {
  int threads = 0;                            ///< 0: all
  std::size_t memory = std::size_t(1) << 30;  ///< bytes for what is kept of K and of its factors
  std::uint64_t seed = 1;
  std::string way = "auto";  ///< auto, cholesky or cg
  Progress progress = {};
};

/// K made ready once per fit, then many systems (S, c, R). The same bits for any number of threads.
class KernelSystem {
 public:
  /// Error{usage} for an unknown way; Error{budget} where the memory suffices for no way that is allowed.
  KernelSystem(const Kernel& kernel, const Points& points, const SystemOptions& options = {});
  /// Over features: K = ΦΦᵀ. `exact`: the kernel and the points that have these features, where K is badly
  /// conditioned and a factor of K itself may do better than one of ΦᵀΦ.
  struct Exact {
    Kernel kernel;
    Points points;
  };
  KernelSystem(std::shared_ptr<const FeatureOperator> features, const SystemOptions& options = {},
               std::optional<Exact> exact = {});
  KernelSystem(const KernelSystem&) = delete;  // its parts refer to each other
  KernelSystem& operator=(const KernelSystem&) = delete;

  std::size_t size() const noexcept { return features_ ? features_->rows() : K_->rows(); }
  /// out = K·V in float64, from float64 kernel values; n × k, row-major.
  void multiply(std::span<const double> V, std::size_t k, std::span<double> out) const;

  struct Solution {
    double residual = 0;  ///< the largest ‖R − (S K S + cI)X‖/‖R‖ of a column, computed in float64
    std::size_t iterations = 0;  ///< of conjugate gradients, or steps of refinement
    /// The residual is within the tolerance, or the solution of least norm was taken.
    bool converged = false;
    bool unique = true;  ///< c > 0, or no other f has as small an error
    /// c = 0 and the matrix is singular: the solution of least norm (and least residual).
    bool minimum_norm = false;
  };

  /// `s`: n non-negative numbers, or none for ones. R and X: n × k, row-major. `progress` is told the
  /// residual now and then; it may throw, or end the work early with what there is. `start`: X holds a guess.
  Solution solve(std::span<const double> s, double c, std::span<const double> R, std::size_t k,
                 double tolerance, std::span<double> X, const Progress& progress = {}, bool start = false);

  /// The same with Bᵀ(K ⊗ I)B + cI: R and X are n × outputs × m.
  Solution solve(const RowFactors& factors, double c, std::span<const double> R, std::size_t m,
                 double tolerance, std::span<double> X, const Progress& progress = {}, bool start = false);

  /// How many explicit features the systems are solved over; none: over the rows of K.
  std::optional<std::size_t> features() const noexcept {
    return features_ ? std::optional(features_->features()) : std::nullopt;
  }
  /// tr (S K S + cI)⁻¹ of the last system; known where it was solved over at most 1,500 features, or by a
  /// float64 factor of some hundred rows.
  std::optional<double> inverse_trace() const;
  /// What was chosen for the last system and why, for a report.
  const std::string& reason() const noexcept { return reason_; }
  std::size_t evaluations() const noexcept;  ///< kernel entries computed so far

 private:
  enum class Plan { primal, held, pivoted, pivoted_double, cholesky, cholesky_double, eigen, none };

  Solution solve(const LinearSystem& system, std::span<double> X, const Progress& progress, bool start);
  Plan first_plan(const LinearSystem& system) const;
  Plan next_plan(Plan plan, const LinearSystem& system) const;
  bool cholesky_allowed() const { return options_.way == "auto" || options_.way == "cholesky"; }
  bool fits(std::size_t bytes) const { return bytes <= options_.memory; }
  std::size_t left(std::size_t taken) const { return options_.memory > taken ? options_.memory - taken : 0; }

  Inverse& make(Plan plan, const LinearSystem& system);
  void make_pivoted(bool single, const LinearSystem& system);
  std::size_t taken() const;
  void release_for(std::size_t bytes);
  double mean_diagonal() const;
  SystemCosts costs(const LinearSystem& system, double held) const;
  void explain(Plan plan, const Inverse& inverse);
  Refinement::Outcome run(Plan plan, const LinearSystem& system, Refinement& refinement);

  SystemOptions options_;
  Progress progress_;
  std::shared_ptr<const FeatureOperator> features_;
  std::optional<Exact> given_;  // beside the features
  std::size_t stored_ = 0;      // numbers of a point
  std::optional<KernelOperator<double>> K_;
  std::optional<KernelOperator<float>> single_K_;  // none where the points or K are not within float32
  mutable std::optional<SymmetricProduct<double>> exact_;
  std::optional<SymmetricProduct<float>> single_;
  std::optional<LowRankInverse> primal_;
  std::unique_ptr<HeldInverse> held_;
  std::unique_ptr<PivotedInverse> pivoted_;
  std::unique_ptr<DenseInverse<float>> cholesky_;
  std::unique_ptr<DenseInverse<double>> cholesky_double_;
  std::unique_ptr<PseudoInverse> eigen_;
  bool prepared_ = false;      // whether the last inverse could be made
  double cholesky_below_ = 0;  // a Cholesky factor was found cheaper for this c, so it is for smaller ones
  double rounding_ = 0;        // of the float32 tiles: Refinement::run
  std::string reason_ = "nothing was solved yet", why_;
  mutable std::size_t evaluations_ = 0;  // of what was released
  mutable std::size_t products_ = 0;     // with K in float64
};

}  // namespace mercer

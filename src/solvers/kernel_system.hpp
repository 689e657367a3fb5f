// The linear systems of the smooth methods (kernel ridge, Gaussian processes, Newton's method):
//
//   (S K S + cI) X = R,   K positive semidefinite (n × n), S a non-negative diagonal, c ≥ 0
//
// Over features, K = ΦΦᵀ, everything follows from the small matrix Φᵀ S² Φ. Over K itself there are two ways:
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
#include "solvers/row_factors.hpp"

namespace mercer {

struct SystemOptions {
  int threads = 0;                            ///< 0: all
  std::size_t memory = std::size_t(1) << 30;  ///< bytes for what is kept of K and of its factors
  std::uint64_t seed = 1;
  std::string way = "auto";  ///< auto, cholesky or cg
  Progress progress = {};
};

/// K made ready once per fit; then many systems, for several S, c and R. Results are the same bits for any
/// number of threads.
class KernelSystem {
 public:
  /// Error{usage} for an unknown way; Error{budget} where the memory does not suffice for any way that is
  /// allowed.
  KernelSystem(const Kernel& kernel, const Points& points, const SystemOptions& options = {});
  /// Over features: K = ΦΦᵀ. `exact`: the kernel and the points that have these features, where K is badly
  /// conditioned and a factor of K itself may do better than one of ΦᵀΦ.
  struct Exact {
    Kernel kernel;
    Points points;
  };
  KernelSystem(std::shared_ptr<const FeatureOperator> features, const SystemOptions& options = {},
               std::optional<Exact> exact = {});
  KernelSystem(KernelSystem&&) noexcept;
  KernelSystem& operator=(KernelSystem&&) noexcept;
  ~KernelSystem();

  std::size_t size() const noexcept;
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

  /// `s`: n non-negative numbers, or none for ones. R and X: n × k, row-major. `go_on` is told the residual
  /// now and then; it may throw, or return false to end early with what there is. `start`: X holds a first
  /// guess.
  Solution solve(std::span<const double> s, double c, std::span<const double> R, std::size_t k,
                 double tolerance, std::span<double> X,
                 const std::function<bool(double residual)>& go_on = {}, bool start = false);

  /// The same with Bᵀ(K ⊗ I)B + cI: R and X are n × outputs × m.
  Solution solve(const RowFactors& factors, double c, std::span<const double> R, std::size_t m,
                 double tolerance, std::span<double> X,
                 const std::function<bool(double residual)>& go_on = {}, bool start = false);

  /// How many explicit features the systems are solved over; none: over the rows of K.
  std::optional<std::size_t> features() const noexcept;
  /// tr (S K S + cI)⁻¹ of the last system; known where it was solved over at most 1,500 features.
  std::optional<double> inverse_trace() const;
  /// What was chosen for the last system and why, for a report.
  std::string reason() const;
  std::size_t evaluations() const noexcept;  ///< kernel entries computed so far

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace mercer

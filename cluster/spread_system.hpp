// (S K S + cI) X = R over the rows of all ranks, each rank having its rows of S, R and X: PETSc's conjugate
// gradients (KSPCG) over a shell matrix, RingKernel<float>, with the Nyström preconditioner of SpreadFactor
// as a shell, refined by residuals in float64. All right-hand sides are one vector, and S K S + cI stands on
// the diagonal once for each: they share every product with K. The options database of PETSc changes what it
// can (-ksp_type, -ksp_monitor, …).
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "cluster/communicator.hpp"
#include "cluster/ring_kernel.hpp"
#include "cluster/spread_factor.hpp"

namespace mercer::cluster {

struct SpreadSystemOptions {
  int threads = 0;
  std::size_t memory = std::size_t(1) << 30;  ///< bytes of each rank
  std::uint64_t seed = 1;
  Progress progress = {};
};

/// After each iteration, on all ranks: X as it is then, and the residual. False ends the work: on all ranks
/// or none.
using EachIteration =
    std::function<bool(const std::function<void(std::span<double> X)>& current, double residual)>;

class SpreadSystem {
 public:
  /// `own`: the rows of this rank. To be made, and used, by all ranks together.
  SpreadSystem(const Communicator& ranks, const Kernel& kernel, const Points& own,
               const SpreadSystemOptions& options);

  struct Solution {
    double residual = 0;  ///< the largest ‖R − (S K S + cI)X‖/‖R‖ of a column over all ranks, in float64
    std::size_t iterations = 0;
    bool converged = false, stopped = false;
  };
  /// `s`: of the own rows, or none for ones; R, X: own rows × k. `start`: X holds a guess.
  Solution solve(std::span<const double> s, double c, std::span<const double> R, std::size_t k,
                 double tolerance, std::span<double> X, const EachIteration& each = {}, bool start = false);
  /// The same with Bᵀ(K ⊗ I)B + cI in the place of S K S + cI, one right-hand side: R and X are own rows ×
  /// outputs.
  Solution solve(const RowFactors& factors, double c, std::span<const double> R, double tolerance,
                 std::span<double> X, const EachIteration& each = {}, bool start = false);

  /// log det (S K S + cI), estimated from random vectors, and the standard error of that. `each`: called
  /// before every product with K, by all ranks; may throw on all. The probes do not depend on the ranks.
  struct LogDeterminant {
    double value = 0, error = 0;
  };
  LogDeterminant log_determinant(std::span<const double> s, double c, std::size_t probes,
                                 const std::function<void()>& each = {});

  /// out = K·V in float64.
  void multiply(std::span<const double> V, std::size_t k, std::span<double> out) const;
  std::size_t evaluations() const noexcept;
  std::string words() const;  ///< for a report
  std::size_t own_rows() const noexcept { return own_.rows(); }
  std::size_t rows() const noexcept { return rows_; }

  /// What an iteration with k columns sends from this rank, PETSc's own sums aside.
  Traffic iteration_cost(std::size_t k) const noexcept;

 private:
  /// What stands on both sides of K: S, none for ones, or B; k columns of K's product, of which `sides` are
  /// right-hand sides of their own.
  struct Sides {
    std::span<const double> s;
    const RowFactors* factors;
    double c;
    std::size_t k, right_hand_sides;
    void before(std::span<double> V) const;  ///< V = S V, or B V
    void after(std::span<double> V) const;   ///< V = S V, or Bᵀ V
  };
  struct Inner;
  void make_factor(double c, std::size_t k, double tolerance);
  Solution solve(const Sides& sides, std::span<const double> R, double tolerance, std::span<double> X,
                 const EachIteration& each, bool start);
  void residual(const Sides& sides, std::span<const double> R, std::span<const double> X,
                std::span<double> left) const;

  const Communicator& ranks_;
  Kernel kernel_;
  Points own_;
  SpreadSystemOptions options_;
  std::size_t rows_ = 0;
  std::unique_ptr<RingKernel<float>> single_;  // none where K is not within float32
  std::unique_ptr<RingKernel<double>> exact_;
  std::optional<SpreadFactor> factor_;
};

/// The norm of each column of V (own rows × k) over all ranks.
std::vector<double> spread_norms(const Communicator& ranks, std::span<const double> V, std::size_t k);

}  // namespace mercer::cluster

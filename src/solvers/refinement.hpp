// Iterative refinement of (S K S + cI) X = R. An inner solver sees K in float32, or not exactly; the residual
// R − (S K S + cI) X is computed in float64 from float64 values of K, and the inner solver is run on it again
// until it is as small as asked (Wilkinson 1963, with conjugate gradients inside).
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "mercer/progress.hpp"
#include "solvers/inverse.hpp"

namespace mercer {

// Preconditioned conjugate gradients for A Z = R with several right-hand sides at once (Hestenes & Stiefel
// 1952): every column has its own step lengths, and all share the products with A and with the
// preconditioner.

/// out = A·V, or an approximation of A⁻¹·V; both n × k, row-major.
using BlockOperator = std::function<void(std::span<const double> V, std::size_t k, std::span<double> out)>;

struct GradientOptions {
  std::vector<double> goals = {};  ///< k: a column ends where the norm of its residual is at most its goal …
  double floor = 0;                ///< … or at most floor times the norm of its solution
  std::size_t most = 1000;         ///< iterations
  /// Asked after every iteration with the norms of the residuals; false ends the work.
  std::function<bool(std::span<const double> norms)> each_step = {};
};

struct GradientResult {
  std::size_t iterations = 0;
  bool converged = false;  ///< every column met its goal or its floor
  bool stopped = false;    ///< by each_step
};

/// Z is overwritten; R becomes the residual as the recurrence has it.
GradientResult conjugate_gradients(const BlockOperator& A, const BlockOperator& preconditioner,
                                   std::span<double> R, std::size_t k, std::span<double> Z,
                                   const GradientOptions& options);

/// The Euclidean norm of each column of V (n × k, row-major).
std::vector<double> column_norms(std::span<const double> V, std::size_t k);

struct LinearSystem {
  std::span<const double> s = {};  // n, or none for ones
  double c = 0;
  std::span<const double> R = {};  // n × k, row-major
  std::size_t k = 1;
  double tolerance = 1e-8;
  // In place of S, where rows have several outputs; R is then n × outputs × k.
  const RowFactors* factors = nullptr;

  // Of the products with K.
  std::size_t columns() const noexcept { return factors ? k * factors->outputs : k; }
};

class Refinement {
 public:
  enum class Outcome { converged, stalled, exhausted, stopped };

  /// `exact`: K·V in float64. `X` is the solution so far; `start`: it holds a guess, otherwise it is set to
  /// 0. `progress` is told the residual and may end the work. All must outlive this.
  Refinement(const LinearSystem& system, const BlockOperator& exact, std::span<double> X, bool start,
             const Progress& progress);

  /// Conjugate gradients on the K that `K` multiplies by, with `inverse` prepared for the system, at most
  /// `most` iterations. `rounding`: about ‖E x‖/‖x‖, E being that K less the exact one; measured on the way.
  Outcome run(const BlockOperator& K, const Inverse& inverse, double& rounding, std::size_t most);
  /// X = A⁺ R by an inverse that is exact but for rounding, and twice again on what is left.
  void solve_directly(const Inverse& inverse);

  /// The largest ‖R − A X‖/‖R‖ of a column, as computed in float64.
  double residual() const noexcept { return residual_; }
  bool converged() const noexcept { return residual_ <= system_.tolerance; }
  /// Whether float64 leaves no room for a smaller residual.
  bool at_rounding() const noexcept { return at_rounding_; }
  std::size_t iterations() const noexcept { return iterations_; }

 private:
  void multiply(const BlockOperator& K, std::span<const double> V, std::span<double> out) const;
  void compute_residual();
  double worst(std::span<const double> norms) const;

  LinearSystem system_;
  const BlockOperator& exact_;
  std::span<double> X_;
  const Progress& progress_;
  std::vector<double> goals_;  // the norms of the columns of R
  std::vector<double> left_;   // R − A X
  double residual_ = 0;
  bool at_rounding_ = false;
  std::size_t iterations_ = 0;
};

}  // namespace mercer

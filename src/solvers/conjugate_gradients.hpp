// Preconditioned conjugate gradients for A Z = R with several right-hand sides at once (Hestenes & Stiefel
// 1952): every column has its own step lengths, and all share the products with A and with the
// preconditioner.
#pragma once

#include <functional>
#include <span>
#include <vector>

namespace mercer {

/// out = A·V, or an approximation of A⁻¹·V; both n × k, row-major.
using BlockOperator = std::function<void(std::span<const double> V, std::size_t k, std::span<double> out)>;

struct GradientOptions {
  std::vector<double> goals = {};  ///< k: a column ends where the norm of its residual is at most its goal …
  double floor = 0;                ///< … or at most floor times the norm of its solution
  std::size_t most = 1000;         ///< iterations
  /// Asked after every iteration with the norms of the residuals; false ends the work.
  std::function<bool(std::span<const double> norms)> go_on = {};
};

struct GradientResult {
  std::size_t iterations = 0;
  bool converged = false;  ///< every column met its goal or its floor
  bool stopped = false;    ///< by go_on
};

/// Z is overwritten; R becomes the residual as the recurrence has it.
GradientResult conjugate_gradients(const BlockOperator& A, const BlockOperator& preconditioner,
                                   std::span<double> R, std::size_t k, std::span<double> Z,
                                   const GradientOptions& options);

/// The Euclidean norm of each column of V (n × k, row-major).
std::vector<double> column_norms(std::span<const double> V, std::size_t k);

}  // namespace mercer

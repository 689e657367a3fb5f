// The leading eigenpairs of D·H·K·Hᵀ·D over the rows of all ranks, as solvers/kernel_eigen.hpp has them on
// one machine: by SLEPc's Krylov-Schur method over a shell matrix, RingKernel<double>. The options database
// of PETSc changes what it can
// (-eps_monitor, -eps_ncv, …).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "cluster/communicator.hpp"
#include "mercer/kernel.hpp"
#include "mercer/points.hpp"
#include "solvers/kernel_eigen.hpp"

namespace mercer::cluster {

struct SpreadEigenOptions {
  bool centred = false;
  std::vector<double> scale = {};  ///< of the own rows; none: all 1, on all ranks
  double tolerance = 1e-6;
  std::size_t memory = std::size_t(1) << 30;  ///< bytes of each rank for blocks of K
  int threads = 0;
  std::vector<double> start = {};  ///< own rows: the vector that the Krylov space begins with; none: random
  std::function<void()> each_product =
      {};  ///< called before every product with K, by all ranks; may throw on all
  /// Called when the space is cut back to the vectors wanted, by all ranks, with a vector (own rows) that a
  /// later run can begin with: their sum.
  std::function<void(std::span<const double>)> each_restart = {};
};

/// `count` ≥ 1, at most as many as there are rows. Vectors and means are those of the own rows; residuals are
/// computed in float64 over all ranks. By all ranks together.
KernelEigen spread_eigenpairs(const Communicator& ranks, const Kernel& kernel, const Points& own,
                              std::size_t count, const SpreadEigenOptions& options);

}  // namespace mercer::cluster

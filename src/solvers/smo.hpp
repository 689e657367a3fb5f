// Two-level SMO over the rows of K for the box problem of solvers/box_qp.hpp.
//
// Each round takes a working set of the variables that violate the optimality conditions most, half of it
// kept from the round before, fetches their rows together, solves the small problem (solvers/working_set.hpp)
// and adds the change to f = Kβ for all points in one pass over the rows. Rows are float32, f is float64.
//
// Of a large problem a sample is solved first, then the variables that are nearest to violating
// (docs/decisions/0019): each is a box problem of its own, in the changes of β.
//
// The rows' rounding makes f drift from the true Kβ. At the end f is therefore computed anew from float64
// kernel values (the certificate); where the violation is then above the tolerance, rounds go on from the
// exact f. Their changes of β are small, so the new drift is, and f is brought up to date exactly from those
// changes alone: iterative refinement.
#pragma once

#include <span>

#include "mercer/kernel_operator.hpp"
#include "operators/row_store.hpp"
#include "solvers/box_qp.hpp"

namespace mercer {

struct SmoOptions {
  double tolerance = 1e-3;         ///< of the violation
  std::size_t working_set = 1024;  ///< variables at most
  std::size_t largest_held = 0;    ///< variables of a problem whose K is held where many are support vectors
  bool cheap_entries = false;      ///< an entry of K takes a few nanoseconds to compute
  bool shrinking = true;           ///< may leave out settled variables for a while
  std::size_t most_steps = 0;      ///< pairs changed at most; 0: max(10⁷, 100 n), as LIBSVM
  /// Told the violation after each round, and during a certificate, which is not stopped.
  Progress progress = {};
};

struct SmoResult {
  std::vector<double> beta;  ///< one per variable
  std::vector<double> f;     ///< Kβ per point of the problem, from float64 kernel values
  Certificate certificate;   ///< from those
  std::size_t steps = 0, rounds = 0, repairs = 0, shrinks = 0;
  std::size_t evaluations = 0;  ///< of entries of K for rows
  bool converged = false;
  bool stopped = false;  ///< by progress
};

/// `exact`: the same K in float64, over the same points as the store.
template <class T>
SmoResult smo(const BoxQp& problem, RowStore<T>& store, const KernelOperator<double>& exact,
              const SmoOptions& options);

}  // namespace mercer

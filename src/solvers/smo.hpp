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
//
// Ranks (base/ranks.hpp) share a problem by columns of K: each computes f of its own points, which all of
// them then have, so that they take the same variables into the working set; each solves the small problem,
// and what counts is the answer of rank 0, whose CPU may round otherwise. Problems whose rows are held are
// small: rank 0 solves them.
#pragma once

#include <functional>
#include <span>

#include "base/ranks.hpp"
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
  /// Told the violation after each round, and during a certificate, which is not stopped. It must not throw
  /// where there are ranks.
  Progress progress = {};
  /// Told β, which is feasible, in rounds in which `due` says so; both or none.
  std::function<void(std::span<const double> beta)> keep = {};
  std::function<bool()> due = {};
  const Ranks* ranks = nullptr;  ///< that solve the same problem with this one; null: none
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

/// Columns that a store's segments must not cross: those of each rank, or all of them.
std::vector<std::size_t> column_shares(std::size_t points, const Ranks* ranks);

/// `exact`: the same K in float64, over the same points as the store. With ranks the store's segments are
/// those of column_shares(), and its memory is the same on all of them.
template <class T>
SmoResult smo(const BoxQp& problem, RowStore<T>& store, const KernelOperator<double>& exact,
              const SmoOptions& options);

/// The result of rank 0 on all, which has the same sizes there; stopped where one of them was.
void take_first(const Ranks& ranks, SmoResult& result);

}  // namespace mercer

// Is it a valid, useful kernel on these points? Mercer's condition three ways, and what the Gram matrix can
// teach.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mercer/dataset.hpp"
#include "mercer/kernel_operator.hpp"

namespace MERCER_EXPORT mercer {

struct ValidityOptions {
  std::size_t sample = 1000;  ///< rows looked at; more are sampled with the seed
  std::uint64_t seed = 1;
  int threads = 0;
  Progress progress = {};
};

struct Validity {
  enum class Verdict {
    valid,       ///< proved positive semidefinite, and useful
    not_proved,  ///< no rule proves it; no violation on these points
    invalid,     ///< not symmetric, or vᵀKv < 0
    useless,     ///< valid, but nothing can be learned from it
    conditional  ///< not positive semidefinite, but proved so under a side condition, and useful
  };
  /// vᵀKv < 0 with few non-zero entries in v.
  struct Witness {
    double value = 0;
    std::vector<std::size_t> rows;  ///< of the data, from 0
    std::vector<double> coefficients;
  };

  Kernel kernel;  ///< resolved
  Proof proof;
  std::vector<std::size_t> rows;  ///< those looked at
  double asymmetry = 0;           ///< max |k(x,z) − k(z,x)| / max |k|
  bool symmetric = true;
  std::vector<double> eigenvalues = {};  ///< ascending
  double tolerance = 0;                  ///< what counts as negative: beyond rounding
  double factor_error = 0;               ///< ‖K − PᵀP‖ / ‖K‖ with P from the eigenvalues > 0
  /// Of a conditional kernel: the smallest vᵀKv/‖v‖² over the v that satisfy the side condition.
  std::optional<double> conditional_minimum = {};
  std::optional<Witness> witness = {};
  std::optional<std::string> culprit = {};  ///< the smallest sub-expression that is already indefinite
  double effective_rank = 0;                ///< (Σ|λ|)² / Σλ²: how many directions carry the matrix
  std::optional<double> alignment = {};     ///< with the target, centred, in [−1, 1]; none without a target
  Verdict verdict = Verdict::valid;
  std::string reason = {};                 ///< of the verdict, in a sentence
  std::vector<std::string> warnings = {};  ///< nearly useless, weakly aligned …
};

/// Looks at `points` (at least one row), and at `target` where it has one.
Validity check_kernel(const Kernel& kernel, const Points& points, const Target& target,
                      const ValidityOptions& options = {});

}  // namespace mercer

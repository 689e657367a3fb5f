// The kernel parameters and the noise of the greatest evidence, with few evaluations on all rows: an
// evaluation costs n³. The evidence has several maxima (all signal, all noise, short and long lengths), so a
// first look around on few rows says where else than at the start to begin. The maximum is then looked for on
// a sample of the rows, from every start; there the curvature is measured as well, and a few quasi-Newton
// steps on all rows (the curvature of n rows is about n/m times that of m) finish it.
#pragma once

#include "methods/watch.hpp"
#include "solvers/evidence.hpp"
#include "solvers/maximise.hpp"

namespace mercer {

struct EvidenceSearch {
  std::vector<double> start;  ///< the coordinates of the kernel, then log noise
  Box box;                    ///< the start lies within
  double target_scale = 0;    ///< log of the target's variance: noise beyond that explains nothing
  std::size_t restarts = 0;
  std::uint64_t seed = 1;
  std::size_t sample = 1000;  ///< rows to begin with
};

/// None where the parameter has none of its own.
const SearchBounds* bounds_of(const FitOptions& options, std::string_view parameter);

struct FoundEvidence {
  std::vector<double> at = {};
  double value = 0;       ///< the evidence of all rows
  bool complete = false;  ///< otherwise something stopped it
  std::size_t evaluations = 0, sampled_evaluations = 0, sampled_rows = 0;
};

/// Leaves `evidence` at the maximum, evaluated. What is best when the watch says stop is the answer.
FoundEvidence maximise_evidence(Evidence& evidence, const EvidenceSearch& how, int threads,
                                const Progress& progress, Watch& watch);

}  // namespace mercer

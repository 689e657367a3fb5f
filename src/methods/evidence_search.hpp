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
  std::vector<double> start;  ///< the coordinates of the kernel, then log noise where there is noise
  Box box;                    ///< the start lies within
  double target_scale = 0;    ///< log of the target's variance: noise beyond that explains nothing
  std::size_t restarts = 0;
  std::uint64_t seed = 1;
  std::size_t sample = 1000;  ///< rows to begin with
  /// Gains of evidence not worth a step on a sample, and on all rows.
  double rough = 1e-3, fine = 1e-5;
};

/// The kernel with a weight for each column where that is asked for, and with a factor in front where it has
/// none: an evidence over the shape of a kernel alone would take the scale of the target for noise. Bounds of
/// a factor that is not there say that it stays away.
Kernel with_free_scale(Kernel kernel, bool ard, std::size_t columns, double factor,
                       const FitOptions& options);

/// Throws Error{usage} where bounds are of a parameter that the kernel does not have (`noise`: that is one,
/// too), or are not a range.
void check_bounds(const Kernel& kernel, bool noise, const FitOptions& options);

/// Puts the range of a variable behind those of the box: the bounds, where there are any, else from low to
/// high, and never beyond least and most, all of them logarithms where the variable is one. Returns the start
/// within.
double add_range(Box& box, const SearchBounds* bounds, double start, double low, double high, double least,
                 double most, bool logarithmic);

/// From the kernel's own numbers, with their ranges.
EvidenceSearch search_of(const LogEvidence& evidence, double target_scale, int restarts,
                         const FitOptions& options);

/// The same with the logarithm of the noise variance behind them; variance: of the target.
EvidenceSearch search_with_noise(const LogEvidence& evidence, double noise, double variance, int restarts,
                                 const FitOptions& options);

/// Subtracts the mean of each output, weighted as the rows are; what is subtracted. targets: rows × outputs.
std::vector<double> subtract_means(std::vector<double>& targets, const std::vector<double>& weights);
double mean_square(const std::vector<double>& values);

/// None where the parameter has none of its own.
const SearchBounds* bounds_of(const FitOptions& options, std::string_view parameter);

struct FoundEvidence {
  std::vector<double> at = {};
  double value = 0;       ///< the evidence of all rows
  bool complete = false;  ///< otherwise something stopped it
  std::size_t evaluations = 0, sampled_evaluations = 0, sampled_rows = 0;
};

/// Leaves `evidence` at the maximum, evaluated. What is best when the watch says stop is the answer.
FoundEvidence maximise_evidence(LogEvidence& evidence, const EvidenceSearch& how, Watch& watch);

}  // namespace mercer

// The search for the numbers of a method and its kernel: each setting is judged on rows that its fit did not
// see.
//
// Rows are laid out once by class and fold. For each kernel the Gram matrix is computed once, from distances
// or products that are computed once for all kernels; all folds and the whole path of a method's penalty
// share it.
#pragma once

#include <string>
#include <vector>

#include "mercer/model.hpp"

namespace MERCER_EXPORT mercer {

/// The values to try of one parameter: a method's (C, lambda …), or a number of the kernel by its name in
/// numeric_parameters() (gamma, rbf.gamma, factor[2] …).
struct GridAxis {
  std::string parameter;
  std::vector<double> values;
};

/// "C=2^-5:2^15:2" (powers of 2, exponents −5, −3 … 15), "gamma=0.1:0.5:0.1", "C=1,10,100". Throws
/// Error{usage}.
GridAxis parse_axis(const std::string& text);

/// A method and a kernel whose numbers named by the axes are open.
struct SearchSpace {
  AnyMethod method;
  Kernel kernel;
  std::vector<GridAxis> axes = {};
};

/// One setting, judged.
struct Trial {
  std::size_t space = 0;       ///< which of the search's
  std::vector<double> values;  ///< of the axes of the space
  AnyMethod method;            ///< with these values
  Kernel kernel;               ///< resolved, with these values
  std::size_t rows = 0;        ///< learned from and judged on
  double score = 0;            ///< the metric over the rows left out
  double error = 0;            ///< its standard error, from the folds
  bool leave_one_out = false;  ///< single rows were left out in place of the folds
};

struct TuneOptions {
  std::string metric = {};  ///< a name in metrics(); empty: accuracy of classes, rmse of numbers
  std::size_t folds = 5, repeats = 1;
  std::vector<std::size_t> fold = {};  ///< of each row; empty: drawn from the seed
  Scaling::Kind scaling = Scaling::Kind::none;
  /// More rows than this are searched by successive halving: all settings on a part of the rows, the better
  /// ones on more.
  std::size_t rows_at_first = 0;  ///< 0: all rows at once
  std::size_t rows_at_most = 0;   ///< no setting is judged on more rows than these; 0: all
  FitOptions fit = {};            ///< of every fit; `seconds` and `progress` are of the whole search
};

struct Search {
  std::vector<SearchSpace> spaces;
  std::string metric;
  std::vector<Trial> trials;  ///< in the order tried; those judged on all rows last
  std::size_t best = 0;       ///< of the trials
  /// Of the best, in the order of the data's rows; empty where it was judged on a part of them.
  Predictions held_out = {};
  bool cut_short = false;    ///< by the time or by the caller: the best so far
  bool interrupted = false;  ///< by the caller
  std::size_t planned = 0;   ///< candidates of the spaces: methods, kernels and values
  std::size_t failed = 0;    ///< of these, could not be fitted or scored on these rows
  std::size_t refined = 0;   ///< further candidates around the best, where these were looked at
  std::size_t folds = 0;     ///< that the rows were split into
  double seconds = 0;

  /// Different candidates among the trials: one that was judged on some rows and again on more counts once.
  std::size_t evaluated() const;
};

/// Rows are scaled once, on all of them. A setting that cannot be fitted is passed over; where none can be,
/// its error is thrown. Throws Error{usage} for axes that name nothing.
Search tune(const std::vector<SearchSpace>& spaces, const Dataset& data, const TuneOptions& options = {});

}  // namespace mercer

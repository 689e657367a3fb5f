// From a table to a model: the method, the kernel, its numbers and the scaling are chosen on rows left out,
// the model is fitted on all rows and scored. Many rows are chosen on by a sample, and fitted within the
// memory and the time of the options: by ridge and its like over Nyström features where the exact solution
// would take longer (mercer/budget.hpp), or, where no time is given, over two minutes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mercer/metrics.hpp"
#include "mercer/tune.hpp"

namespace MERCER_EXPORT mercer {

struct AutomaticOptions {
  bool search = true;  ///< else the method, the kernel and the scaling are as given, and only judged
  std::optional<AnyMethod> method = {};  ///< none: chosen
  std::vector<std::string> fixed = {};   ///< parameters of the method that are given and not searched
  std::optional<Kernel> kernel =
      {};  ///< none: chosen among several; its `scale`, `auto` and `median` are searched
  std::optional<Scaling::Kind> scaling = {};  ///< none: standard, unless the columns are alike already
  std::vector<GridAxis> axes = {};            ///< in place of the program's own for these parameters
  double holdout = 0;             ///< the part of the rows to judge the choice on; 0: cross-validation
  const Dataset* test = nullptr;  ///< rows to judge it on instead
  /// `tune.fit.progress` is of the search. With `tune.fit.keep_on_cancel` a caller who stops the work gets
  /// the best model so far.
  TuneOptions tune = {};
  Progress fit_progress = {};         ///< of the fit on all rows
  Progress assessment_progress = {};  ///< of the fits and predictions that the score is measured on
};

/// What will be evaluated.
struct Plan {
  std::vector<SearchSpace> spaces = {};
  std::size_t candidates = 0;           ///< in all spaces; 1: nothing is left open, and there is no search
  bool refines = false;                 ///< further candidates follow around the best
  std::vector<std::string> lines = {};  ///< in words
};
Plan plan_fit(const Dataset& data, const AutomaticOptions& options);

/// How long the whole of it will take, from candidates of each space that are evaluated on a few rows for it:
/// a second or so. The truth is rarely outside of [low, high].
struct Duration {
  double low = 0, high = 0;
};
Duration measure_plan(const Dataset& data, const AutomaticOptions& options);

/// What the work of an automatic fit consists of, in its order.
enum class FitPhase { search, final_fit, assessment };

struct AutomaticFit {
  /// Of all rows, unless the caller stopped the fit of many; of more than 100,000 without the 20,000 that it
  /// is scored on.
  Model model;
  Search search;
  std::string metric;
  std::string scored_on;  ///< "5-fold cross-validation", "206 rows held out", "4000 test rows"; empty: not
                          ///< assessed, the caller stopped
  /// Of the choice, and of the most frequent class or the mean; NaN where not assessed.
  Estimate score, baseline;
  Dataset scored = {};           ///< the rows that the score is about
  Predictions predictions = {};  ///< of these rows, by a model that has not seen them
  std::vector<Note> notes = {};  ///< about the data and the choice
  std::vector<Note> next = {};   ///< what to try
  /// Where the caller stopped it. In the search: the model is that of the best candidate until then, of all
  /// rows. In the final fit: of 2,000 of the rows, where there are more (model.rows says how many).
  std::optional<FitPhase> interrupted = {};

  bool assessed() const noexcept { return !scored_on.empty(); }
};
AutomaticFit fit_automatically(const Dataset& data, const AutomaticOptions& options = {});

}  // namespace mercer

// From a table to a model: the method, the kernel, its numbers and the scaling are chosen on rows left out, the model is
// fitted on all rows and judged.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mercer/metrics.hpp"
#include "mercer/tune.hpp"

namespace mercer {

struct AutomaticOptions {
  bool search = true;                            ///< else the method, the kernel and the scaling are as given, and only judged
  std::optional<AnyMethod> method = {};          ///< none: chosen
  std::vector<std::string> fixed = {};           ///< parameters of the method that are given and not searched
  std::optional<Kernel> kernel = {};             ///< none: chosen among several; its `auto` and `median` are searched
  std::optional<Scaling::Kind> scaling = {};     ///< none: standard, unless the columns are alike already
  std::vector<GridAxis> axes = {};               ///< in place of the program's own for these parameters
  double holdout = 0;                            ///< the part of the rows to judge the choice on; 0: cross-validation
  const Dataset* test = nullptr;                 ///< rows to judge it on instead
  TuneOptions tune = {};
  Progress fit_progress = {};                    ///< of the fits that follow the search
};

/// What will be tried, and how long that will take.
struct Plan {
  std::vector<SearchSpace> spaces = {};
  std::size_t settings = 0;     ///< in all spaces
  double seconds = 0;           ///< predicted
  std::vector<std::string> lines = {};  ///< in words
};
Plan plan_fit(const Dataset& data, const AutomaticOptions& options);

struct AutomaticFit {
  Model model;                 ///< of all rows
  Search search;
  std::string metric;
  std::string judged_on;       ///< "5-fold cross-validation", "206 rows held out", "4000 test rows"
  Estimate score, baseline;    ///< of the choice, and of the most frequent class or the mean
  Dataset judged = {};         ///< the rows that the score is about
  Predictions predictions = {};  ///< of these rows, by a model that has not seen them
  std::vector<std::string> notes = {};  ///< about the data and the choice
  std::vector<std::string> next = {};   ///< what to try
};
AutomaticFit fit_automatically(const Dataset& data, const AutomaticOptions& options = {});

}  // namespace mercer

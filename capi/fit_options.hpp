// The options of mercer_fit(): the words of `mercer fit` as JSON, and what follows from them.
#pragma once

#include "capi/options.hpp"
#include "mercer/automatic.hpp"

namespace mercer::capi {

struct FitWords {
  std::string method, kernel;
  std::vector<std::pair<std::string, Argument>> parameters;  ///< of the method
  std::string scale;
  FitOptions fit;
  bool tune = false;
  std::vector<GridAxis> axes;
  std::optional<std::size_t> cv;
  std::size_t repeats = 1;
  std::string metric;
  double holdout = 0;

  /// Throws Error where a word is not known or its value cannot be.
  explicit FitWords(Options& options);

  bool names_kernel() const { return !kernel.empty() && kernel != "auto"; }
  /// Whether something is left to be selected, by wish or because nothing is given.
  bool searches(const Dataset& data) const;
  /// Whether the model is to be scored on rows that it has not seen.
  bool judges() const { return cv || holdout > 0 || !metric.empty(); }

  AnyMethod chosen_method(const Dataset& data) const;
  Kernel chosen_kernel(const Dataset& data) const;
  Scaling::Kind chosen_scaling() const;
  AutomaticOptions automatic(const Dataset& data, const Progress& progress) const;
};

}  // namespace mercer::capi

// The options of `mercer fit`, and what follows from them.
#pragma once

#include <optional>

#include "cli/data_options.hpp"
#include "mercer/automatic.hpp"

namespace mercer::cli {

struct FitCommand {
  DataOptions data;
  std::string method, kernel, resume, out;
  std::vector<std::pair<std::string, std::string>> parameters;  ///< as given
  std::vector<std::string> class_weights, classes;
  std::string solver = "auto", approx;
  std::optional<double> tolerance;
  double time = 0;
  std::string repair;
  bool allow_indefinite = false, allow_nonconvex = false, probabilities = false;
  std::string on_interrupt;  ///< empty: what was selected or assessed is saved, a single fit is not
  // The search, and what it is worth.
  bool tune = false, dry_run = false, explain_plan = false, stream = false;
  std::vector<std::string> grids;
  std::optional<std::size_t> cv;
  std::size_t repeats = 1;
  std::string metric, folds, test, report;
  double holdout = 0;

  std::vector<std::string> deprecated;  ///< warnings about flags that have another name now

  void add(CLI::App& command);

  bool names_method() const { return !method.empty(); }
  bool names_kernel() const { return !kernel.empty() && kernel != "auto"; }
  /// Whether something is left to the program to choose: where neither method, kernel nor a number is given,
  /// or by wish.
  bool searches() const;
  /// Whether the model is to be judged on rows that it has not seen.
  bool judges() const {
    return cv || holdout > 0 || !test.empty() || !report.empty() || !folds.empty() || !metric.empty();
  }

  /// `earlier`: the model to go on from, or null. What is not given is as it was there.
  AnyMethod chosen_method(const Dataset& rows, const Model* earlier) const;
  /// None where the kernel follows from the rows or from a search.
  std::optional<Kernel> given_kernel(const Model* earlier) const;
  Kernel chosen_kernel(const Dataset& rows, const Model* earlier) const;
  Scaling::Kind chosen_scaling(const Model* earlier) const;
  FitOptions fit_options(const Session& session) const;
  /// `test_rows`: those of --test, or null.
  AutomaticOptions automatic_options(const Dataset& rows, const Dataset* test_rows,
                                     const Session& session) const;
};

// --- What a fit does (fit.cpp), for programs that do a part of it another way. ---

struct FitRows {
  Dataset data;
  double seconds = 0;  ///< that reading took
};

/// The rows as the method and the kernel want them; `earlier`: the model to go on from, or null.
FitRows read_rows(const FitCommand& options, const Model* earlier, const Session& session);

/// Prints the summary of a fit and gives it as JSON. `made`: how the model was selected, or null; `notes`:
/// beside those of the data; `reported`: the report is written.
Json summarize(const FitCommand& options, const Session& session, const FitRows& reading, const Model& model,
               double fit_seconds, const std::vector<Note>& notes, const AutomaticFit* made = nullptr,
               bool reported = false);

/// Of a fit that did not converge.
void set_exit_code(Session& session, const FitReport& report);

void run_fit(const FitCommand& options, Session& session);

}  // namespace mercer::cli

// What a fit will cost before it begins: memory, passes over the rows and how long each takes, from measuring
// a few tiles and a fit of a sample; and how many landmarks the memory and the time allow.
#pragma once

#include <string>

#include "mercer/model.hpp"

namespace MERCER_EXPORT mercer {

struct BudgetPlan {
  /// The kernel approximation to fit with, e.g. "nystrom:4000": as asked, or chosen. Empty: the fit is not
  /// one of passes over Nyström features, and the rest is 0.
  std::string approx = {};
  bool chosen = false;     ///< whether there is an approximation, or its number of landmarks, was chosen here
  std::string why = {};    ///< then
  std::size_t passes = 0;  ///< over the rows, about
  double pass_seconds = 0;   ///< one of them
  double seconds = 0;        ///< all of the fit
  std::size_t bytes = 0;     ///< of the process, with the data
  double exact_seconds = 0;  ///< the exact solution in its place; 0: not estimated

  /// "nystrom:10000, about 23 passes of 1.4 s (40 s in all), 2.9 GB"
  std::string text() const;
};

/// Of fit() with the same arguments. options.approx may be "nystrom" without a number: then, and where there
/// is none and the exact solution is out of reach (too many rows, or more time than options.seconds), the
/// number of landmarks is the largest that options.memory and options.seconds allow, up to 4,000 without a
/// limit of time. `program`: bytes of options.memory that the program itself takes. Throws
/// Error{out_of_memory}, which names the least that would do.
BudgetPlan plan_budget(const AnyMethod& method, const Kernel& kernel, const Dataset& data,
                       const FitOptions& options, Scaling::Kind scaling, std::size_t program);

}  // namespace mercer

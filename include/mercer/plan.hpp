// Primal or dual: which of the two a fit would take, and about what each would cost; and whether that is
// much.
#pragma once

#include <optional>
#include <string>

#include "mercer/model.hpp"

namespace MERCER_EXPORT mercer {

/// Operations are counted roughly: a system over n rows and p features is n·p² of them, one over K is its n²
/// entries and a product with them. They are what fit() compares; their ratio says more than their size.
struct PlanExplanation {
  FitPlan plan = {};                         ///< what fit() would take
  std::string why = {};                      ///< one sentence
  std::optional<std::size_t> features = {};  ///< p, of a finite feature map; none: there is no primal
  std::string no_primal = {};                ///< why there is none
  double primal = 0, dual = 0;               ///< operations
};

/// Of fit() with the same arguments: nothing is fitted. What fit() would refuse before its work is refused.
PlanExplanation explain_plan(const AnyMethod& method, const Kernel& kernel, const Dataset& data,
                             const FitOptions& options = {}, Scaling::Kind scaling = Scaling::Kind::none);

/// Whether a fit of these rows takes a millisecond or so: fit() then takes one thread.
bool is_brief_fit(const Points& points);

/// Whether the method can learn from rows that are visited in order, pass after pass: those on disk
/// (mercer/disk_arrays.hpp).
bool fits_by_passes(const Method& method);

}  // namespace mercer

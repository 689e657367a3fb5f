// What `mercer fit` says of a fit before it begins, and what it gives up to stay within --memory and --time.
#pragma once

#include "cli/session.hpp"
#include "mercer/budget.hpp"

namespace mercer::cli {

/// What the program and its libraries take of --memory.
inline constexpr std::size_t program_bytes = 80'000'000;

/// A line on standard error, unless --quiet: "mercer: plan: nystrom:10000, about 23 passes of 1.4 s, …".
void announce_plan(const Session& session, const BudgetPlan& plan);
/// Null where there is no plan.
Json plan_json(const BudgetPlan& plan);

/// What the solver may take of --memory. A plan counts the data; of other fits they are set aside, up to half
/// of it.
std::size_t memory_for_fit(std::size_t memory, const BudgetPlan& plan, const Dataset& data,
                           Scaling::Kind scaling);

/// Takes a tenth of the rows, at most 5,000, out of the data.
Dataset hold_out(Dataset& data, std::uint64_t seed);
/// Says what was given up, and the error on rows that had no part in the fit or in the plan. The same for
/// --json.
Json say_held_out(const Session& session, const BudgetPlan& plan, const Model& model,
                  const Dataset& held_out);

}  // namespace mercer::cli

#include "mercer/methods/nu_svm.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "methods/pairs.hpp"
#include "mercer/error.hpp"

namespace mercer {

// β ∈ [0, w] or [−w, 0], Σβ = ±νn/2 in each class, no linear term. With the classes' levels ρ₊ and ρ₋ the
// margin is r = (ρ₊ − ρ₋)/2, and β/r, (ρ₊ + ρ₋)/2r are the machine whose margin is 1 (Chang & Lin 2001).
Fitted NuSvm::fit(const Training& training) const {
  Fitted fitted = fit_pairs(training, [&](SvmTrainer& trainer, std::size_t positive, std::size_t negative) {
    BoxQp problem = two_class_problem(trainer, positive, negative, 0, 1);
    double totals[2] = {};
    for (std::size_t v = 0; v < problem.size(); ++v) {
      problem.groups.push_back(v < trainer.part(positive).size() ? 0 : 1);
      totals[problem.groups[v]] += problem.upper[v] - problem.lower[v];
    }
    const double highest = 2 * std::min(totals[0], totals[1]) / (totals[0] + totals[1]);
    if (nu > highest)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("nu = {:g} is too large for classes of these sizes", nu),
                  {.hint = fmt::format("at most {:.6g}", highest)});
    double left[2];
    left[0] = left[1] = nu * (totals[0] + totals[1]) / 2;
    for (std::size_t v = 0; v < problem.size(); ++v) {
      double& rest = left[problem.groups[v]];
      const double amount = std::min(rest, problem.upper[v] - problem.lower[v]);
      problem.start.push_back(problem.groups[v] == 0 ? amount : -amount);
      rest -= amount;
    }
    SmoResult result = trainer.solve(problem, trainer.tolerance());
    const Certificate& c = result.certificate;
    const double r = (c.rho[0] - c.rho[1]) / 2;
    const bool margin = r > 1e-12 * trainer.largest_diagonal();
    if (!margin && trainer.cut_short())
      throw Error(ErrorCode::out_of_time, "the time did not suffice to find a margin");
    if (!margin)
      throw Error(ErrorCode::invalid_data, fmt::format("nu = {:g} gives no margin with this kernel", nu),
                  {.hint = "a larger nu is needed"});
    const double rho = (c.rho[0] + c.rho[1]) / (2 * r);
    const auto solved = SvmTrainer::summary(
        problem, result,
        {.objective = c.objective / (r * r), .rho = rho, .gap_scale = 1 / (r * r), .found = 1 / r});
    for (double& b : result.beta) b /= r;
    return TwoClass{std::move(result.beta), rho, solved};
  });
  if (fitted.report.problems.size() == 1)
    fitted.report.add("equivalent_C", "equivalent C", fitted.report.problems[0].found);
  return fitted;
}

}  // namespace mercer

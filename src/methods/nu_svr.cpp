#include "mercer/methods/nu_svr.hpp"

#include <algorithm>

#include "methods/regression.hpp"

namespace mercer {

// Σβ⁺ = −Σβ⁻ = Cνn/2: two groups. Their levels are ρ − ε and ρ + ε.
Fitted NuSvr::fit(const Training& training) const {
  SvmTrainer trainer(training, all_rows(training), Rule::value, 1, 1);
  BoxQp problem = regression_problem(trainer, training, C, 0);
  const std::size_t n = trainer.size();
  double left = 0;
  for (std::size_t i = 0; i < n; ++i) left += nu * problem.upper[i] / 2;
  problem.groups.assign(2 * n, 0);
  std::fill(problem.groups.begin() + std::ptrdiff_t(n), problem.groups.end(), std::uint8_t(1));
  problem.start.assign(2 * n, 0);
  for (std::size_t i = 0; i < n; ++i) {
    problem.start[i] = std::min(left, problem.upper[i]);
    problem.start[n + i] = -problem.start[i];
    left -= problem.start[i];
  }
  const SmoResult result = trainer.solve(problem, trainer.tolerance());
  const auto& group = result.certificate.rho;
  const double rho = (group[0] + group[1]) / 2, epsilon = (group[1] - group[0]) / 2;
  trainer.add(SvmTrainer::summary(problem, result,
                                  {.objective = result.certificate.objective, .rho = rho, .found = epsilon}));
  Fitted fitted = finish_regression(trainer, result, rho);
  fitted.report.add("epsilon", "epsilon", epsilon, "target");
  return fitted;
}

}  // namespace mercer

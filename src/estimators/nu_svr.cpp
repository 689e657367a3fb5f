#include "mercer/methods/nu_svr.hpp"

#include <algorithm>

#include "estimators/regression.hpp"

namespace mercer {

// Σβ⁺ = −Σβ⁻ = Cνn/2: two groups. Their levels are ρ − ε and ρ + ε.
Fitted NuSvr::fit(const Training& training) const {
  Machine machine(training, all_rows(training), Rule::value, 1, 1);
  BoxProblem problem = regression_problem(machine, training, C, 0);
  const std::size_t n = machine.size();
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
  const SmoResult result = machine.solve(problem, machine.tolerance());
  const auto& levels = result.certificate.levels;
  const double level = (levels[0] + levels[1]) / 2, epsilon = (levels[1] - levels[0]) / 2;
  machine.add(Machine::summary(problem, result, {.objective = result.certificate.objective, .level = level, .found = epsilon}));
  Fitted fitted = finish_regression(machine, result, level);
  fitted.report.add("epsilon", "epsilon", epsilon, "target");
  return fitted;
}

}  // namespace mercer

#include "mercer/methods/svr.hpp"

#include "estimators/regression.hpp"

namespace mercer {

Fitted Svr::fit(const Training& training) const {
  Machine machine(training, all_rows(training), Rule::value, 1, 1);
  const BoxProblem problem = regression_problem(machine, training, C, epsilon);
  const SmoResult result = machine.solve(problem, machine.tolerance());
  machine.add(Machine::summary(problem, result, {.objective = result.certificate.objective, .level = result.certificate.levels[0]}));
  return finish_regression(machine, result, result.certificate.levels[0]);
}

}  // namespace mercer

#include "mercer/methods/svr.hpp"

#include "estimators/regression.hpp"

namespace mercer {

Fitted Svr::fit(const Training& training) const {
  Machine machine(training, all_rows(training), 1);
  const SmoResult result = machine.solve(regression_problem(machine, training, C, epsilon), machine.tolerance());
  machine.add(result, result.certificate.objective, 1);
  return finish_regression(machine, result, result.certificate.levels[0]);
}

}  // namespace mercer

#include "mercer/methods/svr.hpp"

#include "methods/regression.hpp"

namespace mercer {

Fitted Svr::fit(const Training& training) const {
  SvmTrainer trainer(training, all_rows(training), Rule::value, 1, 1);
  const BoxQp problem = regression_problem(trainer, training, C, epsilon);
  const SmoResult result = trainer.solve(problem, trainer.tolerance());
  trainer.add(SvmTrainer::summary(
      problem, result, {.objective = result.certificate.objective, .rho = result.certificate.rho[0]}));
  return finish_regression(trainer, result, result.certificate.rho[0]);
}

}  // namespace mercer

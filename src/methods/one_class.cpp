#include "mercer/methods/one_class.hpp"

#include <algorithm>

#include "methods/svm_trainer.hpp"

namespace mercer {

// β ∈ [0, w], Σβ = νΣw, no linear term; the region is f(x) ≥ ρ.
Fitted OneClass::fit(const Training& training) const {
  SvmTrainer trainer(training, all_rows(training), Rule::novelty, 1, 1);
  BoxQp problem;
  double left = 0;
  for (std::size_t i = 0; i < trainer.size(); ++i) left += nu * trainer.weight(i);
  for (std::size_t i = 0; i < trainer.size(); ++i) {
    problem.add(i, 0, 0, trainer.weight(i));
    if (trainer.resumes()) problem.guess.push_back(trainer.before(i, 0));
    problem.start.push_back(std::min(left, trainer.weight(i)));
    left -= problem.start.back();
  }
  SmoResult result = trainer.solve(problem, trainer.tolerance());
  trainer.add(SvmTrainer::summary(
      problem, result, {.objective = result.certificate.objective, .rho = result.certificate.rho[0]}));
  return trainer.finish(std::move(result.beta), {result.certificate.rho[0]});
}

}  // namespace mercer

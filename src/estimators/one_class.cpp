#include "mercer/methods/one_class.hpp"

#include <algorithm>

#include "estimators/machine.hpp"

namespace mercer {

// β ∈ [0, w], Σβ = νΣw, no linear term; the region is f(x) ≥ ρ.
Fitted OneClass::fit(const Training& training) const {
  Machine machine(training, all_rows(training), Rule::novelty, 1, 1);
  BoxProblem problem;
  double left = 0;
  for (std::size_t i = 0; i < machine.size(); ++i) left += nu * machine.weight(i);
  for (std::size_t i = 0; i < machine.size(); ++i) {
    problem.add(i, 0, 0, machine.weight(i));
    if (machine.resumes()) problem.guess.push_back(machine.before(i, 0));
    problem.start.push_back(std::min(left, machine.weight(i)));
    left -= problem.start.back();
  }
  SmoResult result = machine.solve(problem, machine.tolerance());
  machine.add(Machine::summary(problem, result, {.objective = result.certificate.objective, .level = result.certificate.levels[0]}));
  return machine.finish(std::move(result.beta), {result.certificate.levels[0]});
}

}  // namespace mercer

#include "estimators/regression.hpp"

#include <algorithm>

namespace mercer {

BoxProblem regression_problem(const Machine& machine, const Training& training, double C, double epsilon) {
  BoxProblem problem;
  for (const int sign : {1, -1})
    for (std::size_t i = 0; i < machine.size(); ++i) {
      problem.add_signed(i, sign * epsilon - training.target.values[machine.row(i)], sign, C * machine.weight(i));
      if (machine.resumes()) problem.guess.push_back(sign * std::max(0.0, sign * machine.before(i, 0)));
    }
  return problem;
}

Fitted finish_regression(Machine& machine, const SmoResult& result, double level) {
  const std::size_t n = machine.size();
  std::vector<double> coefficients(n);
  for (std::size_t i = 0; i < n; ++i) coefficients[i] = result.beta[i] + result.beta[n + i];
  return machine.finish(std::move(coefficients), {level});
}

}  // namespace mercer

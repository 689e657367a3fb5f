#include "estimators/regression.hpp"

#include <numeric>

namespace mercer {

std::vector<std::vector<std::size_t>> all_rows(const Training& training) {
  std::vector<std::size_t> rows(training.points.rows());
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  return {rows};
}

BoxProblem regression_problem(const Machine& machine, const Training& training, double C, double epsilon) {
  BoxProblem problem;
  for (const int sign : {1, -1})
    for (std::size_t i = 0; i < machine.size(); ++i) {
      const double most = C * machine.weight(i);
      problem.points.push_back(std::int32_t(i));
      problem.linear.push_back(sign * epsilon - training.target.values[machine.row(i)]);
      problem.lower.push_back(sign > 0 ? 0 : -most);
      problem.upper.push_back(sign > 0 ? most : 0);
    }
  return problem;
}

Fitted finish_regression(Machine& machine, const SmoResult& result, double level) {
  const std::size_t n = machine.size();
  std::vector<double> coefficients(n);
  for (std::size_t i = 0; i < n; ++i) coefficients[i] = result.beta[i] + result.beta[n + i];
  return machine.finish(std::move(coefficients), 1, Rule::value, {level}, false);
}

}  // namespace mercer

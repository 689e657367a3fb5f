#include "estimators/pairs.hpp"

namespace mercer {

BoxProblem two_class_problem(const Machine& machine, Range positive, Range negative, double linear, double bound) {
  BoxProblem problem;
  for (const int sign : {1, -1}) {
    const Range range = sign > 0 ? positive : negative;
    for (std::size_t i = range.begin; i < range.end; ++i) problem.add_signed(i, -sign * linear, sign, bound * machine.weight(i));
  }
  return problem;
}

Fitted fit_pairs(const Training& training, const std::function<TwoClass(Machine&, Range, Range)>& fit) {
  const auto rows = rows_by_class(training);
  const std::size_t classes = rows.size(), width = classes - 1;
  Machine machine(training, rows, classes * width / 2);
  std::vector<double> coefficients(machine.size() * width, 0), levels;
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j) {
      const Range positive = machine.part(i), negative = machine.part(j);
      const TwoClass pair = fit(machine, positive, negative);
      levels.push_back(pair.level);
      for (std::size_t k = 0; k < positive.size(); ++k) coefficients[(positive.begin + k) * width + j - 1] = pair.beta[k];
      for (std::size_t k = 0; k < negative.size(); ++k)
        coefficients[(negative.begin + k) * width + i] = pair.beta[positive.size() + k];
    }
  return machine.finish(std::move(coefficients), width, Rule::one_vs_one, std::move(levels), true);
}

}  // namespace mercer

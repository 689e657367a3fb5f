#include "estimators/pairs.hpp"

namespace mercer {

BoxProblem two_class_problem(const Machine& machine, std::size_t positive, std::size_t negative, double linear, double bound) {
  BoxProblem problem;
  for (const int sign : {1, -1}) {
    const Range range = machine.part(sign > 0 ? positive : negative);
    for (std::size_t i = range.begin; i < range.end; ++i) {
      problem.add_signed(i, -sign * linear, sign, bound * machine.weight(i));
      if (machine.resumes()) problem.guess.push_back(machine.before(i, sign > 0 ? negative - 1 : positive));
    }
  }
  return problem;
}

Fitted fit_pairs(const Training& training, const std::function<TwoClass(Machine&, std::size_t, std::size_t)>& fit) {
  const auto rows = rows_by_class(training);
  const std::size_t classes = rows.size(), width = classes - 1;
  Machine machine(training, rows, Rule::one_vs_one, width, classes * width / 2);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j) pairs.emplace_back(i, j);
  std::vector<TwoClass> machines(pairs.size());
  machine.for_each_problem([&](std::size_t p) { machines[p] = fit(machine, pairs[p].first, pairs[p].second); });
  std::vector<double> coefficients(machine.size() * width, 0), levels;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [i, j] = pairs[p];
    const Range positive = machine.part(i), negative = machine.part(j);
    machine.add(machines[p].solved);
    levels.push_back(machines[p].level);
    const std::vector<double>& beta = machines[p].beta;
    for (std::size_t k = 0; k < positive.size(); ++k) coefficients[(positive.begin + k) * width + j - 1] = beta[k];
    for (std::size_t k = 0; k < negative.size(); ++k) coefficients[(negative.begin + k) * width + i] = beta[positive.size() + k];
  }
  return machine.finish(std::move(coefficients), std::move(levels));
}

}  // namespace mercer

#include "methods/pairs.hpp"

namespace mercer {

BoxQp two_class_problem(const SvmTrainer& trainer, std::size_t positive, std::size_t negative, double linear,
                        double bound) {
  BoxQp problem;
  for (const int sign : {1, -1}) {
    const Range range = trainer.part(sign > 0 ? positive : negative);
    for (std::size_t i = range.begin; i < range.end; ++i) {
      problem.add_signed(i, -sign * linear, sign, bound * trainer.weight(i));
      if (trainer.resumes()) problem.guess.push_back(trainer.before(i, sign > 0 ? negative - 1 : positive));
    }
  }
  return problem;
}

Fitted fit_pairs(const Training& training,
                 const std::function<TwoClass(SvmTrainer&, std::size_t, std::size_t)>& fit) {
  const auto rows = rows_by_class(training);
  const std::size_t classes = rows.size(), width = classes - 1;
  SvmTrainer trainer(training, rows, Rule::one_vs_one, width, classes * width / 2);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j) pairs.emplace_back(i, j);
  const std::vector<TwoClass> binary =
      trainer.for_each_problem([&](std::size_t p) { return fit(trainer, pairs[p].first, pairs[p].second); });
  std::vector<double> coefficients(trainer.size() * width, 0), rho;
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    const auto [i, j] = pairs[p];
    const Range positive = trainer.part(i), negative = trainer.part(j);
    trainer.add(binary[p].solved);
    rho.push_back(binary[p].rho);
    const std::vector<double>& beta = binary[p].beta;
    for (std::size_t k = 0; k < positive.size(); ++k)
      coefficients[(positive.begin + k) * width + j - 1] = beta[k];
    for (std::size_t k = 0; k < negative.size(); ++k)
      coefficients[(negative.begin + k) * width + i] = beta[positive.size() + k];
  }
  return trainer.finish(std::move(coefficients), std::move(rho));
}

}  // namespace mercer

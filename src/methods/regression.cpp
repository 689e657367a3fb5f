#include "methods/regression.hpp"

#include <algorithm>

namespace mercer {

BoxQp regression_problem(const SvmTrainer& trainer, const Training& training, double C, double epsilon) {
  BoxQp problem;
  for (const int sign : {1, -1})
    for (std::size_t i = 0; i < trainer.size(); ++i) {
      problem.add_signed(i, sign * epsilon - training.target.values[trainer.row(i)], sign,
                         C * trainer.weight(i));
      if (trainer.resumes()) problem.guess.push_back(sign * std::max(0.0, sign * trainer.before(i, 0)));
    }
  return problem;
}

Fitted finish_regression(SvmTrainer& trainer, const SmoResult& result, double rho) {
  const std::size_t n = trainer.size();
  std::vector<double> coefficients(n);
  for (std::size_t i = 0; i < n; ++i) coefficients[i] = result.beta[i] + result.beta[n + i];
  return trainer.finish(std::move(coefficients), {rho});
}

}  // namespace mercer

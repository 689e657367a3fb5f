#include "solvers/streamed_least_squares.hpp"

#include <algorithm>
#include <cmath>

namespace mercer {

StreamedLeastSquares stream_least_squares(const RowFeatures& features, std::span<const double> v,
                                          std::span<const double> Y, std::size_t outputs, bool bias, double c,
                                          double tolerance, const FeatureSystemOptions& options,
                                          const Progress& making, const Progress& solving) {
  const std::size_t n = features.rows(), p = features.features(), columns = outputs + 1;
  double weight = 0;
  std::vector<double> s(n), level(outputs, 0.0), squares(outputs, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    s[i] = std::sqrt(v[i]);
    weight += v[i];
    for (std::size_t o = 0; o < outputs; ++o) level[o] += v[i] * Y[i * outputs + o];
  }
  for (double& mean : level) mean = bias ? mean / weight : 0;
  for (std::size_t e = 0; e < Y.size(); ++e)
    squares[e % outputs] += v[e / outputs] * std::pow(Y[e] - level[e % outputs], 2);
  // Φᵀ V (1, Y − ȳ): φ̄ and the right-hand side.
  making.check("first pass", 0);
  std::vector<double> both(p * columns), R(p * outputs), X(p * outputs);
  features.pass(
      {}, columns,
      [&](Range rows, double* F) {
        for (std::size_t i = rows.begin; i < rows.end; ++i, F += columns) {
          F[0] = v[i];
          for (std::size_t o = 0; o < outputs; ++o) F[o + 1] = v[i] * (Y[i * outputs + o] - level[o]);
        }
      },
      both);
  FeatureSystem::Centre centre;
  if (bias) {
    centre.weight = weight;
    for (std::size_t j = 0; j < p; ++j) centre.mean.push_back(both[j * columns] / weight);
  }
  for (std::size_t j = 0; j < p; ++j)
    std::copy_n(both.data() + j * columns + 1, outputs, R.data() + j * outputs);

  FeatureSystem system(features, options);
  system.prepare({s}, c, centre, making);
  const FeatureSystem::Solution found = system.solve(R, outputs, tolerance, X, solving);

  StreamedLeastSquares result{
      .solution = {.W = std::vector<double>(p * outputs), .b = level, .residual = found.residual},
      .iterations = found.iterations,
      .passes = system.passes() + 1,
      .sampled = system.sampled(),
      .converged = found.converged};
  NormalEquations::Solution& solution = result.solution;
  for (std::size_t o = 0; o < outputs; ++o) {
    double error = squares[o];
    for (std::size_t j = 0; j < p; ++j) {
      const double w = X[j * outputs + o];
      solution.W[o * p + j] = w;
      solution.norm += w * w;
      if (bias) solution.b[o] -= w * centre.mean[j];
      error += w * (found.HX[j * outputs + o] - 2 * R[j * outputs + o]);
    }
    solution.loss += std::max(0.0, error) / weight;
  }
  return result;
}

}  // namespace mercer

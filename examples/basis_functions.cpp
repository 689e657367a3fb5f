// Ridge regression on Gaussian basis functions against kernel ridge regression, the lectures' experiment:
// Y = sin(‖X‖²) + N(0, 0.04), X uniform on [−7/2, 7/2]². Both have f(x) = Σᵢ αᵢ e^(−‖x−xᵢ‖²) and differ in
// the price alone:
//   basis functions   min (1/n)‖Y − Kα‖² + λ αᵀα    φᵢ(x) = e^(−‖x−xᵢ‖²) as columns, under the linear kernel
//   kernel            min (1/n)‖Y − Kα‖² + λ αᵀKα
// λ is the one with the least error on the test rows, as in the lecture. docs/experiments.md has the numbers.
//   basis_functions [N [SEED]]        rows to learn from (900) and what they are drawn from (1)
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#include "mercer/generate.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"
#include "mercer/methods.hpp"
#include "mercer/model.hpp"

using namespace mercer;

namespace {

struct Tuned {
  double error = std::numeric_limits<double>::infinity(), lambda = 0, residual = 0;
};

double mean_squared_error(const Model& model, const Dataset& test) {
  const Predictions p = model.predict(test.points);
  double sum = 0;
  for (std::size_t i = 0; i < test.rows(); ++i) sum += std::pow(p.values[i] - test.target.values[i], 2);
  return sum / double(test.rows());
}

Tuned tune(const Kernel& kernel, const Dataset& train, const Dataset& test) {
  Tuned best;
  for (int half_decades = -28; half_decades <= -4; ++half_decades) {
    const double lambda = std::pow(10, half_decades / 2.0);
    const Model model = fit(Ridge{.lambda = lambda}, kernel, train);
    const double error = mean_squared_error(model, test);
    if (error < best.error) best = {error, lambda, model.fitted.report.violation};
  }
  return best;
}

// The rows' values of the basis functions, one around each centre.
Dataset with_basis_functions(const Dataset& data, const Points& centres) {
  Dense<double> columns{data.rows(), centres.rows(), Buffer<double>(data.rows() * centres.rows())};
  KernelOperator<double>(rbf({.gamma = 1}), data.points, centres).matrix(columns.values);
  return {.points = Points(std::move(columns)), .target = data.target};
}

}  // namespace

int main(int count, char** words) {
  const std::size_t n = count > 1 ? std::strtoul(words[1], nullptr, 10) : 900;
  const std::size_t seed = count > 2 ? std::strtoul(words[2], nullptr, 10) : 1;
  const Dataset train = generate("sinc2d", {.n = n, .seed = seed}),
                test = generate("sinc2d", {.n = 2000, .seed = seed + 1000});
  const Tuned basis =
      tune(linear(), with_basis_functions(train, train.points), with_basis_functions(test, train.points));
  const Tuned kernel = tune(rbf({.gamma = 1}), train, test);
  std::printf("basis functions: squared error %.3f, lambda %.0e, relative residual %.0e\n", basis.error,
              basis.lambda, basis.residual);
  std::printf("kernel:          squared error %.3f, lambda %.0e, relative residual %.0e\n", kernel.error,
              kernel.lambda, kernel.residual);
  return kernel.error < basis.error ? 0 : 1;
}

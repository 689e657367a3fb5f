#include "mercer/lambda_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "mercer/error.hpp"
#include "solvers/ridge_path.hpp"

namespace mercer {

namespace {

constexpr double largest_factor = 1e3;

}  // namespace

LambdaPath lambda_path(const Kernel& parsed, const Dataset& all, const LambdaPathOptions& options) {
  if (options.points < 2)
    throw Error(ErrorCode::invalid_argument,
                fmt::format("a path needs several values of lambda, not {}", options.points),
                {.hint = "give at least 2"});
  if (!(options.factor > 0 && options.factor < largest_factor))
    throw Error(ErrorCode::invalid_parameter,
                fmt::format("a path that begins at {:g} is impossible", options.factor),
                {.hint = fmt::format("it must be above 0 and below {:g}", largest_factor)});
  if (all.target.task == Task::none)
    throw Error(ErrorCode::missing_target, "the data have no target", {.hints = {{Remedy::name_target}}});
  std::vector<std::size_t> rows;  // that count
  std::vector<double> roots;      // of their weights
  double sum = 0;
  for (std::size_t i = 0; i < all.rows(); ++i) {
    const double weight = all.weights.empty() ? 1 : all.weights[i];
    if (weight <= 0) continue;
    rows.push_back(i), roots.push_back(std::sqrt(weight));
    sum += weight;
  }
  const Dataset data = rows.size() == all.rows() ? all : all.select_rows(rows);
  if (data.rows() < 2)
    throw Error(ErrorCode::invalid_data, "leaving rows out needs at least 2 rows",
                {.hint = fmt::format("there are {}", data.rows())});
  LambdaPath path{.kernel = parsed.resolve(data.points)};
  if (const Proof proof = path.kernel.prove(); !proof.psd)
    throw Error(
        ErrorCode::unsupported,
        fmt::format("ridge needs a kernel that is positive semidefinite, and {} is not proved to be: {}",
                    path.kernel.text(), proof.because));
  const std::vector<double> y = data.target.numbers();
  const KernelOperator<double> K(path.kernel, data.points, {.threads = options.threads});
  std::vector<double> diagonal(data.rows());
  K.diagonal(diagonal);
  const double mean = std::accumulate(diagonal.begin(), diagonal.end(), 0.0) / double(data.rows()),
               scale = mean > 0 ? mean : 1;
  const RidgePath solve(K, roots, y, data.target.outputs, options.bias,
                        {.smallest = options.factor * scale,
                         .memory = options.memory,
                         .threads = options.threads,
                         .seed = options.seed,
                         .progress = options.progress});
  std::vector<double> penalties;
  for (std::size_t i = 0; i < options.points; ++i)
    penalties.push_back(options.factor * scale *
                        std::pow(largest_factor / options.factor, double(i) / double(options.points - 1)));
  const std::vector<RidgePath::Point> points = solve.at(penalties, options.progress);
  for (std::size_t i = 0; i < options.points; ++i) {
    path.lambda.push_back(penalties[i] / sum);
    path.leave_one_out.push_back(std::sqrt(points[i].leave_one_out));
    path.generalised.push_back(std::sqrt(points[i].generalised));
    path.degrees_of_freedom.push_back(points[i].degrees_of_freedom);
    if (path.leave_one_out[i] < path.leave_one_out[path.best]) path.best = i;
  }
  return path;
}

}  // namespace mercer

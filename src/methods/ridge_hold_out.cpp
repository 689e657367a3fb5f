#include "methods/ridge_hold_out.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.hpp"
#include "methods/watch.hpp"
#include "operators/compiled_kernel.hpp"
#include "solvers/ridge_path.hpp"

namespace mercer {

namespace {

constexpr std::size_t most_path_columns = 800;
/// What a row of weight 0 weighs beside a mean one: too little to move anything, enough to be predicted like
/// the others.
constexpr double nothing = 1e-10;

struct Folds {
  std::vector<std::vector<std::size_t>> rows;  // of each fold that has any
  std::vector<double> weight;                  // of the rows outside
};

Folds sort_rows(std::span<const std::size_t> fold, std::span<const double> weights) {
  std::vector<std::size_t> order(fold.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return fold[i]; });
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  Folds folds;
  for (std::size_t e = 0; e < order.size(); ++e) {
    if (e == 0 || fold[order[e]] != fold[order[e - 1]]) {
      folds.rows.emplace_back();
      folds.weight.push_back(total);
    }
    folds.rows.back().push_back(order[e]);
    folds.weight.back() -= weights[order[e]];
  }
  return folds;
}

/// Columns that stand for K where it has more than twice so many rows, as the memory allows; 0 where it
/// allows none.
std::size_t columns_for(std::size_t n, std::size_t memory) {
  const std::size_t room = memory / (24 * std::max<std::size_t>(1, n)),
                    columns = std::min(most_path_columns, room);
  const bool whole = n <= 2 * most_path_columns;
  return (whole ? room >= n : columns >= 16) ? columns : 0;
}

bool has_path(const Ridge& ridge, const Validation& validation) {
  const bool lambda = validation.parameter == "lambda" && !ridge.tau2, tau2 = validation.parameter == "tau2";
  return (lambda || tau2) && ridge.select == Ridge::Select::none &&
         validation.training.target.task == Task::regression &&
         std::ranges::all_of(validation.values, [](double value) { return value > 0; }) &&
         validation.training.kernel.properties().conditional_order == 0 &&
         !looks_at_all_points(validation.training.kernel);
}

}  // namespace

std::optional<HeldOut> ridge_hold_out(const Ridge& ridge, const Validation& validation) {
  const Training& training = validation.training;
  const std::size_t n = training.points.rows(), outputs = training.target.outputs;
  const std::vector<double> weights =
      training.weights.empty() ? std::vector<double>(n, 1.0) : training.weights;
  const Folds folds = sort_rows(validation.fold, weights);
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const bool all_in_one =
      std::ranges::any_of(folds.weight, [&](double weight) { return !(weight > 1e-12 * total); });
  const std::size_t columns = columns_for(n, training.options.memory);
  if (!has_path(ridge, validation) || all_in_one || validation.values.empty() || columns == 0) return {};

  std::vector<double> s(n);
  for (std::size_t i = 0; i < n; ++i) s[i] = std::sqrt(std::max(weights[i], nothing * total / double(n)));
  // Of λ a fold's fit takes λ times the weight that it has.
  const bool per_weight = validation.parameter == "lambda";
  const double least = per_weight ? *std::ranges::min_element(folds.weight) : 1;
  Watch watch(training.options);
  const FitOptions& options = training.options;
  const KernelOperator<double> K(training.kernel, training.points, {.threads = options.threads});
  const RidgePath path(K, s, training.target.values, outputs, ridge.bias == Bias::free,
                       {.smallest = *std::ranges::min_element(validation.values) * least,
                        .rank = n > 2 * most_path_columns ? columns : 0,
                        .folds = true,
                        .memory = options.memory,
                        .threads = options.threads,
                        .seed = options.seed,
                        .progress = watch.progress(0, 0.5)});

  const auto penalties = [&](std::size_t f) {
    std::vector<double> own(validation.values.begin(), validation.values.end());
    for (double& penalty : own) penalty *= per_weight ? folds.weight[f] : 1;
    return path.at_penalties(own);
  };
  const std::vector<RidgePath::AtPenalty> of_first = penalties(0);
  HeldOut held{
      .width = outputs,
      .scores = std::vector<std::vector<double>>(validation.values.size(), std::vector<double>(n * outputs))};
  parallel_for(
      folds.rows.size(), options.threads, watch.progress(0.5, 1), "rows left out", [&](std::size_t f) {
        const bool shared = !per_weight || folds.weight[f] == folds.weight.front();
        const std::vector<RidgePath::AtPenalty> own =
            shared ? std::vector<RidgePath::AtPenalty>() : penalties(f);
        const std::vector<std::vector<double>> values = path.left_out(folds.rows[f], shared ? of_first : own);
        for (std::size_t v = 0; v < values.size(); ++v)
          for (std::size_t i = 0; i < folds.rows[f].size(); ++i)
            std::copy_n(values[v].begin() + std::ptrdiff_t(i * outputs), outputs,
                        held.scores[v].begin() + std::ptrdiff_t(folds.rows[f][i] * outputs));
      });
  return held;
}

}  // namespace mercer

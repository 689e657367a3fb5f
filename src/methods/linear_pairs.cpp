#include "methods/linear_pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

#include "base/seconds.hpp"
#include "methods/svm_trainer.hpp"
#include "solvers/linear_coordinate.hpp"

namespace mercer {

namespace {

struct Pair {
  std::vector<std::size_t> rows;  // of the data
  Points points;
  BoxQp problem;
};

// The rows of weight above 0 of both classes, the first being positive.
Pair make_pair(const Training& training, const Points& all, const std::vector<std::size_t>& first,
               const std::vector<std::size_t>& second, const std::function<double(std::size_t)>& penalty) {
  const auto weight = [&](std::size_t row) { return training.weights.empty() ? 1.0 : training.weights[row]; };
  Pair pair;
  std::vector<std::size_t>& rows = pair.rows;
  for (const auto* part : {&first, &second})
    for (const std::size_t row : *part)
      if (weight(row) > 0) rows.push_back(row);
  const auto positives =
      std::size_t(std::ranges::count_if(first, [&](std::size_t row) { return weight(row) > 0; }));
  const double C = penalty(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const int y = i < positives ? 1 : -1;
    pair.problem.add_signed(i, -y, y, C * weight(rows[i]));
  }
  pair.points = all.select_rows(rows);
  return pair;
}

void add_to_report(FitReport& report, const Pair& pair, const LinearSolution& solution) {
  const Certificate c = certify(pair.problem, solution.beta, solution.f);
  ProblemReport own = counted(pair.problem, solution.beta);
  own.iterations = solution.passes * pair.problem.size();
  own.objective = c.objective;
  own.rho = c.rho[0];
  report.objective += c.objective;
  report.violation = std::max(report.violation, c.violation);
  report.gap += c.gap;
  double norm = 0;
  for (std::size_t v = 0; v < solution.beta.size(); ++v)
    norm += solution.beta[v] * solution.f[std::size_t(pair.problem.points[v])];
  report.norm = report.norm.value_or(0) + norm;
  report.iterations += own.iterations;
  report.support_vectors += own.support_vectors;
  report.bounded_support_vectors += own.bounded_support_vectors;
  report.converged = report.converged && solution.converged;
  report.problems.push_back(own);
}

// A point for each pair, which says all.
void keep_weights(Points weights, Expansion& e) {
  const std::size_t classes = e.blocks.size();
  e.blocks.assign(classes, 0);
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j, ++e.blocks[i]) {
      std::vector<double> row(e.width, 0);
      row[j - 1] = 1;
      e.coefficients.insert(e.coefficients.end(), row.begin(), row.end());
    }
  e.points = std::move(weights);
}

// The rows with a coefficient that is not 0, class by class; `blocks` are how many each class has.
Support find_support(const std::vector<std::vector<std::size_t>>& rows_of_class,
                     std::span<const double> coefficients, std::size_t width,
                     std::vector<std::size_t>& blocks) {
  Support support;
  for (std::size_t c = 0; c < rows_of_class.size(); ++c)
    for (const std::size_t row : rows_of_class[c]) {
      const auto own = coefficients.subspan(row * width, width);
      if (std::ranges::all_of(own, [](double v) { return v == 0; })) continue;
      support.rows.push_back(row);
      support.coefficients.insert(support.coefficients.end(), own.begin(), own.end());
      ++blocks[c];
    }
  return support;
}

}  // namespace

std::optional<RowFeatures> weight_features(const Training& training) {
  // Below, working sets over K are faster to the same tolerance.
  constexpr std::size_t many_objects = 20000, many_rows = 1000, many_columns = 500;
  const Points& points = training.points;
  if (training.options.most_steps > 0) return std::nullopt;  // it has no such steps
  const bool objects = !points.objects().empty();
  if (objects ? points.rows() < many_objects
              : points.rows() < many_rows || !points.sparse() || points.cols() < many_columns)
    return std::nullopt;
  auto features = RowFeatures::of(training.kernel, points, training.options.threads);
  if (!features || objects) return features;
  const Points rows = features->table();
  const bool suits = rows.cols() >= many_columns && rows.stored() < rows.rows() * rows.cols() / 10;
  return suits ? std::move(features) : std::nullopt;
}

Fitted fit_linear_pairs(const Training& training, const RowFeatures& features,
                        const std::function<double(std::size_t)>& penalty) {
  const auto start = std::chrono::steady_clock::now();
  const auto elapsed = [&] { return seconds_since(start); };
  const Points all = features.table();
  const auto rows = rows_by_class(training);
  const std::size_t classes = rows.size(), width = classes - 1, pairs = classes * width / 2;
  Fitted fitted{.expansion = {.kernel = training.kernel}, .rule = Rule::one_vs_one};
  Expansion& e = fitted.expansion;
  e.width = width;
  e.blocks.assign(classes, 0);
  fitted.report.converged = true;
  Dense<double> weights{pairs, all.cols(), Buffer<double>(pairs * all.cols())};
  std::vector<double> coefficients(all.rows() * width, 0.0);
  std::size_t number = 0;
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j, ++number) {
      const Pair pair = make_pair(training, all, rows[i], rows[j], penalty);
      const LinearSolution solution =
          solve_linear(pair.problem, pair.points,
                       {.tolerance = training.tolerance,
                        .seed = training.options.seed,
                        .seconds = std::isinf(training.options.seconds)
                                       ? 0
                                       : std::max(1e-9, training.options.seconds - elapsed()),
                        .progress = training.options.progress});
      add_to_report(fitted.report, pair, solution);
      fitted.rho.push_back(fitted.report.problems.back().rho);
      std::ranges::copy(solution.weights, weights.values.data() + number * weights.cols);
      for (std::size_t r = 0; r < pair.rows.size(); ++r) {
        const bool first = std::size_t(training.target.codes[pair.rows[r]]) == i;
        coefficients[pair.rows[r] * width + (first ? j - 1 : i)] = solution.beta[r];
      }
    }
  fitted.support = find_support(rows, coefficients, width, e.blocks);
  if (auto points = features.points_of(weights, training.points)) {
    keep_weights(std::move(*points), e);
  } else {
    e.points = training.points.select_rows(fitted.support.rows);
    e.coefficients = std::exchange(fitted.support.coefficients, {});
  }
  fitted.report.plan = {FitPlan::Way::primal, features.features()};
  fitted.report.seconds = elapsed();
  if (training.start)
    fitted.report.warnings.push_back(
        "a linear model of many sparse rows keeps its weights, not its coefficients: the fit started from "
        "zero");
  if (!fitted.report.converged) {
    fitted.report.cut_short = elapsed() > training.options.seconds;
    if (!fitted.report.cut_short)
      fitted.report.warnings.push_back(
          fmt::format("the tolerance was not reached: the violation is {:.3g}", fitted.report.violation));
  }
  return fitted;
}

}  // namespace mercer

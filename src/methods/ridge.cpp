#include "mercer/methods/ridge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "methods/least_squares.hpp"
#include "methods/ridge_hold_out.hpp"
#include "methods/trend.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "operators/row_features.hpp"
#include "solvers/normal_equations.hpp"
#include "solvers/ridge_path.hpp"

namespace mercer {

namespace {

constexpr std::size_t path_length = 50;

struct Choice {
  double c, error;
  bool at_edge;  // the first or the last of the path
  RidgePath::Point point;
  std::string words;
  std::vector<double> solution;  // of the system at c, to the tolerance or nearly
};

// Of a kernel approximation, K = ΦΦᵀ over the table of features.
KernelOperator<double> gram_of(const Training& training, const Rows& rows) {
  const OperatorOptions options{.threads = training.options.threads};
  if (!training.over_features) return KernelOperator<double>(training.kernel, rows.points, options);
  return KernelOperator<double>(Kernel::parse("linear"), rows.features->table(), options);
}

// 50 values of c from 10⁻⁶ to 10³ times the mean of the diagonal of K.
std::vector<double> path_of_penalties(double scale) {
  std::vector<double> penalties;
  for (std::size_t l = 0; l < path_length; ++l)
    penalties.push_back(1e-6 * (scale > 0 ? scale : 1) * std::pow(1e9, double(l) / double(path_length - 1)));
  return penalties;
}

Choice best_of(std::span<const double> penalties, std::span<const RidgePath::Point> points, bool generalised,
               std::string words) {
  Choice best{0, std::numeric_limits<double>::infinity(), true, {}, std::move(words), {}};
  for (std::size_t l = 0; l < points.size(); ++l) {
    const double error = generalised ? points[l].generalised : points[l].leave_one_out;
    if (!(error < best.error)) continue;
    best.c = penalties[l];
    best.error = error;
    best.at_edge = l == 0 || l + 1 == points.size();
    best.point = points[l];
  }
  return best;
}

// Of features that are computed again in each pass: from ΦᵀΦ, and one more pass.
Choice choose_over_features(const Training& training, const Rows& rows, Watch& watch, bool bias,
                            bool generalised) {
  const std::size_t p = rows.features->features(), needed = RowFeatures::bytes(rows.size(), p);
  if (needed > training.options.memory)
    throw Error(ErrorCode::out_of_memory,
                fmt::format("the choice of lambda takes {:.1f} MB for {} features, but {:.1f} MB are allowed",
                            double(needed) / 1e6, p, double(training.options.memory) / 1e6),
                {.hint = "give lambda, or take fewer"});
  const std::vector<double> Y = rows.values(training.target);
  const NormalEquations equations(*rows.features, rows.weights, Y, Y.size() / rows.size(), bias,
                                  training.options.threads, watch.progress(0, 0.3));
  const std::vector<double> penalties = path_of_penalties(equations.mean_square());
  const auto points = equations.path(penalties, *rows.features, rows.weights, Y, watch.progress(0.3, 0.6));
  return best_of(penalties, points, generalised, fmt::format("the eigenvalues of ΦᵀΦ, {} features", p));
}

Choice choose_lambda(const Training& training, const Rows& rows, Watch& watch, bool bias, bool generalised) {
  if (training.over_features && !rows.features->held())
    return choose_over_features(training, rows, watch, bias, generalised);
  const KernelOperator<double> K = gram_of(training, rows);
  std::vector<double> diagonal(rows.size()), s(rows.size());
  K.diagonal(diagonal);
  const double scale = std::accumulate(diagonal.begin(), diagonal.end(), 0.0) / double(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) s[i] = std::sqrt(rows.weights[i]);
  const std::vector<double> Y = rows.values(training.target), penalties = path_of_penalties(scale);
  const RidgePath path(K, s, Y, Y.size() / rows.size(), bias,
                       {.smallest = penalties.front(),
                        .memory = training.options.memory,
                        .threads = training.options.threads,
                        .seed = training.options.seed,
                        .progress = watch.progress(0, 0.4)});
  Choice best = best_of(penalties, path.at(penalties, watch.progress(0.4, 0.6)), generalised, path.words());
  best.solution = path.solution(best.c, 0.5 * training.tolerance);
  return best;
}

}  // namespace

std::optional<HeldOut> Ridge::hold_out(const Validation& validation) const {
  return ridge_hold_out(*this, validation);
}

Fitted Ridge::fit(const Training& training) const {
  if (bias == Bias::free && valid_conditionally(training.kernel))
    return fit_centred(training, select != Select::none || tau2.value_or(lambda) > 0,
                       [&](const Training& centred) { return fit(centred); });
  Watch watch(training.options);
  const Rows rows(training);
  const double weight = std::accumulate(rows.weights.begin(), rows.weights.end(), 0.0);
  if (needs_trend(training.kernel)) {
    if (select != Select::none)
      throw Error(
          ErrorCode::unsupported,
          fmt::format("lambda is not selected for {}, which has a linear trend", training.kernel.text()),
          {.owner = "ridge", .hint = "give lambda or tau2"});
    return fit_with_trend(training, rows, watch, tau2 ? *tau2 : lambda * weight);
  }
  if (select == Select::none)
    return fit_least_squares(training, rows, watch, tau2 ? *tau2 : lambda * weight, bias == Bias::free);
  if (rows.size() < 2)
    throw Error(ErrorCode::invalid_data, "a choice of lambda leaves rows out, but there is one row only",
                {.hint = "give lambda"});
  const Choice choice = choose_lambda(training, rows, watch, bias == Bias::free, select == Select::gcv);
  Fitted fitted = fit_least_squares(training, rows, watch, choice.c, bias == Bias::free, choice.solution);
  FitReport& report = fitted.report;
  report.degrees_of_freedom = choice.point.degrees_of_freedom;
  report.add("lambda", "selected lambda", choice.c / weight);
  report.add("tau2", "selected tau2", choice.c);
  report.add("leave_one_out_rmse", "leave-one-out RMSE", std::sqrt(choice.point.leave_one_out), "target");
  report.add("gcv_rmse", "generalised cross-validation RMSE", std::sqrt(choice.point.generalised), "target");
  if (choice.at_edge)
    report.warnings.emplace_back(
        "the selected lambda is at the edge of the path: a better one may lie beyond; set lambda or tau2");
  report.solver += (report.solver.empty() ? "" : "; ") + ("regularization path from " + choice.words);
  return fitted;
}

}  // namespace mercer

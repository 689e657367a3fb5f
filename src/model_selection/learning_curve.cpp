#include "mercer/learning_curve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/random.hpp"
#include "mercer/error.hpp"
#include "mercer/folds.hpp"
#include "model_selection/measures.hpp"
#include "model_selection/present_classes.hpp"

namespace mercer {

namespace {

constexpr std::size_t standard_sizes = 8;

// The rows in an order of which any beginning has each class's share: a class's rows, shuffled, lie evenly
// between 0 and 1, and one of each class comes first.
std::vector<std::size_t> growing_order(const Target& target, std::vector<std::size_t> rows, Random& random) {
  for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random.below(i)]);
  const auto code = [&](std::size_t row) {
    return target.task == Task::classification ? target.codes[row] : 0;
  };
  std::map<std::int32_t, double> counts, seen;
  for (const std::size_t row : rows) counts[code(row)] += 1;
  std::vector<std::pair<double, std::size_t>> places;
  for (const std::size_t row : rows) {
    const double rank = seen[code(row)]++;
    places.emplace_back(rank == 0 ? -1 : (rank + 0.5) / counts[code(row)], row);
  }
  std::ranges::stable_sort(places, {}, &std::pair<double, std::size_t>::first);
  std::vector<std::size_t> order;
  for (const auto& [place, row] : places) order.push_back(row);
  return order;
}

std::vector<std::size_t> sizes_up_to(std::size_t most, std::size_t classes) {
  const double first = std::min(double(most), std::max({10.0, 2 * double(classes), double(most) / 32}));
  std::vector<std::size_t> sizes;
  for (std::size_t i = 0; i < standard_sizes; ++i) {
    const auto size = std::size_t(
        std::lround(first * std::pow(double(most) / first, double(i) / double(standard_sizes - 1))));
    if (sizes.empty() || size > sizes.back()) sizes.push_back(size);
  }
  return sizes;
}

struct CurveSplit {
  std::vector<std::size_t> learned, left_out;  // learned: in the order of growing
};

std::vector<CurveSplit> parts_of(const Dataset& data, const LearningCurveOptions& options) {
  if (options.folds < 2)
    throw Error(ErrorCode::unsupported, fmt::format("{} folds leave no rows to learn from", options.folds),
                {.hint = "give at least 2"});
  if (data.target.task == Task::none)
    throw Error(ErrorCode::missing_target, "the data have no target", {.hints = {{Remedy::name_target}}});
  if (data.rows() < options.folds)
    throw Error(ErrorCode::invalid_data, fmt::format("{} folds need as many rows", options.folds),
                {.hint = fmt::format("there are {}", data.rows())});
  const std::vector<std::size_t> fold = random_folds(data.target, options.folds, options.fit.seed);
  Random random(options.fit.seed);
  std::vector<CurveSplit> parts(options.folds);
  for (std::size_t f = 0; f < options.folds; ++f) {
    for (std::size_t i = 0; i < data.rows(); ++i)
      (fold[i] == f ? parts[f].left_out : parts[f].learned).push_back(i);
    parts[f].learned = growing_order(data.target, std::move(parts[f].learned), random);
  }
  return parts;
}

}  // namespace

LearningCurve learning_curve(const AnyMethod& method, const Kernel& kernel, const Dataset& data,
                             const LearningCurveOptions& options) {
  const std::vector<CurveSplit> parts = parts_of(data, options);
  const Metric metric = metric_or_default(options.metric, data.target);
  std::size_t most = data.rows();
  for (const CurveSplit& part : parts) most = std::min(most, part.learned.size());
  LearningCurve curve;
  curve.metric = metric.name;
  curve.sizes = options.sizes;
  if (curve.sizes.empty()) curve.sizes = sizes_up_to(most, data.target.labels.size());
  std::ranges::sort(curve.sizes);
  if (curve.sizes.front() == 0 || curve.sizes.back() > most)
    throw Error(ErrorCode::invalid_data, fmt::format("a fold can learn from 1 to {} rows, not from {}", most,
                                                     curve.sizes.front() == 0 ? 0 : curve.sizes.back()));
  FitOptions fits = options.fit;
  fits.probabilities = fits.probabilities || metric.needs_probabilities;
  double done = 0;
  const double total = double(curve.sizes.size() * parts.size());
  for (const std::size_t size : curve.sizes) {
    std::vector<double> seen, unseen;
    for (const CurveSplit& part : parts) {
      fits.progress = options.fit.progress.part(done / total, (done + 1) / total);
      const Dataset learned = data.select_rows(std::span(part.learned).first(size));
      const PresentModel model(method, kernel, learned, fits, options.scaling);
      const auto score = [&](const Dataset& rows) {
        return measure(metric, rows.target, model.predict(rows.points, fits.threads));
      };
      seen.push_back(score(learned));
      unseen.push_back(score(data.select_rows(part.left_out)));
      done += 1;
    }
    const MeanScore training = mean_over_folds(seen), validation = mean_over_folds(unseen);
    curve.training.push_back(training.mean), curve.training_error.push_back(training.error);
    curve.validation.push_back(validation.mean), curve.validation_error.push_back(validation.error);
  }
  return curve;
}

}  // namespace mercer

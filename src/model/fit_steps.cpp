#include "model/fit_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/blas.hpp"
#include "base/lapack.hpp"
#include "kernels/node.hpp"
#include "mercer/folds.hpp"
#include "mercer/kernel_operator.hpp"
#include "methods/calibration.hpp"
#include "methods/class_factors.hpp"
#include "model/prediction.hpp"
#include "operators/row_features.hpp"

namespace mercer {

std::vector<double> row_weights(const Dataset& data, const FitOptions& options) {
  std::vector<double> weights = data.weights;
  for (std::size_t i = 0; i < weights.size(); ++i)
    if (!(weights[i] >= 0) || std::isinf(weights[i]))
      throw Error(ErrorCode::invalid_data, fmt::format("the weight of row {} is {:g}", i + 1, weights[i]),
                  {.hint = "weights are numbers ≥ 0"});
  if (options.class_weights.empty() && !options.balanced) return weights;
  const std::vector<double> factors = class_factors(data.target, options);
  if (weights.empty()) weights.assign(data.rows(), 1.0);
  for (std::size_t i = 0; i < weights.size(); ++i) weights[i] *= factors[data.target.codes[i]];
  return weights;
}

bool given_matrix_is_psd(const Kernel& kernel, const Points& points, int threads) {
  const std::size_t n = points.rows();
  if (!kernel.precomputed() || n == 0) return false;
  std::vector<double> K(n * n);
  KernelOperator<double>(kernel, points, points, {.threads = threads}).matrix(K);
  double largest = 0, norm = 0;  // max |k|, and the largest sum over a row
  bool narrow = true;            // all are float32 numbers
  for (std::size_t i = 0; i < n; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double k = K[i * n + j];
      sum += std::abs(k);
      largest = std::max(largest, std::abs(k));
      narrow = narrow && double(float(k)) == k;
    }
    norm = std::max(norm, sum);
  }
  if (!std::isfinite(norm)) return false;
  const double single = narrow ? 6e-8 * largest : 0;  // by how much an entry may be off
  const double rounding = 10 * double(n) * 1.1e-16 * norm + double(n) * single;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(K[i * n + j] - K[j * n + i]) > 1e-12 * largest + 2 * single) return false;
  // K + εI has a Cholesky factor if and only if no eigenvalue of K is at or below −ε.
  for (std::size_t i = 0; i < n; ++i) K[i * n + i] += rounding > 0 ? rounding : 1;
  const SingleThreadedBlas one_thread;
  return lapack::potrf(K.data(), n, n);
}

namespace {

struct ColumnRange {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  std::size_t count = 0;

  void add(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
    ++count;
  }
  double width() const { return count > 0 ? high - low : 0; }
  double magnitude() const { return std::max(std::abs(low), std::abs(high)); }
};

std::vector<ColumnRange> ranges_of(const Points& points) {
  std::vector<ColumnRange> ranges(points.cols());
  std::visit(
      [&](const auto& storage) {
        if constexpr (requires { storage.starts; }) {
          for (std::size_t e = 0; e < storage.starts[points.rows()]; ++e)
            ranges[std::size_t(storage.indices[e])].add(double(storage.values[e]));
          for (ColumnRange& range : ranges)
            if (range.count < points.rows()) range.add(0);
        } else {
          std::vector<double> low(points.cols(), ColumnRange().low), high(points.cols(), ColumnRange().high);
          for (std::size_t i = 0; i < points.rows(); ++i) {
            const auto* row = storage.row(i);
            for (std::size_t j = 0; j < low.size(); ++j) {  // a loop for vector instructions
              low[j] = std::min(low[j], double(row[j]));
              high[j] = std::max(high[j], double(row[j]));
            }
          }
          for (std::size_t j = 0; j < low.size(); ++j) ranges[j] = {low[j], high[j], points.rows()};
        }
      },
      points.storage());
  return ranges;
}

}  // namespace

std::optional<Note> scaling_advice(const Points& points, bool in_trouble) {
  const double factor = in_trouble ? 10 : 100;
  double least = std::numeric_limits<double>::infinity(), most = 0;
  bool far = false;
  for (const ColumnRange& range : ranges_of(points)) {
    if (!(range.width() > 0)) continue;  // a constant column tells nothing, whatever its size
    least = std::min(least, range.width());
    most = std::max(most, range.width());
    far = far || range.magnitude() > 100 * range.width();
  }
  if (most >= factor * least)
    return Note{fmt::format("the ranges of the columns differ by a factor of {:.2g}, and the kernel sees "
                            "little but the widest",
                            most / least),
                {{Remedy::scale_columns}}};
  if (in_trouble && far)
    return Note{"a column lies far from 0 for its range, which costs digits", {{Remedy::scale_columns}}};
  return std::nullopt;
}

namespace {

constexpr std::size_t most_folds = 5;

std::vector<std::size_t> class_sizes(const Target& target) {
  std::vector<std::size_t> counts(target.labels.size(), 0);
  for (const std::int32_t code : target.codes) ++counts[std::size_t(code)];
  return counts;
}

// Of the classes with rows to leave out.
std::size_t smallest_class(const Target& target) {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const std::size_t count : class_sizes(target))
    if (count > 1) least = std::min(least, count);
  if (least > target.codes.size())
    throw Error(ErrorCode::invalid_data, "each class has a single row",
                {.hint = "probabilities need a class of two or more"});
  return least;
}

std::vector<std::size_t> folds_of(const Training& all) {
  const std::size_t n = all.points.rows();
  if (!all.options.folds.empty()) {
    if (all.options.folds.size() != n)
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("folds are given for {} rows, but there are {}", all.options.folds.size(), n));
    return all.options.folds;
  }
  if (all.target.task == Task::regression && n < 2)
    throw Error(ErrorCode::invalid_data, "there is a single row",
                {.hint = "the scale of the noise needs two or more"});
  const std::size_t parts = all.target.task == Task::classification ? smallest_class(all.target) : n;
  return random_folds(all.target, std::min(most_folds, parts), all.options.seed);
}

// The one row of a class is never left out, since without it there is no model of the class. A machine that
// has not seen the class would take the row for one of the other class, in each pair, which LIBSVM counts as
// a score of 1 for that class.
void score_lone_row(const Target& target, std::size_t row, std::size_t width, std::span<double> scores) {
  const std::size_t k = target.labels.size(), own = std::size_t(target.codes[row]);
  const double sign = score_sign(k, width);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = i + 1; j < k; ++j, ++pair)
      if (own == i || own == j) scores[row * width + pair] = own == i ? -sign : sign;
}

// Scores of all rows, each from a model that has not seen it: rows × rho.
std::vector<double> unseen_scores(const Model& model, const Training& all) {
  const std::size_t n = all.points.rows(), width = model.fitted.rho.size();
  std::vector<std::size_t> fold = folds_of(all);
  const std::size_t folds = *std::ranges::max_element(fold) + 1;
  std::vector<std::size_t> alone;
  if (all.target.task == Task::classification) {
    const std::vector<std::size_t> sizes = class_sizes(all.target);
    for (std::size_t i = 0; i < n; ++i)
      if (sizes[std::size_t(all.target.codes[i])] == 1) {
        alone.push_back(i);
        fold[i] = folds;
      }
  }
  std::vector<double> scores(n * width);
  for (std::size_t f = 0; f < folds; ++f) {
    std::vector<std::size_t> seen, unseen;
    for (std::size_t i = 0; i < n; ++i) (fold[i] == f ? unseen : seen).push_back(i);
    if (unseen.empty()) continue;  // of folds that are given
    const Points points = all.points.select_rows(seen);
    const Target target = all.target.select_rows(seen);
    std::vector<double> weights;
    if (!all.weights.empty())
      for (const std::size_t i : seen) weights.push_back(all.weights[i]);
    Model part = model;
    part.scaling = {};
    if (!all.over_features) part.map.reset();  // the rows are features already
    part.columns = all.points.cols();
    FitOptions options = all.options;
    const std::string what = fmt::format("calibration, fold {} of {}", f + 1, folds);
    if (all.options.progress)
      options.progress = [&](std::string_view, double done) {
        return all.options.progress(what, (double(f) + done) / double(folds));
      };
    const auto features = all.features ? std::make_shared<RowFeatures>(all.features->select(seen)) : nullptr;
    part.fitted = model.method->fit({points, target, std::move(weights), all.kernel, options, all.tolerance,
                                     nullptr, features, all.over_features});
    const Predictions p = part.predict(all.points.select_rows(unseen), all.options.threads);
    for (std::size_t u = 0; u < unseen.size(); ++u)
      std::copy_n(p.scores.data() + u * width, width, scores.data() + unseen[u] * width);
  }
  for (const std::size_t row : alone) score_lone_row(all.target, row, width, scores);
  return scores;
}

void calibrate_pairs(Model& model, const Training& training) {
  const std::vector<double> scores = unseen_scores(model, training);
  const std::size_t k = model.labels.size(), width = model.fitted.rho.size();
  const double sign = score_sign(k, width);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = i + 1; j < k; ++j, ++pair) {
      std::vector<double> own;
      std::vector<bool> first;
      for (std::size_t row = 0; row < training.points.rows(); ++row) {
        const auto code = std::size_t(training.target.codes[row]);
        if (code != i && code != j) continue;
        own.push_back(sign * scores[row * width + pair]);
        first.push_back(code == i);
      }
      const Sigmoid sigmoid = fit_sigmoid(own, first);
      model.fitted.slopes.push_back(sigmoid.slope);
      model.fitted.offsets.push_back(sigmoid.offset);
    }
}

void calibrate_noise(Model& model, const Training& training) {
  // A loss of numbers takes classes whose labels are numbers, so the target need not be real.
  const std::vector<double> targets = training.target.numbers();
  std::vector<double> residuals = unseen_scores(model, training);
  for (std::size_t i = 0; i < residuals.size(); ++i) residuals[i] = targets[i] - residuals[i];
  model.fitted.noise_scale = laplace_scale(residuals);
}

// On the rows learned from: a region has no rows that it should not have seen.
void calibrate_density(Model& model, const Training& training) {
  Model unscaled = model;
  unscaled.scaling = {};
  if (!training.over_features) unscaled.map.reset();
  unscaled.columns = training.points.cols();
  model.fitted.density_marks =
      density_marks(unscaled.predict(training.points, training.options.threads).scores);
  if (model.fitted.density_marks.empty())
    model.fitted.report.warnings.emplace_back(
        "fewer than five rows lie inside, or fewer than five outside: too few for probabilities");
}

}  // namespace

void calibrate(Model& model, const Training& training) {
  const auto refuse = [&](std::string_view why) {
    throw Error(ErrorCode::invalid_argument, fmt::format("{} {}", model.method->name(), why));
  };
  switch (model.fitted.rule) {
    case Rule::one_vs_one:
      return calibrate_pairs(model, training);
    case Rule::novelty:
      return calibrate_density(model, training);
    case Rule::one_vs_rest:
      if (!supervised(model.method->traits().task)) refuse("finds clusters, which have no probabilities");
      if (model.labels.size() == 2) return calibrate_pairs(model, training);
      throw Error(ErrorCode::invalid_argument, "probabilities are calibrated for pairs of classes",
                  {.hint = "set multiclass=ovo, or take a method that gives them"});
    case Rule::value:
      if (model.fitted.rho.size() == 1) return calibrate_noise(model, training);
      refuse("has several outputs here, and the scale of the noise is found for one");
      break;
    case Rule::softmax:
    case Rule::shares:
      return;  // the method gives them
    case Rule::rate:
      refuse("predicts the rate of counts, whose distribution it gives already");
      break;
    case Rule::projection:
      refuse("gives coordinates, which have no probabilities");
  }
}

}  // namespace mercer

// From what a method computes at new rows (the outputs of its expansion) to what it predicts: the rules of
// mercer/fit.hpp.
#include "model/prediction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/blas.hpp"
#include "base/parallel.hpp"
#include "data/density.hpp"
#include "mercer/error.hpp"
#include "mercer/geometry.hpp"
#include "mercer/model.hpp"
#include "methods/calibration.hpp"

namespace mercer {

namespace {

// From the sums of the classes' blocks to a score for each pair.
void pair_scores(const double* sums, const std::vector<double>& rho, std::size_t classes, double* scores) {
  std::size_t pair = 0;
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j, ++pair)
      scores[pair] = sums[i * (classes - 1) + j - 1] + sums[j * (classes - 1) + i] - rho[pair];
}

// Over a row's outputs − ρ.
struct Decision {
  std::size_t classes, width;

  std::int32_t most_votes(const double* scores, std::vector<std::int32_t>& votes) const {
    if (classes == 2) return *scores > 0 ? 0 : 1;
    votes.assign(classes, 0);
    for (std::size_t i = 0; i < classes; ++i)
      for (std::size_t j = i + 1; j < classes; ++j) ++votes[*scores++ > 0 ? i : j];
    return std::int32_t(std::ranges::max_element(votes) - votes.begin());
  }
  std::int32_t largest(const double* scores) const {
    if (width < classes) return *scores > 0 ? 0 : 1;
    return std::int32_t(std::max_element(scores, scores + width) - scores);
  }
  // exp(score) / Σ exp(score); one score is the logarithm of the odds of the first class.
  void softmax(const double* scores, double* probabilities) const {
    if (width < classes) {
      const double small = 1 / (1 + std::exp(std::abs(*scores)));
      probabilities[*scores > 0 ? 1 : 0] = small;
      probabilities[*scores > 0 ? 0 : 1] = 1 - small;
      return;
    }
    const double most = *std::max_element(scores, scores + width);
    double sum = 0;
    for (std::size_t c = 0; c < width; ++c) sum += probabilities[c] = std::exp(scores[c] - most);
    for (std::size_t c = 0; c < width; ++c) probabilities[c] /= sum;
  }
};

// `votes`: room for them.
void decide_row(const Decision& decision, Rule rule, std::size_t row, Predictions& out,
                std::vector<std::int32_t>& votes) {
  const double* scores = out.scores.data() + row * out.width;
  double* probabilities = out.probabilities.data() + row * decision.classes;
  double* values = out.values.data() + row * out.outputs;
  switch (rule) {
    case Rule::one_vs_one:
      out.codes[row] = decision.most_votes(scores, votes);
      break;
    case Rule::softmax:
      decision.softmax(scores, probabilities);
      [[fallthrough]];
    case Rule::one_vs_rest:
      out.codes[row] = decision.largest(scores);
      break;
    case Rule::shares:
      std::copy_n(scores, decision.width, probabilities);
      out.codes[row] = decision.largest(scores);
      break;
    case Rule::novelty:
      *values = *scores > 0 ? 1 : -1;
      break;
    case Rule::rate:
      for (std::size_t o = 0; o < out.outputs; ++o) values[o] = std::exp(scores[o]);
      break;
    case Rule::value:
    case Rule::projection:
      std::copy_n(scores, out.outputs, values);
      break;
  }
}

// n × 2, inside and outside.
std::vector<double> inside_probabilities(const Model& model, std::span<const double> scores) {
  std::vector<double> probabilities;
  for (const double score : scores) {
    const double inside = inside_probability(model.fitted.density_marks, score);
    probabilities.insert(probabilities.end(), {inside, 1 - inside});
  }
  return probabilities;
}

// n × classes, from Predictions::scores of pairs.
std::vector<double> class_probabilities(const Model& model, std::span<const double> scores) {
  const std::size_t k = model.labels.size(), width = model.fitted.rho.size();
  const double sign = score_sign(k, width);
  std::vector<double> probabilities, pairs(width);
  for (std::size_t row = 0; row * width < scores.size(); ++row) {
    for (std::size_t pair = 0; pair < width; ++pair)
      pairs[pair] =
          Sigmoid{model.fitted.slopes[pair], model.fitted.offsets[pair]}(sign * scores[row * width + pair]);
    if (k == 2) {
      probabilities.insert(probabilities.end(), {pairs[0], 1 - pairs[0]});
      continue;
    }
    const std::vector<double> p = couple(pairs, k);
    probabilities.insert(probabilities.end(), p.begin(), p.end());
  }
  return probabilities;
}

void take_calibrated_probabilities(const Model& model, Predictions& predictions) {
  if (!model.fitted.density_marks.empty())
    predictions.probabilities = inside_probabilities(model, predictions.scores);
  if (model.fitted.slopes.empty()) return;
  predictions.probabilities = class_probabilities(model, predictions.scores);
  const std::size_t k = model.labels.size();
  for (std::size_t i = 0; i < predictions.codes.size(); ++i) {
    const double* p = predictions.probabilities.data() + i * k;
    predictions.codes[i] = std::int32_t(std::max_element(p, p + k) - p);
  }
}

// What is printed, compared or averaged is a number; a row for which the model gives none is named.
void check_finite(std::span<const double> values, std::size_t width, std::string_view what) {
  const auto bad = std::ranges::find_if(values, [](double v) { return !std::isfinite(v); });
  if (bad == values.end()) return;
  throw Error(
      ErrorCode::not_finite,
      fmt::format(
          "the {} of row {} is {}: the numbers of that row, or of the model, are too large to compute with",
          what, std::size_t(bad - values.begin()) / width + 1,
          std::isnan(*bad) ? "not a number" : "infinite"),
      {.hint = "look for an outlier", .hints = {{Remedy::scale_columns}}});
}

void check_columns(const Model& model, const Points& points) {
  if (points.cols() != model.columns)
    throw Error(ErrorCode::invalid_data,
                fmt::format("the model has {} columns but the data have {}", model.columns, points.cols()));
}

// How many rows to take at once. Features of many rows, and sparse rows whose zeros a scaling fills in, would
// not fit the memory: they are made for some rows at a time.
std::size_t rows_at_once(const Model& model, const Points& points) {
  constexpr std::size_t with_features = 4096;
  const std::size_t n = std::max<std::size_t>(1, points.rows());
  const bool fills_in = points.sparse() && !model.scaling.shift().empty();
  const std::size_t filled_in =
      fills_in ? std::max<std::size_t>(1, most_numbers_filled_in / std::max<std::size_t>(1, points.cols()))
               : n;
  return std::min({n, filled_in, model.map ? with_features : n});
}

void evaluate_rows(const Model& model, const Points& points, std::span<double> out, int threads,
                   const Progress& progress) {
  const std::size_t n = points.rows(), width = model.fitted.expansion.outputs(),
                    most = rows_at_once(model, points);
  const auto evaluate = [&](const Points& some, std::span<double> sums, const Progress& told) {
    const Points scaled = model.scaling.apply(some);
    model.method->evaluate(model.fitted, model.map ? model.map->apply(scaled, threads) : scaled, sums,
                           threads, told);
  };
  if (most >= n) return evaluate(points, out, progress);
  for (std::size_t begin = 0; begin < n; begin += most) {
    const std::size_t count = std::min(most, n - begin);
    std::vector<std::size_t> chosen(count);
    std::iota(chosen.begin(), chosen.end(), begin);
    const Progress part = progress.part(double(begin) / double(n), double(begin + count) / double(n));
    evaluate(points.select_rows(chosen), out.subspan(begin * width, count * width), part);
  }
}

}  // namespace

Predictions decide(Rule rule, std::size_t classes, std::size_t width, std::vector<double> outputs) {
  const std::size_t n = width == 0 ? 0 : outputs.size() / width;
  Predictions predictions;
  predictions.width = width;
  predictions.pairs = rule == Rule::one_vs_one;
  predictions.scores = std::move(outputs);
  if (classes > 0) {
    predictions.codes.resize(n);
  } else {
    predictions.outputs = width;
    predictions.values.resize(n * width);
  }
  if (rule == Rule::softmax || rule == Rule::shares) predictions.probabilities.resize(n * classes);
  const Decision decision{classes, width};
  std::vector<std::int32_t> votes;
  for (std::size_t i = 0; i < n; ++i) decide_row(decision, rule, i, predictions, votes);
  if (score_sign(classes, width) < 0)
    for (double& score : predictions.scores) score = 0 - score;  // never −0
  return predictions;
}

Predictions Model::predict(const Points& points, int threads, const Progress& progress) const {
  check_columns(*this, points);
  const std::size_t n = points.rows(), outputs = fitted.expansion.outputs(), width = fitted.rho.size();
  std::vector<double> sums(n * outputs), scores(n * width);
  evaluate_rows(*this, points, sums, threads, progress);
  for (std::size_t i = 0; i < n; ++i) {
    const double* from = sums.data() + i * outputs;
    double* to = scores.data() + i * width;
    if (fitted.rule == Rule::one_vs_one)
      pair_scores(from, fitted.rho, labels.size(), to);
    else
      for (std::size_t c = 0; c < width; ++c) to[c] = from[c] - fitted.rho[c];
  }
  check_finite(scores, width, "score");
  Predictions predictions = decide(fitted.rule, labels.size(), width, std::move(scores));
  take_calibrated_probabilities(*this, predictions);
  check_finite(predictions.values, predictions.outputs, "prediction");
  return predictions;
}

// k(x, x) − kᵀPk, a block of rows at a time: P is as large as a block of K is long. With P = L⁻ᵀL⁻¹ that is
// k(x, x) − ‖L⁻¹k‖².
std::vector<double> Model::variances(const Points& points, int threads, const Progress& progress) const {
  check_columns(*this, points);
  const Expansion& e = fitted.expansion;
  const std::size_t n = points.rows(), m = e.points.rows();
  // One matrix for all outputs, or one for each and what the method says of their scales.
  const std::vector<double> scales = method->prior_scales(fitted);
  const std::size_t outputs = scales.size();
  const bool factored = fitted.precision.empty() && fitted.factor.size() == m * m;
  if ((fitted.precision.size() != outputs * m * m && !factored) || m == 0 || fitted.rule != Rule::value)
    throw Error(ErrorCode::unsupported, fmt::format("a model of {} has no variances", method->name()),
                {.hint = "gp has"});
  const Points rows_as_given = scaling.apply(points),
               scaled = map ? map->apply(rows_as_given, threads) : rows_as_given;
  const std::vector<double> self = self_similarities(e.kernel, scaled, e.points);
  std::vector<double> variances(n * outputs);
  constexpr std::size_t rows_at_once = 512;
  const KernelOperator<double> K(e.kernel, scaled, e.points, {.threads = 1});
  parallel_for((n + rows_at_once - 1) / rows_at_once, threads, progress, "variances", [&](std::size_t block) {
    const SingleThreadedBlas one_thread;
    const Range rows{block * rows_at_once, std::min(n, (block + 1) * rows_at_once)};
    std::vector<double> k(rows.size() * m), product(rows.size() * m);
    K.tile(rows, {0, m}, k);
    if (factored) {
      trsm(CblasRight, CblasLower, CblasTrans, CblasNonUnit, rows.size(), m, 1, fitted.factor.data(), m,
           k.data(), m);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        const double explained = blas().ddot(blasint(m), k.data() + i * m, 1, k.data() + i * m, 1);
        for (std::size_t o = 0; o < outputs; ++o)
          variances[(rows.begin + i) * outputs + o] =
              std::max(0.0, scales[o] * self[rows.begin + i] - explained);
      }
      return;
    }
    for (std::size_t o = 0; o < outputs; ++o) {
      symm(CblasRight, CblasLower, rows.size(), m, 1, fitted.precision.data() + o * m * m, m, k.data(), m, 0,
           product.data(), m);
      for (std::size_t i = 0; i < rows.size(); ++i)
        variances[(rows.begin + i) * outputs + o] =
            std::max(0.0, scales[o] * self[rows.begin + i] -
                              blas().ddot(blasint(m), k.data() + i * m, 1, product.data() + i * m, 1));
    }
  });
  if (map && n > 0) {  // what the features leave out of k(x, x) is not known of the function either; the
                       // kernel over them may have a factor
    std::vector<std::vector<double>> unit(1, std::vector<double>(map->features(), 0.0));
    unit[0][0] = 1;
    const double factor = self_similarities(e.kernel, Points(unit), e.points)[0];
    const std::vector<double> left_out = map->left_out(rows_as_given, threads);
    for (std::size_t i = 0; i < n * outputs; ++i)
      variances[i] += scales[i % outputs] * factor * left_out[i / outputs];
  }
  check_finite(variances, 1, "variance");
  return variances;
}

}  // namespace mercer

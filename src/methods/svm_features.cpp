// What SvmTrainer does where features were planned: problems over w = Φᵀβ, and models that keep w, or, of
// features of landmarks, an expansion over these.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "mercer/disk_arrays.hpp"
#include "methods/svm_trainer.hpp"
#include "solvers/feature_box.hpp"
#include "solvers/linear_rows.hpp"

namespace mercer {

namespace {

// w = Φᵀβ, of the rows with a coefficient.
void sum_features(const RowFeatures& features, std::span<const double> beta, std::span<double> w) {
  if (!features.held()) return features.multiply_transposed(beta, 1, w);
  std::ranges::fill(w, 0.0);
  const Points table = features.table();
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.rows; ++i)
          if (beta[i] != 0) add(rows, i, beta[i], w.data());
      },
      table.storage());
}

}  // namespace

// Of features that are not held, products find out.
void SvmTrainer::check_features() {
  report_.plan = {FitPlan::Way::primal, features_->features()};
  if (!features_->held()) return;
  const Points table = training_.features->table();
  std::visit(
      [&](const auto& rows) {
        for (std::size_t i = 0; i < rows.rows; ++i)
          if (!(squared_norm(rows, i) < std::numeric_limits<double>::max() / 8))
            throw Error(ErrorCode::not_finite,
                        fmt::format("row {}: the squared norm of its features overflows", i + 1),
                        {.row = i + 1, .hint = "scale them"});
      },
      table.storage());
}

// Of the points that the problem has, which for a pair of classes are some of them. Those on disk stay there,
// and so all are passed over.
SmoResult SvmTrainer::solve_over_weights(const BoxQp& problem, const Progress& progress, double tolerance) {
  const FeatureBoxOptions options{.tolerance = tolerance,
                                  .threads = training_.options.threads,
                                  .seed = training_.options.seed,
                                  .progress = progress};
  std::vector<bool> met(features_->rows(), false);
  for (const std::int32_t point : problem.points) met[std::size_t(point)] = true;
  const bool all = on_disk(points_) || std::ranges::find(met, false) == met.end();
  SmoResult result;
  if (all) {
    result = solve_over_features(problem, *features_, options);
  } else {
    const CompactQp own(problem);
    result = solve_over_features(own.problem, features_->select(own.points), options);
    result.f = own.spread(result.f, features_->rows());
  }
  evaluations_ += result.evaluations;
  return result;
}

namespace {

// Functions of the weights W, one after the other, as an expansion over landmarks. Of pairs of `blocks`
// classes each block but the last has all landmarks, with the coefficients of its functions.
void expand_over(const LandmarkForm& form, std::span<double> W, std::size_t blocks, Fitted& fitted) {
  Expansion& e = fitted.expansion;
  const std::size_t m = form.count(), filled = blocks > 0 ? blocks - 1 : 1;
  std::vector<double> coefficients(filled * m * e.width, 0.0);
  std::vector<std::size_t> rows;
  for (std::size_t b = 0, at = 0; b < filled; ++b) {
    for (std::size_t column = blocks > 0 ? b : 0; column < e.width; ++column, ++at) {
      const std::span<double> own = W.subspan(at * m, m);
      form.to_coefficients(own, 1);
      for (std::size_t j = 0; j < m; ++j) coefficients[(b * m + j) * e.width + column] = own[j];
    }
    for (std::size_t j = 0; j < m; ++j) rows.push_back(j);
  }
  e.kernel = form.kernel;
  e.points = form.landmarks.select_rows(rows);
  e.blocks.assign(std::max<std::size_t>(1, blocks), 0);
  std::fill_n(e.blocks.begin(), filled, m);
  fitted.support.coefficients = std::exchange(e.coefficients, std::move(coefficients));
}

}  // namespace

// Of a model over features: a point for each function, its weights. Pair i < j has its point in block i.
void SvmTrainer::keep_feature_weights(std::span<const double> coefficients, Fitted& fitted) const {
  const bool pairs = rule_ == Rule::one_vs_one;
  const std::size_t p = features_->features(), blocks = pairs ? begins_.size() - 1 : 1;
  std::vector<double> W, units, own(features_->rows());
  std::vector<std::size_t> counts(blocks, 0);
  for (std::size_t i = 0; i < blocks; ++i)
    for (std::size_t column = pairs ? i : 0; column < width_; ++column, ++counts[i]) {
      std::ranges::fill(own, 0.0);
      const auto take = [&](Range range, std::size_t c) {
        for (std::size_t r = range.begin; r < range.end; ++r)
          own[std::size_t(point_of_[r])] += coefficients[r * width_ + c];
      };
      take(pairs ? part(i) : Range{0, size()}, column);
      if (pairs) take(part(column + 1), i);
      W.resize(W.size() + p);
      sum_features(*features_, own, std::span(W).last(p));
      units.resize(units.size() + width_, 0);
      units[units.size() - width_ + column] = 1;
    }
  if (const LandmarkForm* form = features_->landmarks())
    return expand_over(*form, W, pairs ? blocks : 0, fitted);
  Dense<double> weights{W.size() / std::max<std::size_t>(p, 1), p, Buffer<double>(W.size())};
  std::ranges::copy(W, weights.values.begin());
  Expansion& e = fitted.expansion;
  e.kernel = Kernel::parse("linear");
  e.points = Points(std::move(weights));
  e.blocks = std::move(counts);
  fitted.support.coefficients = std::exchange(e.coefficients, std::move(units));
}

}  // namespace mercer

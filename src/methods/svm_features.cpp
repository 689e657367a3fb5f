// What SvmTrainer does where features were planned: problems over w = Φᵀβ, and models that keep w.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

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

// Of the points that the problem has, which for a pair of classes are some of them.
SmoResult SvmTrainer::solve_over_weights(const BoxQp& problem, const Progress& progress,
                                         double tolerance) const {
  const FeatureBoxOptions options{.tolerance = tolerance,
                                  .threads = training_.options.threads,
                                  .seed = training_.options.seed,
                                  .progress = progress};
  const CompactQp own(problem);
  if (own.points.size() == features_->rows()) return solve_over_features(problem, *features_, options);
  SmoResult result = solve_over_features(own.problem, features_->select(own.points), options);
  result.f = own.spread(result.f, features_->rows());
  return result;
}

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
  Dense<double> weights{W.size() / std::max<std::size_t>(p, 1), p, Buffer<double>(W.size())};
  std::ranges::copy(W, weights.values.begin());
  Expansion& e = fitted.expansion;
  e.kernel = Kernel::parse("linear");
  e.points = Points(std::move(weights));
  e.blocks = std::move(counts);
  fitted.support.coefficients = std::exchange(e.coefficients, std::move(units));
}

}  // namespace mercer

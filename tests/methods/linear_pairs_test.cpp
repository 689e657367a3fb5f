#include "methods/linear_pairs.hpp"

#include <gtest/gtest.h>

#include "operators/row_features.hpp"
#include "random_objects.hpp"

#include "base/random.hpp"
#include "mercer/methods.hpp"
#include "mercer/model.hpp"

namespace mercer {
namespace {

// Sparse rows whose class follows random weights, with some noise.
Dataset sparse_rows(std::size_t n, std::size_t cols, std::size_t per_row, std::size_t classes,
                    std::uint64_t seed) {
  Random random(seed);
  std::vector<double> weights(cols * classes);
  for (double& w : weights) w = random.normal();
  Sparse<double> s{n, cols, Buffer<std::size_t>(n + 1), Buffer<std::int32_t>(n * per_row),
                   Buffer<double>(n * per_row)};
  Dataset data;
  data.target.task = Task::classification;
  for (std::size_t c = 0; c < classes; ++c) data.target.labels.push_back(std::to_string(c));
  const std::size_t gap = cols / per_row;
  for (std::size_t i = 0; i < n; ++i) {
    s.starts[i] = i * per_row;
    std::vector<double> scores(classes, 0);
    for (std::size_t e = 0; e < per_row; ++e) {
      const std::size_t column = e * gap + random.below(gap);
      const double value = random.uniform(0.1, 1);
      s.indices[i * per_row + e] = std::int32_t(column);
      s.values[i * per_row + e] = value;
      for (std::size_t c = 0; c < classes; ++c) scores[c] += value * weights[c * cols + column];
    }
    for (double& score : scores) score += 0.3 * random.normal();
    data.target.codes.push_back(
        std::int32_t(std::max_element(scores.begin(), scores.end()) - scores.begin()));
  }
  s.starts[n] = n * per_row;
  data.points = Points(std::move(s));
  return data;
}

TEST(LinearPairs, AreTakenForManySparseWideRowsAlone) {
  const Kernel linear = Kernel::parse("linear"), rbf = Kernel::parse("rbf(gamma=1)");
  const FitOptions options;
  const Dataset wide = sparse_rows(1000, 600, 6, 2, 1), few = sparse_rows(100, 600, 6, 2, 1),
                narrow = sparse_rows(1000, 60, 6, 2, 1);
  EXPECT_TRUE(weight_features({wide.points, wide.target, {}, linear, options, 1e-3}));
  EXPECT_FALSE(weight_features({wide.points, wide.target, {}, rbf, options, 1e-3}));
  EXPECT_FALSE(weight_features({few.points, few.target, {}, linear, options, 1e-3}));
  EXPECT_FALSE(weight_features({narrow.points, narrow.target, {}, linear, options, 1e-3}));
  const Points dense = wide.points.to_dense();
  EXPECT_FALSE(weight_features({dense, wide.target, {}, linear, options, 1e-3}));
}

// 2k with C is the machine of k with 2C, its dual objective halved; and 2*linear goes through the Gram
// matrix. The weights of each pair are Σ βᵢxᵢ over the rows named, class by class.
void expect_weights_of(const Model& model, const Dataset& data) {
  const Support& support = model.fitted.support;
  const std::size_t width = model.fitted.expansion.width, classes = width + 1;
  ASSERT_EQ(support.coefficients.size(), support.rows.size() * width);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j, ++pair) {
      std::vector<double> weights(data.points.cols(), 0.0);
      for (std::size_t r = 0; r < support.rows.size(); ++r) {
        const std::size_t own = std::size_t(data.target.codes[support.rows[r]]);
        if (own != i && own != j) continue;
        const std::vector<double> row = data.points.row(support.rows[r]);
        const double beta = support.coefficients[r * width + (own == i ? j - 1 : i)];
        for (std::size_t k = 0; k < row.size(); ++k) weights[k] += beta * row[k];
      }
      const std::vector<double> kept = model.fitted.expansion.points.row(pair);
      for (std::size_t k = 0; k < kept.size(); ++k) EXPECT_NEAR(weights[k], kept[k], 1e-8);
    }
}

TEST(LinearPairs, AgreeWithTheKernelMachine) {
  for (const std::size_t classes : {2, 3}) {
    const Dataset data = sparse_rows(1000, 600, 6, classes, 7);
    const FitOptions options{.tolerance = 1e-5};
    const Model fast = fit(Svm{.C = 4}, Kernel::parse("linear"), data, options);
    const Model slow = fit(Svm{.C = 2}, Kernel::parse("2*linear"), data, options);
    EXPECT_EQ(fast.fitted.expansion.points.rows(), classes * (classes - 1) / 2);
    EXPECT_TRUE(fast.fitted.report.converged);
    expect_weights_of(fast, data);
    EXPECT_NEAR(fast.fitted.report.objective, 2 * slow.fitted.report.objective,
                1e-5 * std::abs(fast.fitted.report.objective));
    const Predictions a = fast.predict(data.points), b = slow.predict(data.points);
    for (std::size_t i = 0; i < a.scores.size(); ++i) EXPECT_NEAR(a.scores[i], b.scores[i], 1e-3);
  }
}

TEST(LinearPairs, KeepWeightsAndRefuseOneClass) {
  Dataset data = sparse_rows(1200, 600, 6, 2, 9);
  data.weights.assign(1200, 1);
  for (std::size_t i = 0; i < 200; ++i) data.weights[i] = 0;
  std::vector<std::size_t> rest;
  for (std::size_t i = 200; i < 1200; ++i) rest.push_back(i);
  Dataset without = data.select_rows(rest);
  without.weights.clear();
  const FitOptions options{.tolerance = 1e-6};
  const Model a = fit(Svm{}, Kernel::parse("linear"), data, options),
              b = fit(Svm{}, Kernel::parse("linear"), without, options);
  EXPECT_NEAR(a.fitted.report.objective, b.fitted.report.objective,
              1e-6 * std::abs(b.fitted.report.objective));
  const FitOptions hurried{.tolerance = 1e-9, .seconds = 1e-9};
  const Model cut = fit(Svm{.C = 1e6}, Kernel::parse("linear"), data, hurried);
  EXPECT_TRUE(cut.fitted.report.cut_short);
  EXPECT_FALSE(cut.fitted.report.converged);
}

// The features of objects are such rows; the expansion is over the objects, and its scores are those of the
// kernel trainer.
TEST(LinearPairs, OfObjectsAgreeWithTheKernelMachine) {
  for (const std::size_t classes : {2, 3}) {
    Dataset data;
    data.points = Points(random_objects(Domain::sequence, 120, 5));
    data.target = {.task = Task::classification, .labels = {}};
    for (std::size_t c = 0; c < classes; ++c) data.target.labels.push_back(std::to_string(c));
    Random random(3);
    for (std::size_t i = 0; i < 120; ++i)
      data.target.codes.push_back(std::int32_t(i < classes ? i : random.below(classes)));
    const Kernel k = Kernel::parse("normalize(spectrum(k=2))");
    const FitOptions options{.tolerance = 1e-6};
    const Training training{data.points, data.target, {}, k, options, 1e-6};
    EXPECT_FALSE(weight_features(training));  // few
    const auto image = RowFeatures::of(k, data.points, 1);
    ASSERT_TRUE(image);
    const Fitted fast = fit_linear_pairs(training, *image, [](std::size_t) { return 2.0; });
    const Model slow = fit(Svm{.C = 2}, k, data, options);
    EXPECT_NEAR(fast.report.objective, slow.fitted.report.objective,
                1e-5 * std::abs(slow.fitted.report.objective));
    Model model = slow;
    model.fitted = fast;
    const auto ours = model.predict(data.points).scores, theirs = slow.predict(data.points).scores;
    ASSERT_EQ(ours.size(), theirs.size());
    for (std::size_t e = 0; e < ours.size(); ++e) EXPECT_NEAR(ours[e], theirs[e], 2e-3);
  }
}

}  // namespace
}  // namespace mercer

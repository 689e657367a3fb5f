#include "mercer/kernels/precomputed.hpp"
#include "mercer/methods/knn.hpp"

#include <limits>

#include "methods/problems.hpp"

namespace mercer {
namespace {

using Weighting = Knn::Weighting;

Knn nearest(int k, Weighting weighting = Weighting::uniform) {
  return {.neighbours = k, .weighting = weighting};
}

// The mean of the targets of the k nearest by a kernel's distance: all distances are computed and sorted.
std::vector<double> mean_of_nearest(const Points& train, const std::vector<double>& y, std::size_t width,
                                    const std::vector<double>& x, std::size_t k, bool by_distance,
                                    const testing::KernelFunction& kernel, std::size_t left_out = SIZE_MAX) {
  std::vector<std::pair<double, std::size_t>> all;
  for (std::size_t i = 0; i < train.rows(); ++i) {
    const auto z = train.row(i);
    if (i != left_out) all.emplace_back(kernel(x, x) - 2 * kernel(x, z) + kernel(z, z), i);
  }
  std::ranges::sort(all);
  all.resize(std::min(k, all.size()));
  std::vector<double> mean(width, 0);
  double total = 0;
  for (const auto& [d2, i] : all) {
    const double weight = by_distance ? 1 / std::sqrt(d2) : 1;
    total += weight;
    for (std::size_t c = 0; c < width; ++c) mean[c] += weight * y[i * width + c];
  }
  for (double& value : mean) value /= total;
  return mean;
}

std::vector<double> one_hot(const Target& target) {
  std::vector<double> y(target.codes.size() * target.labels.size(), 0);
  for (std::size_t i = 0; i < target.codes.size(); ++i)
    y[i * target.labels.size() + std::size_t(target.codes[i])] = 1;
  return y;
}

TEST(Knn, IsTheMeanOrTheMajorityOfTheNearest) {
  const Points at = testing::blobs(13, 2, 9, 2, 2).points;
  for (const auto& kernel : testing::plain_kernels)
    for (const int k : {1, 4, 500})
      for (const auto weighting : {Weighting::uniform, Weighting::distance})
        for (const bool classes : {false, true}) {
          SCOPED_TRACE(kernel.expression + " " + std::to_string(k) + " " + testing::word(weighting));
          const Dataset data = classes ? testing::blobs(41, 3, 2, 1, 2) : testing::wave(41, 2);
          const std::vector<double> y = classes ? one_hot(data.target) : data.target.values;
          const std::size_t width = classes ? 3 : 1;
          const Predictions p =
              fit(nearest(k, weighting), Kernel::parse(kernel.expression), data).predict(at);
          for (std::size_t i = 0; i < at.rows(); ++i) {
            const auto mean = mean_of_nearest(data.points, y, width, at.row(i), std::size_t(k),
                                              weighting == Weighting::distance, kernel.value);
            for (std::size_t c = 0; c < width; ++c) ASSERT_NEAR(p.scores[i * width + c], mean[c], 1e-9);
            if (classes) {
              EXPECT_EQ(p.codes[i], std::max_element(mean.begin(), mean.end()) - mean.begin());
              EXPECT_NEAR(p.probabilities[i * 3 + 1], mean[1], 1e-9);
            }
          }
        }
}

TEST(Knn, SaysHowWellEachRowIsPredictedFromTheOthers) {
  const auto kernel = testing::plain_kernels[2];
  const Dataset data = testing::wave(60, 4), classes = testing::blobs(60, 3, 4, 2);
  double squares = 0, right = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    const double error =
        data.target.values[i] -
        mean_of_nearest(data.points, data.target.values, 1, data.points.row(i), 3, false, kernel.value, i)[0];
    squares += error * error / 60;
    const auto shares = mean_of_nearest(classes.points, one_hot(classes.target), 3, classes.points.row(i), 3,
                                        false, kernel.value, i);
    right +=
        double(std::max_element(shares.begin(), shares.end()) - shares.begin() == classes.target.codes[i]) /
        60;
  }
  const Diagnostic rmse =
      fit(nearest(3), Kernel::parse(kernel.expression), data).fitted.report.diagnostics.at(0);
  EXPECT_EQ(rmse.id, "leave_one_out_rmse");
  EXPECT_NEAR(rmse.values[0], std::sqrt(squares), 1e-9);
  const Diagnostic accuracy =
      fit(nearest(3), Kernel::parse(kernel.expression), classes).fitted.report.diagnostics.at(0);
  EXPECT_EQ(accuracy.id, "leave_one_out_accuracy");
  EXPECT_NEAR(accuracy.values[0], right, 1e-12);
}

TEST(Knn, TakesTheFirstOfEquallyNearRows) {
  Dataset data;
  data.points = Points(testing::Table{{1.0}, {-1.0}, {1.0}, {-1.0}, {5.0}});
  data.target = {Task::regression, "", {}, {}, {1, 2, 4, 8, 16}};
  const Points at(testing::Table{{0.0}});
  EXPECT_EQ(fit(nearest(1), Kernel::parse("linear"), data).predict(at).values[0], 1);
  EXPECT_EQ(fit(nearest(2), Kernel::parse("linear"), data).predict(at).values[0], 1.5);
  EXPECT_EQ(fit(nearest(3), Kernel::parse("rbf(gamma=1)"), data).predict(at).values[0], 7.0 / 3);
}

TEST(Knn, AtARowOnlyTheRowsThereCountByDistance) {
  Dataset data;
  data.points = Points(testing::Table{{0.1, 3.3}, {0.1, 3.3}, {0.1, 3.4}, {2.0, 1.0}});
  data.target = {Task::regression, "", {}, {}, {1, 2, 100, 1000}};
  for (const char* kernel : {"linear", "poly(degree=3)", "rbf(gamma=1)"})
    EXPECT_EQ(fit(nearest(3, Weighting::distance), Kernel::parse(kernel), data)
                  .predict(Points(testing::Table{{0.1, 3.3}}))
                  .values[0],
              1.5)
        << kernel;
}

TEST(Knn, TakesARowTwiceForARowOfWeightTwo) {
  Dataset weighted = testing::blobs(50, 3, 6, 2);
  weighted.weights.assign(50, 1.0);
  std::vector<std::size_t> rows(50);
  for (std::size_t i = 0; i < 50; ++i) rows[i] = i;
  for (const std::size_t i : {3u, 7u, 20u, 21u, 35u}) weighted.weights[i] = 2, rows.push_back(i);
  Dataset repeated = testing::choose(weighted, rows);
  repeated.weights.clear();
  const Points at = testing::blobs(30, 3, 8, 2).points;
  const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
  for (const auto weighting : {Weighting::uniform, Weighting::distance})
    testing::expect_near(fit(nearest(6, weighting), kernel, weighted).predict(at).scores,
                         fit(nearest(6, weighting), kernel, repeated).predict(at).scores, 1e-12);
  // Half rows: twice as many of them.
  weighted.weights.assign(50, 0.5);
  Dataset plain = weighted;
  plain.weights.clear();
  testing::expect_near(fit(nearest(3), kernel, weighted).predict(at).scores,
                       fit(nearest(6), kernel, plain).predict(at).scores, 1e-12);
}

TEST(Knn, WorksWithOneAndTwoRowsAndFarAway) {
  for (const std::size_t n : {1u, 2u}) {
    const Dataset data = testing::wave(n, 3);
    const Model model = fit(nearest(5, Weighting::distance), Kernel::parse("rbf(gamma=1)"), data);
    EXPECT_EQ(model.fitted.report.diagnostics.size(), n - 1);
    const double far = model.predict(Points(testing::Table{{1e6, -1e6}})).values[0];
    EXPECT_NEAR(far, n == 1 ? data.target.values[0] : (data.target.values[0] + data.target.values[1]) / 2,
                1e-12);
  }
}

TEST(Knn, PredictsAcrossBlocksOfRows) {
  const Dataset data = testing::wave(30, 3);
  const Points many = testing::wave(4200, 5).points;
  const Model model = fit(nearest(3), Kernel::parse("rbf(gamma=1)"), data);
  const std::vector<double> values = model.predict(many, 1).values;
  EXPECT_EQ(model.predict(many, 3).values, values);
  for (const std::size_t i : {0u, 63u, 64u, 4095u, 4096u, 4199u})
    EXPECT_EQ(model.predict(many.select_rows(std::vector<std::size_t>{i})).values[0], values[i]);
}

TEST(Knn, KnowsTheDistancesOfAPrecomputedKernelWhenItPredicts) {
  const Dataset data = testing::wave(20, 3);
  const Points at = testing::wave(6, 4).points;
  const auto kernel = testing::plain_kernels[1];
  const auto values = [&](const Points& points) {
    testing::Table rows(points.rows());
    for (std::size_t i = 0; i < points.rows(); ++i) {
      for (std::size_t j = 0; j < 20; ++j) rows[i].push_back(kernel.value(points.row(i), data.points.row(j)));
    }
    return Points(rows);
  };
  Dataset given = data;
  given.points = kernel_rows(values(data.points));
  const FitOptions options{.allow_indefinite = true};
  testing::expect_near(
      fit(nearest(3), Kernel::parse("precomputed"), given, options).predict(values(at)).values,
      fit(nearest(3), Kernel::parse(kernel.expression), data).predict(at).values, 1e-12);
  EXPECT_NE(
      refusal(ErrorKind::usage,
              [&] { fit(nearest(3, Weighting::distance), Kernel::parse("precomputed"), given, options); })
          .find("needs k(x, x)"),
      std::string::npos);
}

TEST(Knn, RefusesModelsThatDoNotFitTogether) {
  const Dataset data = testing::wave(10, 3);
  const Model good = fit(nearest(2), Kernel::parse("linear"), data);
  const auto refuses = [&](auto break_it, const char* what) {
    Model bad = good;
    break_it(bad.fitted);
    EXPECT_NE(refusal(ErrorKind::data, [&] { bad.predict(data.points); }).find(what), std::string::npos)
        << what;
  };
  refuses([](Fitted& f) { f.kept.mean.clear(); }, "no mean of the targets");
  refuses([](Fitted& f) { f.kept.self.pop_back(); }, "it has not k(x, x) of each row");
  refuses([](Fitted& f) { f.kept.weights.assign(9, 1.0); }, "its weights are not one per row");
  refuses([](Fitted& f) { f.kept.weights.assign(10, -1.0); }, "a weight is not above 0");
  refuses([](Fitted& f) { f.expansion.coefficients.pop_back(); }, "one row of targets per point");
  refuses([](Fitted& f) { f.expansion.blocks = {5, 5}, f.rho = {0, 0}; }, "one row of targets per point");
  refuses([](Fitted& f) { f.expansion.points = Points(), f.expansion.coefficients.clear(); },
          "it has no rows");
}

}  // namespace
}  // namespace mercer

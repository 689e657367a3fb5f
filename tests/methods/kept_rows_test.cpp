#include "methods/kept_rows.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

struct Given {
  Dataset data;
  FitOptions options = {};
  Kernel kernel = Kernel::parse("rbf(gamma=1)");
  Training training() { return {data.points, data.target, data.weights, kernel, options, 1e-3}; }
};

TEST(KeptRows, HaveTargetsTheirMeanAndWeights) {
  Given given{testing::two_classes({{1.0}, {2.0}, {3.0}, {4.0}}, {0, 1, 1, 0})};
  given.data.weights = {1, 2, 0, 1};
  const Fitted fitted = keep_rows(given.training(), Rows(given.training()));
  EXPECT_EQ(fitted.rule, Rule::shares);
  const KeptRows rows(fitted, "test");
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_EQ(std::vector(rows.targets.begin(), rows.targets.end()), (std::vector<double>{1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(std::vector(rows.mean.begin(), rows.mean.end()), (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(rows.weight(1), 2);
  EXPECT_EQ(score_of(rows, Rule::shares, std::vector<double>{0.6, 0.4, 0.6, 0.4, 0.6, 0.4}), 0.5);
}

TEST(KeptRows, OfNumbersHaveNoWeightsWhereAllAreOne) {
  Given given{testing::wave(5, 1)};
  const Fitted fitted = keep_rows(given.training(), Rows(given.training()));
  EXPECT_EQ(fitted.rule, Rule::value);
  const KeptRows rows(fitted, "test");
  EXPECT_TRUE(rows.weights.empty());
  EXPECT_EQ(rows.weight(4), 1);
  EXPECT_NEAR(rows.mean[0], testing::sum_of(given.data.target.values) / 5, 1e-15);
  std::vector<double> off = given.data.target.values;
  for (double& value : off) value += 2;
  EXPECT_NEAR(score_of(rows, Rule::value, off), 2, 1e-12);
}

TEST(KeptRows, AreVisitedInBlocksThatCoverEveryRowOnce) {
  for (const std::size_t n : {0u, 1u, 64u, 65u, 4097u}) {
    const Points at = testing::wave(n, 2).points, points = testing::wave(3, 1).points;
    std::vector<double> seen(n, 0), fractions;
    const Progress progress = [&](std::string_view, double fraction) {
      fractions.push_back(fraction);
      return true;
    };
    if (n > 0)
      for_row_blocks<double>(Kernel::parse("linear"), at, points, 64, 1, progress,
                             [&](const KernelOperator<double>& K, Range rows, std::size_t first) {
                               std::vector<double> tile(rows.size() * 3);
                               K.tile(rows, {0, 3}, tile);
                               for (std::size_t i = 0; i < rows.size(); ++i) {
                                 seen[first + rows.begin + i] += 1;
                                 ASSERT_NEAR(tile[i * 3 + 1],
                                             testing::dot(at.row(first + rows.begin + i), points.row(1)),
                                             1e-12);
                               }
                             });
    EXPECT_EQ(seen, std::vector<double>(n, 1));
    EXPECT_TRUE(std::ranges::is_sorted(fractions));
    if (n > 0) {
      EXPECT_EQ(fractions.back(), 1);
    }
  }
}

// A model of two outputs, put together from the models of each.
TEST(KeptRows, PredictSeveralNumbersAtOnce) {
  const Dataset data = testing::wave(40, 3);
  Dataset other = data;
  for (std::size_t i = 0; i < 40; ++i) other.target.values[i] = std::cos(data.target.values[i]);
  const Points at = testing::wave(9, 4).points;
  for (const char* name : {"knn", "nadaraya_watson", "lwlr"}) {
    const Model first = fit(method_named(name), Kernel::parse("rbf(gamma=1)"), data),
                second = fit(method_named(name), Kernel::parse("rbf(gamma=1)"), other);
    Model both = first;
    Fitted& f = both.fitted;
    f.expansion.width = 2;
    f.expansion.coefficients.clear();
    for (std::size_t i = 0; i < 40; ++i)
      f.expansion.coefficients.insert(f.expansion.coefficients.end(),
                                      {data.target.values[i], other.target.values[i]});
    f.rho = {0, 0};
    f.kept.mean.push_back(second.fitted.kept.mean[0]);
    const Predictions p = both.predict(at);
    const std::vector<double> one = first.predict(at).values, two = second.predict(at).values;
    ASSERT_EQ(p.outputs, 2u);
    for (std::size_t i = 0; i < 9; ++i) {
      EXPECT_NEAR(p.values[2 * i], one[i], 1e-10) << name;
      EXPECT_NEAR(p.values[2 * i + 1], two[i], 1e-10) << name;
    }
  }
}

TEST(KeptRows, LeaveTheFactOutWhereTheTimeIsOver) {
  Given given{testing::wave(5, 1)};
  given.options.seconds = 0;
  Fitted fitted = keep_rows(given.training(), Rows(given.training()));
  Watch watch(given.options);
  const KeptRows rows(fitted, "test");
  report_leave_one_out(watch, fitted, rows, 10,
                       [](std::span<double>, const Progress& progress) { progress("", 0.5); });
  EXPECT_TRUE(fitted.report.diagnostics.empty());
  EXPECT_TRUE(fitted.report.cut_short);
  EXPECT_FALSE(fitted.report.converged);
}

TEST(KeptRows, AreOneListOfNumbersInFiles) {
  const KeptTargets all{{1, 2}, {3, 4, 5}, {6, 7, 8}};
  EXPECT_EQ(to_numbers(all), (std::vector<double>{1, 2, 3, 4, 5, 6, 7, 8}));
  const auto back = kept_targets(to_numbers(all), 2, 3, true);
  EXPECT_EQ(back->mean, all.mean);
  EXPECT_EQ(back->weights, all.weights);
  EXPECT_EQ(back->self, all.self);
  const std::vector<double> five{1, 2, 3, 4, 5};
  EXPECT_EQ(kept_targets(five, 2, 3, true)->self, (std::vector<double>{3, 4, 5}));
  EXPECT_EQ(kept_targets(five, 2, 3, false)->weights, (std::vector<double>{3, 4, 5}));
  EXPECT_FALSE(kept_targets(five, 1, 3, false));
  EXPECT_TRUE(to_numbers({}).empty());
}

}  // namespace
}  // namespace mercer

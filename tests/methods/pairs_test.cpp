#include "methods/pairs.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

using testing::blobs;

TEST(Pairs, ProblemHasThePositivePointsFirstAndBoundsByWeight) {
  const Dataset data = blobs(5, 2, 1);
  const FitOptions options{};
  const Kernel kernel = Kernel::parse("linear");
  const Training training{data.points, data.target, {1, 2, 3, 4, 5}, kernel, options, 1e-3};
  const SvmTrainer trainer(training, rows_by_class(training), Rule::one_vs_one, 1, 1);
  const BoxQp problem = two_class_problem(trainer, 0, 1, 1, 10);
  EXPECT_EQ(problem.points, (std::vector<std::int32_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(problem.linear, (std::vector<double>{-1, -1, -1, 1, 1}));
  EXPECT_EQ(problem.upper, (std::vector<double>{10, 30, 50, 0, 0}));
  EXPECT_EQ(problem.lower, (std::vector<double>{0, 0, 0, -20, -40}));
}

// A machine of several classes is the SVMs of its pairs, each fitted alone.
TEST(Pairs, EachPairIsTheMachineOfItsTwoClasses) {
  const Dataset data = blobs(48, 4, 2, 1.5);
  for (const AnyMethod& method : {AnyMethod(Svm{.C = 3}), AnyMethod(NuSvm{.nu = 0.3})}) {
    const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
    const Predictions all = fit(method, kernel, data, testing::tight()).predict(data.points);
    ASSERT_EQ(all.width, 6u);
    double objective = 0;
    std::size_t pair = 0;
    for (std::int32_t i = 0; i < 4; ++i)
      for (std::int32_t j = i + 1; j < 4; ++j, ++pair) {
        std::vector<std::size_t> rows;
        for (std::size_t r = 0; r < data.rows(); ++r)
          if (data.target.codes[r] == i || data.target.codes[r] == j) rows.push_back(r);
        Dataset both = testing::choose(data, rows);
        for (std::int32_t& code : both.target.codes) code = code == j;
        both.target.labels = {"i", "j"};
        const Model alone = fit(method, kernel, both, testing::tight());
        objective += alone.fitted.report.objective;
        std::vector<double> column;
        for (std::size_t r = 0; r < data.rows(); ++r) column.push_back(-all.scores[r * 6 + pair]);  // of i
        testing::expect_near(column, alone.predict(data.points).scores, 1e-4);
      }
    EXPECT_NEAR(fit(method, kernel, data, testing::tight()).fitted.report.objective, objective,
                1e-4 * std::abs(objective));
  }
}

TEST(Pairs, TheClassWithMostVotesWins) {
  const Dataset data = blobs(60, 4, 2, 1.5);
  const Predictions p = fit(Svm{}, Kernel::parse("linear"), data).predict(data.points);
  for (std::size_t r = 0; r < data.rows(); ++r) {
    int votes[4] = {};
    std::size_t pair = 0;
    for (int i = 0; i < 4; ++i)
      for (int j = i + 1; j < 4; ++j, ++pair) ++votes[p.scores[r * 6 + pair] > 0 ? i : j];
    for (int c = 0; c < 4; ++c)
      EXPECT_TRUE(votes[c] < votes[p.codes[r]] || (votes[c] == votes[p.codes[r]] && c >= p.codes[r]));
  }
}

TEST(Pairs, SupportVectorsStandInBlocksByClass) {
  const Dataset data = blobs(50, 3, 5, 1.5);
  const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=1)"), data);
  const Expansion& e = model.fitted.expansion;
  ASSERT_EQ(e.blocks.size(), 3u);
  EXPECT_EQ(e.width, 2u);
  std::size_t s = 0;
  for (std::int32_t c = 0; c < 3; ++c)
    for (std::size_t end = s + e.blocks[std::size_t(c)]; s < end; ++s) {
      std::size_t row = 0;
      while (data.points.row(row) != e.points.row(s)) ++row;
      EXPECT_EQ(data.target.codes[row], c);
    }
  EXPECT_EQ(s, model.fitted.report.support_vectors);
}

}  // namespace
}  // namespace mercer

// Scores of rows left out, along C, against a model fitted without their fold.
#include "methods/c_path.hpp"

#include "methods/problems.hpp"
#include "mercer/folds.hpp"

namespace mercer {
namespace {

using mercer::testing::blobs;

Dataset without(const Dataset& data, const std::vector<std::size_t>& fold, std::size_t f) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < fold.size(); ++i)
    if (fold[i] != f) rows.push_back(i);
  return data.select_rows(rows);
}

void expect_scores_of_fits(const Svm& svm, const Dataset& data, const FitOptions& options) {
  const Kernel kernel = Kernel::parse("rbf(gamma=0.4)");
  const auto fold = random_folds(data.target, 3, 5);
  const KernelOperator<float> gram(kernel, data.points,
                                   {.storage = OperatorOptions::Storage::held, .threads = 1});
  const std::vector<double> values{0.1, 2, 50};
  const Training training{data.points, data.target, data.weights, kernel, options, 1e-6};
  const auto held = svm.hold_out({training, fold, "C", values, &gram});
  ASSERT_TRUE(held);
  for (std::size_t v = 0; v < values.size(); ++v)
    for (std::size_t f = 0; f < 3; ++f) {
      Svm at = svm;
      at.C = values[v];
      FitOptions exact = options;
      exact.tolerance = 1e-6;
      const Predictions p = fit(at, kernel, without(data, fold, f), exact).predict(data.points);
      ASSERT_EQ(p.width, held->width);
      for (std::size_t i = 0; i < fold.size(); ++i)
        for (std::size_t s = 0; s < p.width && fold[i] == f; ++s)
          EXPECT_NEAR(held->scores[v][i * p.width + s],  // outputs − ρ
                      (p.width == 1 ? -1 : 1) * p.scores[i * p.width + s],
                      2e-4 * (1 + std::abs(p.scores[i * p.width + s])))
              << "C " << values[v];
    }
}

TEST(CPath, GivesTheScoresOfFitsWithoutTheFold) {
  expect_scores_of_fits({}, blobs(60, 2, 1), {.threads = 1});
  expect_scores_of_fits({}, blobs(75, 4, 2), {.threads = 2});
  expect_scores_of_fits({.C_convention = Svm::Convention::mean}, blobs(50, 2, 3), {.threads = 1});
}

TEST(CPath, CountsWeights) {
  Dataset data = blobs(60, 2, 4);
  for (std::size_t i = 0; i < 60; ++i) data.weights.push_back(i % 5 == 0 ? 0 : 0.5 + double(i % 3));
  expect_scores_of_fits({}, data, {.threads = 1});
}

TEST(CPath, IsTheSameForAnyNumberOfThreads) {
  const Dataset data = blobs(90, 4, 6);
  const Kernel kernel = Kernel::parse("rbf(gamma=0.4)");
  const auto fold = random_folds(data.target, 4, 5);
  const KernelOperator<float> gram(kernel, data.points, {.storage = OperatorOptions::Storage::held});
  const std::vector<double> values{1, 100};
  std::vector<std::vector<double>> scores[2];
  for (const int threads : {1, 2}) {
    const FitOptions options{.threads = threads};
    const Training training{data.points, data.target, {}, kernel, options, 1e-3};
    scores[threads - 1] = Svm{}.hold_out({training, fold, "C", values, &gram})->scores;
  }
  EXPECT_EQ(scores[0], scores[1]);
}

// A class whose only row is left out gets no vote.
TEST(CPath, VotesAgainstAClassThatWasNotSeen) {
  Dataset data = blobs(31, 2, 8);
  data.target.labels.push_back("rare");
  data.target.codes[30] = 2;
  auto fold = random_folds(data.target, 3, 1);
  const Kernel kernel = Kernel::parse("rbf(gamma=0.4)");
  const KernelOperator<float> gram(kernel, data.points, {.storage = OperatorOptions::Storage::held});
  const FitOptions options{.threads = 1};
  const Training training{data.points, data.target, {}, kernel, options, 1e-3};
  const std::vector<double> values{1};
  const auto held = Svm{}.hold_out({training, fold, "C", values, &gram});
  for (std::size_t i = 0; i < 31; ++i) {
    if (fold[i] != fold[30]) continue;
    EXPECT_GT(held->scores[0][i * 3 + 1], 0);  // 1 against rare
    EXPECT_GT(held->scores[0][i * 3 + 2], 0);  // 2 against rare
  }
}

// Folds numbered from 1 have none of number 0: a problem of all rows that nobody asks for.
TEST(CPath, SolvesNothingForAFoldWithoutRows) {
  const Dataset data = blobs(20, 2, 1);
  const Kernel kernel = Kernel::parse("linear");
  const FitOptions options{};
  const Training training{data.points, data.target, {}, kernel, options, 1e-3};
  std::vector<std::size_t> fold = random_folds(data.target, 2, 1);
  for (std::size_t& f : fold) f = 2 * f + 1;
  const KernelOperator<float> gram(kernel, data.points, {.storage = OperatorOptions::Storage::held});
  const std::vector<double> values{1};
  const Validation validation{training, fold, "C", values, &gram};
  const CPath path(validation);
  ASSERT_EQ(path.folds(), 4u);
  std::vector<std::size_t> made, taken;
  path.follow(
      {0, 4},
      [&](std::size_t f) {
        made.push_back(f);
        BoxQp problem;
        for (std::size_t i = 0; i < 20; ++i)
          problem.add_signed(i, data.target.codes[i] ? 1 : -1, data.target.codes[i] ? -1 : 1,
                             fold[i] == f ? 0 : 1);
        return problem;
      },
      [&](std::size_t f, std::size_t, std::span<const double>) { taken.push_back(f); });
  EXPECT_EQ(made, (std::vector<std::size_t>{1, 3}));
  EXPECT_EQ(taken, made);
}

TEST(CPath, IsNotThereForWhatItDoesNotCover) {
  const Dataset data = blobs(20, 2, 1);
  const Kernel kernel = Kernel::parse("linear");
  const FitOptions options{};
  const Training training{data.points, data.target, {}, kernel, options, 1e-3};
  const std::vector<std::size_t> fold = random_folds(data.target, 2, 1);
  const KernelOperator<float> gram(kernel, data.points, {.storage = OperatorOptions::Storage::held});
  const std::vector<double> finite{1}, hard{std::numeric_limits<double>::infinity()};
  EXPECT_FALSE(Svm{}.hold_out({training, fold, "C", finite, nullptr}));
  EXPECT_FALSE(Svm{}.hold_out({training, fold, "C", hard, &gram}));
  EXPECT_FALSE(Svm{.lambda = 0.1}.hold_out({training, fold, "C", finite, &gram}));
  EXPECT_FALSE(Svm{.multiclass = Svm::Multiclass::ovr}.hold_out({training, fold, "C", finite, &gram}));
}

}  // namespace
}  // namespace mercer

#include "mercer/methods/perceptron.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

Perceptron learner(int epochs, bool averaged) { return {.epochs = epochs, .averaged = averaged}; }

// Scores at `at`, by summing over all updates so far at every visit, and all functions on the way where
// averaged.
std::vector<double> by_hand(const Dataset& data, const Points& at, std::size_t epochs, bool averaged,
                            std::uint64_t seed, const testing::KernelFunction& k) {
  const std::size_t n = data.rows(), classes = data.target.labels.size();
  testing::Table alpha(n, std::vector<double>(classes, 0)), sum = alpha;
  Random random(seed);
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) order[i] = i;
  double visits = 0;
  for (std::size_t epoch = 0, mistakes = 1; epoch < epochs && mistakes > 0; ++epoch) {
    mistakes = 0;
    for (std::size_t i = n; i-- > 1;) std::swap(order[i], order[random.below(i + 1)]);
    for (const std::size_t i : order) {
      std::vector<double> f(classes, 0);
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t c = 0; c < classes; ++c)
          f[c] += alpha[j][c] * k(data.points.row(j), data.points.row(i));
      const auto own = std::size_t(data.target.codes[i]);
      std::size_t rival = own == 0 ? 1 : 0;
      for (std::size_t c = 0; c < classes; ++c)
        if (c != own && f[c] > f[rival]) rival = c;
      if (f[rival] >= f[own]) alpha[i][own] += 1, alpha[i][rival] -= 1, ++mistakes;
      ++visits;
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t c = 0; c < classes; ++c) sum[j][c] += alpha[j][c];
    }
  }
  std::vector<double> scores;
  for (std::size_t i = 0; i < at.rows(); ++i)
    for (std::size_t c = 0; c < (classes == 2 ? 1 : classes); ++c) {
      double score = 0;
      for (std::size_t j = 0; j < n; ++j)
        score += (averaged ? sum[j][c] / visits : alpha[j][c]) * k(data.points.row(j), at.row(i));
      scores.push_back(classes == 2 ? -score : score);  // of two, positive for the second
    }
  return scores;
}

// Of the linear kernel f is kept as weights of the columns.
TEST(Perceptron, DoesWhatTheRuleSaysWithWeightsOfColumns) {
  for (const std::size_t classes : {2u, 4u})
    for (const bool sparse : {false, true}) {
      SCOPED_TRACE(std::to_string(classes) + (sparse ? " sparse" : " dense"));
      Dataset data = testing::blobs(40, classes, 3, 1.5);
      const Dataset dense = data;
      if (sparse) data.points = data.points.to_sparse();
      const Points at = testing::blobs(9, 3, 8).points;
      const Model model = fit(learner(7, true), Kernel::parse("linear"), data, {.seed = 5});
      testing::expect_near(model.predict(at).scores, by_hand(dense, at, 7, true, 5, testing::dot), 1e-10);
      const Model same =
          fit(learner(7, true), Kernel::parse("poly(degree=1, scale=1, offset=0)"), dense, {.seed = 5});
      EXPECT_NEAR(*model.fitted.report.norm, *same.fitted.report.norm, 1e-9 * *same.fitted.report.norm);
      EXPECT_EQ(*model.fitted.report.loss, *same.fitted.report.loss);
    }
}

TEST(Perceptron, DoesWhatTheRuleSaysRowByRow) {
  for (const std::size_t classes : {2u, 4u})
    for (const bool averaged : {true, false})
      for (const int epochs : {1, 7}) {
        SCOPED_TRACE(std::to_string(classes) + (averaged ? " averaged" : ""));
        const Dataset data = testing::blobs(40, classes, 3, 1.5);
        const Points at = testing::blobs(9, 3, 8).points;
        const Model model =
            fit(learner(epochs, averaged), Kernel::parse("rbf(gamma=0.5)"), data, {.seed = 5});
        testing::expect_near(model.predict(at).scores,
                             by_hand(data, at, std::size_t(epochs), averaged, 5,
                                     [](auto& x, auto& z) { return testing::rbf(x, z, 0.5); }),
                             1e-10);
      }
}

TEST(Perceptron, StopsAfterAnEpochWithoutMistakes) {
  const Dataset data = testing::blobs(60, 2, 3, 0.1);
  const Model model = fit(learner(100, false), Kernel::parse("linear + constant(c=1)"), data);
  const FitReport& r = model.fitted.report;
  EXPECT_LT(r.iterations, 100u);
  EXPECT_EQ(r.diagnostics.at(0).values[0], double(r.iterations));
  EXPECT_EQ(r.diagnostics.at(1).id, "last_epoch_mistakes");
  EXPECT_EQ(r.diagnostics.at(1).values[0], 0);
  EXPECT_EQ(*r.loss, 0);
  EXPECT_TRUE(r.warnings.empty());
  EXPECT_EQ(testing::accuracy(model, data), 1);
}

TEST(Perceptron, WarnsOfMistakesInTheLastEpochAndKnowsItsNormAndLoss) {
  const Dataset data = testing::blobs(60, 3, 3, 4);
  const Model model = fit(learner(2, true), Kernel::parse("rbf(gamma=0.1)"), data);
  const FitReport& r = model.fitted.report;
  EXPECT_TRUE(r.converged);
  ASSERT_EQ(r.warnings.size(), 1u);
  EXPECT_NE(r.warnings[0].text.find("the last of 2 epochs still had"), std::string::npos);
  EXPECT_NEAR(*r.loss, 1 - testing::accuracy(model, data), 1e-12);
  double norm = 0;
  for (std::size_t c = 0; c < 3; ++c)
    norm += 2 * testing::half_norm(data.points, testing::coefficients_of(model, data.points, c),
                                   [](auto& x, auto& z) { return testing::rbf(x, z, 0.1); });
  EXPECT_NEAR(*r.norm, norm, 1e-9 * norm);
}

TEST(Perceptron, DoesNotMindHowMuchOfTheMatrixIsHeld) {
  const Dataset data = testing::blobs(120, 3, 3, 2);
  const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
  testing::expect_near(fit(Perceptron{}, kernel, data, {.memory = 5000}).predict(data.points).scores,
                       fit(Perceptron{}, kernel, data).predict(data.points).scores, 1e-9);
}

TEST(Perceptron, WeighsAMistakeByTheRow) {
  Dataset data = testing::two_classes({{1.0}, {-1.0}}, {0, 1});
  data.weights = {3, 3};
  const Model model = fit(learner(1, false), Kernel::parse("linear"), data);
  // The first mistake settles both.
  EXPECT_NEAR(model.predict(Points(testing::Table{{1.0}})).scores[0], -3, 1e-12);
}

TEST(Perceptron, RefusesOneClass) {
  EXPECT_NE(
      refusal(ErrorKind::data, [] { fit(Perceptron{}, Kernel::parse("linear"), testing::blobs(5, 1, 1)); })
          .find("two classes or more are needed"),
      std::string::npos);
}

TEST(Perceptron, GivesWhatItHasWhenTheCallerStops) {
  const Dataset data = testing::blobs(60, 2, 3, 3);
  const FitOptions options{.keep_on_cancel = true,
                           .progress = [](std::string_view what, double) { return what != "epochs"; }};
  const Model model = fit(Perceptron{}, Kernel::parse("rbf(gamma=1)"), data, options);
  EXPECT_TRUE(model.fitted.report.cut_short);
  EXPECT_FALSE(model.fitted.report.converged);
  testing::expect_finite(model, data.points);
}

}  // namespace
}  // namespace mercer

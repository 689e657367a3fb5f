#include "model/question.hpp"

#include <gtest/gtest.h>

#include "methods/problems.hpp"

namespace mercer {
namespace {

using testing::blobs;

// The runner-up is found by looking at every pair of the predicted class; the outputs and the constant give
// the score back.
TEST(Question, OfPairsIsTheWeakestOfThePredictedClass) {
  const Dataset data = blobs(80, 4, 3, 1.5);
  const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=0.5)"), data);
  const Predictions p = model.predict(data.points);
  std::vector<double> sums(data.rows() * model.fitted.expansion.outputs());
  model.method->evaluate(model.fitted, data.points, sums, 1, {});
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const auto asked = questions(model, p, row);
    ASSERT_EQ(asked.size(), 1u);
    const auto own = std::size_t(p.codes[row]);
    double least = INFINITY;
    std::string against;
    std::size_t pair = 0;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b, ++pair) {
        if (a != own && b != own) continue;
        const double score = p.scores[row * 6 + pair] * (a == own ? 1 : -1);
        if (score < least) least = score, against = model.labels[a == own ? b : a];
      }
    EXPECT_EQ(asked[0].subject, model.labels[own]);
    EXPECT_EQ(asked[0].against, against);
    EXPECT_EQ(asked[0].score(p.scores.data() + row * 6), least);
    const auto factors = asked[0].outputs(model);
    double sum = asked[0].constant(model);
    for (std::size_t o = 0; o < factors.size(); ++o) sum += factors[o] * sums[row * factors.size() + o];
    EXPECT_NEAR(sum, least, 1e-12);
  }
}

TEST(Question, OfScoresPerClassIsTheDifferenceFromTheNext) {
  const Dataset data = blobs(60, 3, 4);
  const Model model = fit(Logistic{}, Kernel::parse("rbf(gamma=0.5)"), data);
  const Predictions p = model.predict(data.points);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    std::vector<double> scores(p.scores.begin() + std::ptrdiff_t(3 * row),
                               p.scores.begin() + std::ptrdiff_t(3 * row + 3));
    const Question asked = questions(model, p, row).at(0);
    EXPECT_EQ(asked.subject, model.labels[std::size_t(p.codes[row])]);
    std::ranges::sort(scores);
    EXPECT_NEAR(asked.score(p.scores.data() + 3 * row), scores[2] - scores[1], 1e-15);
  }
}

TEST(Question, OfTwoClassesIsTurnedToThePredictedOne) {
  const Dataset data = blobs(40, 2, 5);
  for (const AnyMethod& method : {AnyMethod(Svm{}), AnyMethod(Logistic{}), AnyMethod(Fisher{})}) {
    const Model model = fit(method, Kernel::parse("rbf(gamma=0.5)"), data);
    const Predictions p = model.predict(data.points);
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const Question asked = questions(model, p, row).at(0);
      EXPECT_GE(asked.score(p.scores.data() + row * p.width), 0);
      EXPECT_EQ(asked.against, model.labels[p.codes[row] == 0 ? 1 : 0]);
    }
  }
}

TEST(Question, OfNumbersIsEachOutput) {
  Dataset data = testing::wave(20, 6);
  data.schema.target = "height";
  EXPECT_EQ(questions(fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), data), {}, 0).at(0).subject, "height");
  EXPECT_EQ(questions(fit(OneClass{}, Kernel::parse("rbf(gamma=1)"), data), {}, 0).at(0).subject, "inside");
  EXPECT_EQ(questions(fit(Pca{}, Kernel::parse("rbf(gamma=1)"), data), {}, 0).at(1).subject, "coordinate 2");
  data.target.outputs = 2;
  data.points = data.points.select_rows(std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  data.schema.target = "height,width";
  const auto two = questions(fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), data), {}, 0);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[1].subject, "width");
  const std::vector<double> scores{3, 4};
  EXPECT_EQ(two[1].score(scores.data()), 4);
}

}  // namespace
}  // namespace mercer

#include "mercer/cross_validation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mercer/generate.hpp"
#include "mercer/learning_curve.hpp"
#include "mercer/methods.hpp"
#include "mercer/metrics.hpp"
#include "model_selection/present_classes.hpp"

namespace mercer {
namespace {

// Each row by hand: a fit on all rows of other folds.
TEST(CrossValidation, PredictsEachRowByAModelThatHasNotSeenIt) {
  const Kernel kernel = Kernel::parse("rbf(gamma=2)");
  for (const char* name : {"moons", "sine"}) {
    const Dataset data = generate(name, {.n = 31});
    const bool classes = data.target.task == Task::classification;
    const AnyMethod method = classes ? AnyMethod(Svm{.C = 3}) : AnyMethod(Svr{.C = 3});
    std::vector<std::size_t> fold;
    for (std::size_t i = 0; i < data.rows(); ++i) fold.push_back(i % 4);
    std::size_t models = 0;
    const Predictions found = cross_validate(method, kernel, data, fold, {}, Scaling::Kind::standard,
                                             [&](const Model&) { ++models; });
    EXPECT_EQ(models, 4u);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      std::vector<std::size_t> seen;
      for (std::size_t j = 0; j < data.rows(); ++j)
        if (fold[j] != fold[i]) seen.push_back(j);
      const Model model = fit(method, kernel, data.select_rows(seen), {}, Scaling::Kind::standard);
      const Predictions own = model.predict(data.points.select_rows(std::vector<std::size_t>{i}));
      if (classes)
        EXPECT_EQ(found.codes[i], own.codes[0]);
      else
        EXPECT_NEAR(found.values[i], own.values[0], 1e-12);
      EXPECT_NEAR(found.scores[i], own.scores[0], 1e-12);
    }
  }
}

TEST(CrossValidation, KeepsProbabilities) {
  const Dataset data = generate("moons", {.n = 21});
  std::vector<std::size_t> fold;
  for (std::size_t i = 0; i < data.rows(); ++i) fold.push_back(i % 3);
  const Kernel kernel = Kernel::parse("rbf(gamma=2)");
  const Predictions found = cross_validate(Logistic{}, kernel, data, fold);
  ASSERT_EQ(found.probabilities.size(), 2 * data.rows());
  for (std::size_t i = 0; i < data.rows(); ++i)
    EXPECT_NEAR(found.probabilities[2 * i + 1], 1 / (1 + std::exp(-found.scores[i])), 1e-12);
  EXPECT_FALSE(found.pairs);
  EXPECT_TRUE(cross_validate(Svm{}, kernel, data, fold).pairs);
}

TEST(PresentClasses, AreThoseOfSomeRow) {
  EXPECT_EQ(classes_of({.task = Task::classification, .labels = {"a", "b", "c"}, .codes = {2, 0, 2}}),
            (std::vector<std::int32_t>{0, 2}));
}

TEST(AmongAll, KeepsWhatIsSaidOfTheClassesPresent) {
  Predictions few;
  few.codes = {1, 0};
  few.width = 2;
  few.scores = {0.1, 3, 2, -5};
  few.probabilities = {0.2, 0.8, 0.9, 0.1};
  const Predictions all = among_all(few, {0, 2}, 3);
  EXPECT_EQ(all.codes, (std::vector<std::int32_t>{2, 0}));
  EXPECT_EQ(all.probabilities, (std::vector<double>{0.2, 0, 0.8, 0.9, 0, 0.1}));
  EXPECT_EQ(all.scores, (std::vector<double>{0.1, 0.1, 3, 2, -5, -5}));
  few.width = 1;
  few.scores = {-1, 4};
  EXPECT_EQ(among_all(few, {0, 2}, 3).scores, (std::vector<double>{1, -1, -1, -4, -4, 4}));
  few.pairs = true;
  const Predictions pairs = among_all(few, {1, 3}, 4);  // pairs 01 02 03 12 13 23
  EXPECT_EQ(pairs.scores, (std::vector<double>{0, 0, 0, 0, 1, 0, 0, 0, 0, 0, -4, 0}));
  EXPECT_TRUE(pairs.pairs);
  EXPECT_EQ(pairs.width, 6u);
}

Dataset with_rare_classes() {
  Dataset data = generate("moons", {.n = 60});
  for (int rare = 0; rare < 12; ++rare) {
    data.target.labels.push_back("rare" + std::to_string(rare));
    data.target.codes[std::size_t(5 * rare)] = std::int32_t(2 + rare);
  }
  return data;
}

// Every fold lacks some class, and still all metrics have their numbers.
TEST(PresentModel, RareClassesEndNoCrossValidation) {
  const Dataset data = with_rare_classes();
  std::vector<std::size_t> fold;
  for (std::size_t i = 0; i < data.rows(); ++i) fold.push_back(i % 3);
  for (const AnyMethod& method : {AnyMethod(Svm{}), AnyMethod(Logistic{})}) {
    const Predictions p = cross_validate(method, Kernel::parse("rbf(gamma=1)"), data, fold);
    EXPECT_EQ(p.codes.size(), 60u);
    for (const char* metric : {"accuracy", "auc"})
      EXPECT_TRUE(std::isfinite(measure(metric_named(metric), data.target, p))) << metric;
  }
}

TEST(PresentModel, RareClassesEndNoLearningCurve) {
  const LearningCurve curve = learning_curve(Svm{}, Kernel::parse("rbf(gamma=1)"), with_rare_classes(),
                                             {.folds = 3, .sizes = {8, 30}});
  EXPECT_EQ(curve.validation.size(), 2u);
}

TEST(PresentModel, OfOneClassPredictsIt) {
  Dataset data = generate("moons", {.n = 10});
  for (std::int32_t& code : data.target.codes) code = 1;
  const PresentModel model(Svm{}, Kernel::parse("linear"), data, {}, Scaling::Kind::none);
  EXPECT_FALSE(model.model().has_value());
  EXPECT_EQ(model.predict(data.points, 1).codes, std::vector<std::int32_t>(10, 1));
}

}  // namespace
}  // namespace mercer

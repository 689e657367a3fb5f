#include "mercer/cross_validation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mercer/generate.hpp"
#include "mercer/methods.hpp"

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

}  // namespace
}  // namespace mercer

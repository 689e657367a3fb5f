#include "model_selection/cost.hpp"

#include <gtest/gtest.h>

#include "mercer/methods.hpp"

namespace mercer {
namespace {

CandidateLine line_of(std::size_t space, std::vector<double> path = {1, 10}) {
  return {.space = space,
          .method = Svm{},
          .kernel = Kernel::parse("rbf(gamma=1)"),
          .values = {},
          .parameter = "C",
          .path = std::move(path)};
}

TEST(CostModel, FollowsTheMeasurementsOfTheSpace) {
  CostModel cost(5);
  cost.add(line_of(0), 1000, 2);
  cost.add(line_of(1), 1000, 20);
  EXPECT_DOUBLE_EQ(cost.seconds(line_of(0), 1000), 2);
  EXPECT_DOUBLE_EQ(cost.seconds(line_of(1), 1000), 20);
  EXPECT_DOUBLE_EQ(cost.seconds(line_of(2), 1000), 11);  // not measured yet: as the others
  EXPECT_GT(cost.seconds(line_of(0), 4000), 4 * cost.seconds(line_of(0), 1000));
  EXPECT_GT(cost.seconds(line_of(0, {1, 2, 3, 4}), 1000), cost.seconds(line_of(0), 1000));
}

TEST(CostModel, HasAGuessBeforeTheFirstMeasurement) {
  const CostModel cost(5);
  const double guess = cost.seconds(line_of(0), 1000);
  EXPECT_GT(guess, 0);
  EXPECT_EQ(CostModel(5).seconds(line_of(0), 1000), guess);  // the machine is measured once
  EXPECT_GT(cost.seconds(line_of(0), 4000), 4 * guess);
}

}  // namespace
}  // namespace mercer

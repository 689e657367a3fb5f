#include "cluster/spread_predict.hpp"

#include <gtest/gtest.h>

#include "cluster/spread_points.hpp"

namespace mercer::cluster {
namespace {

Model small_model(bool classes) {
  Dataset data{.points = random_rows(40, 3)};
  const std::vector<double> y = random_numbers(40);
  if (classes) {
    data.target = {.task = Task::classification, .labels = {"a", "b"}};
    for (const double value : y) data.target.codes.push_back(value > 0);
  } else {
    data.target = {.task = Task::regression, .values = y};
  }
  AnyMethod method = method_named(classes ? "svm" : "gp");
  if (!classes) method->set("optimize", Word{"none"});
  return fit(method, Kernel::parse("rbf(gamma=0.5)"), data, {.threads = 1});
}

TEST(SpreadPredict, IsThePredictionOfOneMachine) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Model classes = small_model(true), numbers = small_model(false);
  for (const std::size_t rows : {0, 1, 2, 25}) {
    const Points points = random_rows(rows, 3, 5);
    PredictingRanks predicting(ranks, 1);
    predicting.run([&] {
      const Predictions found = predicting.predict(classes, points), expected = classes.predict(points, 1);
      EXPECT_EQ(found.codes, expected.codes);
      EXPECT_EQ(found.scores.size(), expected.scores.size());
      const Predictions again = predicting.predict(numbers, points), values = numbers.predict(points, 1);
      ASSERT_EQ(again.values.size(), values.values.size());
      for (std::size_t i = 0; i < rows; ++i) EXPECT_NEAR(again.values[i], values.values[i], 1e-12);
      const auto variances = predicting.variances(numbers, points), one = numbers.variances(points, 1);
      ASSERT_EQ(variances.size(), one.size());
      for (std::size_t i = 0; i < rows; ++i) EXPECT_NEAR(variances[i], one[i], 1e-12);
    });
  }
}

TEST(SpreadPredict, AnErrorEndsAllRanks) {
  const Communicator ranks(MPI_COMM_WORLD);
  const Model model = small_model(true);
  PredictingRanks predicting(ranks, 1);
  EXPECT_THROW(predicting.run([] { throw Error(ErrorCode::invalid_data, "no rows"); }), AgreedError);
  EXPECT_THROW(predicting.run([&] { predicting.predict(model, random_rows(8, 2)); }), AgreedError);
  EXPECT_THROW(predicting.run([&] { predicting.variances(model, random_rows(8, 3)); }), AgreedError);
  EXPECT_EQ(ranks.sum(1.0), ranks.size());  // all go on together
}

}  // namespace
}  // namespace mercer::cluster

#include "model_selection/automatic_plan.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mercer/methods.hpp"

namespace mercer {
namespace {

Dataset two_classes(std::size_t n) {
  Dataset data;
  data.target = {.task = Task::classification, .labels = {"a", "b"}};
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < n; ++i) {
    rows.push_back({std::sin(double(i)), double(i % 7)});
    data.target.codes.push_back(std::int32_t(i % 2));
  }
  data.points = Points(rows);
  return data;
}

TEST(MeasuredSeconds, GrowWithWhatThereIsToDo) {
  const SearchSpace space{
      Svm{}, Kernel::parse("rbf(gamma=scale)"), {{"gamma", {0.1, 1, 10}}, {"C", {1, 10}}}};
  const SearchSpace fixed{Svm{}, Kernel::parse("rbf(gamma=1)")};
  const Dataset few = two_classes(40), many = two_classes(4000);
  const TuneOptions tune{.fit = {.threads = 1}};
  for (const SearchSpace& each : {space, fixed}) {
    const double little = measured_seconds({each}, few, few.points, tune),
                 much = measured_seconds({each}, many, many.points, tune);
    EXPECT_GT(little, 0);
    EXPECT_TRUE(std::isfinite(much));
  }
}

// Candidates that cannot be fitted on the few rows tell nothing of the time, and are no error either.
TEST(MeasuredSeconds, PassOverWhatCannotBeFitted) {
  const SearchSpace space{Svm{}, Kernel::parse("poly(degree=200, scale=1)"), {{"scale", {1e8, 1e9}}}};
  const Dataset data = two_classes(40);
  EXPECT_GE(measured_seconds({space}, data, data.points, {.fit = {.threads = 1}}), 0);
}

}  // namespace
}  // namespace mercer

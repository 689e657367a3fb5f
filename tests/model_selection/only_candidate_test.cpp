#include "model_selection/only_candidate.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "mercer/methods.hpp"

namespace mercer {
namespace {

Dataset four_rows() {
  Dataset data;
  data.points = Points(std::vector<std::vector<double>>{{0}, {1}, {2}, {3}});
  data.target = {.task = Task::classification, .labels = {"a", "b"}, .codes = {0, 1, 0, 1}};
  return data;
}

TEST(OnlyCandidate, IsTakenAsItIs) {
  const Dataset data = four_rows();
  const auto search =
      only_candidate({{Svm{.C = 3}, Kernel::parse("rbf(gamma=scale)")}}, data, data.points, {});
  ASSERT_TRUE(search.has_value());
  ASSERT_EQ(search->trials.size(), 1u);
  EXPECT_TRUE(search->trials[0].kernel.resolved());
  EXPECT_EQ(search->trials[0].rows, 0u);
  EXPECT_TRUE(std::isnan(search->trials[0].score));
  EXPECT_EQ(search->planned, 1u);
  EXPECT_EQ(search->evaluated(), 0u);
  EXPECT_EQ(search->metric, "accuracy");
}

TEST(OnlyCandidate, IsNoneOfSeveral) {
  const Dataset data = four_rows();
  const SearchSpace one{Svm{}, Kernel::parse("linear")};
  EXPECT_FALSE(only_candidate({one, one}, data, data.points, {}));
  EXPECT_FALSE(only_candidate({{Svm{}, Kernel::parse("linear"), {{"C", {1, 2}}}}}, data, data.points, {}));
}

TEST(OnlyCandidate, RefusesWhatASearchRefuses) {
  const Dataset data = four_rows();
  const std::vector<SearchSpace> spaces{{Svm{}, Kernel::parse("linear")}};
  const auto says = [&](const TuneOptions& options) {
    return refusal(ErrorKind::usage, [&] { only_candidate(spaces, data, data.points, options); });
  };
  EXPECT_NE(says({.metric = "rmse"}).find("metric of numbers"), std::string::npos);
  EXPECT_NE(says({.fold = {0, 1}}).find("for 2 rows"), std::string::npos);
}

}  // namespace
}  // namespace mercer

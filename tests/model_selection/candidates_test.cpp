#include "model_selection/candidates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "mercer/methods.hpp"
#include "random_points.hpp"
#include "model_selection/open_axes.hpp"

namespace mercer {
namespace {

Dataset numbers(std::size_t n, std::size_t cols, double spread = 1) {
  Dataset data;
  data.points = as_points(random_rows(n, cols, 3));
  data.target.task = Task::regression;
  for (std::size_t i = 0; i < n; ++i) data.target.values.push_back(100 + (i % 2 ? spread : -spread));
  return data;
}

std::vector<std::string> kernels(const std::vector<SearchSpace>& spaces) {
  std::vector<std::string> names;
  for (const SearchSpace& space : spaces)
    names.push_back(space.kernel.text().substr(0, space.kernel.text().find('(')));
  return names;
}
const GridAxis* axis(const SearchSpace& space, const std::string& name) {
  const auto found = std::ranges::find(space.axes, name, &GridAxis::parameter);
  return found == space.axes.end() ? nullptr : &*found;
}
using Names = std::vector<std::string>;

TEST(RegressionCandidates, AreSmoothRoughAndStraight) {
  const Dataset data = numbers(100, 4);
  const std::vector<SearchSpace> spaces = candidates(data, {});
  EXPECT_EQ(kernels(spaces), (Names{"linear", "poly", "rbf", "matern", "matern", "manhattan"}));
  for (const SearchSpace& space : spaces) {
    SCOPED_TRACE(space.kernel.text());
    EXPECT_EQ(space.method->name(), "ridge");
    EXPECT_EQ(std::get<Word>(space.method->get("bias")).text, "free");
    EXPECT_TRUE(space.kernel.resolved());
    ASSERT_FALSE(space.axes.empty());
    EXPECT_EQ(space.axes.back().parameter, "tau2");  // the penalty last
    for (const GridAxis& one : space.axes) {
      EXPECT_TRUE(std::ranges::is_sorted(one.values));
      EXPECT_GT(one.values.front(), 0);
      if (one.parameter == "tau2") continue;
      EXPECT_EQ(std::ranges::count(axis_names(space.kernel, *space.method), one.parameter), 1)
          << one.parameter;
    }
  }
}

// Prices are relative to k(x, x), the rates of manhattan to the median distance.
TEST(RegressionCandidates, FollowTheScaleOfThePoints) {
  const Dataset data = numbers(101, 3);
  Dataset large = data;
  auto rows = random_rows(101, 3, 3);
  for (auto& row : rows)
    for (double& value : row) value *= 10;
  large.points = as_points(rows);
  const auto before = candidates(data, {}), after = candidates(large, {});
  EXPECT_NEAR(axis(after[0], "tau2")->values[0], 100 * axis(before[0], "tau2")->values[0],
              1e-9 * axis(after[0], "tau2")->values[0]);
  EXPECT_EQ(axis(after[2], "tau2")->values, axis(before[2], "tau2")->values);
  EXPECT_NEAR(axis(after[2], "gamma")->values[1], axis(before[2], "gamma")->values[1] / 100, 1e-9);
  std::vector<double> distances;
  rows = random_rows(101, 3, 3);
  for (std::size_t i = 0; i < 101; ++i)
    for (std::size_t j = 0; j < i; ++j)
      distances.push_back(std::abs(rows[i][0] - rows[j][0]) + std::abs(rows[i][1] - rows[j][1]) +
                          std::abs(rows[i][2] - rows[j][2]));
  std::ranges::sort(distances);
  EXPECT_NEAR(axis(before[5], "manhattan.lambda")->values[2], 1 / distances[distances.size() / 2], 1e-9);
  EXPECT_NEAR(axis(after[5], "manhattan.lambda")->values[2], 0.1 / distances[distances.size() / 2], 1e-9);
}

TEST(RegressionCandidates, AreFewerOfFewRowsOrManyColumns) {
  for (const std::size_t n : {1u, 2u, 39u})
    EXPECT_EQ(kernels(candidates(numbers(n, 3), {})), (Names{"linear", "rbf"})) << n;
  EXPECT_EQ(kernels(candidates(numbers(50, 600), {})), (Names{"linear", "rbf"}));
  EXPECT_EQ(candidates(numbers(40, 1), {}).size(), 6u);
}

TEST(RegressionCandidates, OfPointsThatAreAllEqualAreSane) {
  Dataset data = numbers(50, 2);
  data.points = as_points(std::vector<std::vector<double>>(50, {0, 0}));
  for (const SearchSpace& space : candidates(data, {}))
    for (const GridAxis& one : space.axes)
      for (const double value : one.values)
        EXPECT_TRUE(std::isfinite(value) && value > 0) << space.kernel.text() << " " << one.parameter;
}

TEST(RegressionCandidates, OfAGivenKernelAreItsOpenNumbers) {
  const Dataset data = numbers(60, 3);
  const auto open = candidates(data, {.kernel = Kernel::parse("rbf(gamma=scale) + linear")});
  ASSERT_EQ(open.size(), 1u);
  EXPECT_EQ(open[0].axes.size(), 2u);
  EXPECT_EQ(open[0].axes[0].parameter, "gamma");
  const auto closed = candidates(data, {.kernel = Kernel::parse("rbf(gamma=2)")});
  ASSERT_EQ(closed.size(), 1u);
  EXPECT_EQ(closed[0].axes.size(), 1u);
  EXPECT_EQ(closed[0].kernel.text(), "rbf(gamma=2)");
}

TEST(RegressionCandidates, OfAGivenMethodHaveItsPenalties) {
  const Dataset data = numbers(60, 3, 7);
  for (const auto& [method, names] :
       {std::pair{AnyMethod(Svr{}), Names{"gamma", "epsilon", "C"}},
        {AnyMethod(NuSvr{}), Names{"gamma", "C"}},
        {AnyMethod(Knn{}), Names{"gamma", "neighbours"}},
        {AnyMethod(Huber{}), Names{"gamma", "lambda"}},
        {AnyMethod(Gp{}), Names{}},
        {AnyMethod(Gp{.optimize = Gp::Optimize::none}), Names{"gamma"}},
        {AnyMethod(NadarayaWatson{.bandwidth = NadarayaWatson::Bandwidth::loo}), Names{}},
        {AnyMethod(Ols{}), Names{"gamma"}}}) {
    const auto spaces = candidates(data, {.method = method, .kernel = Kernel::parse("rbf")});
    ASSERT_EQ(spaces.size(), 1u);
    Names found;
    for (const GridAxis& one : spaces[0].axes) found.push_back(one.parameter);
    EXPECT_EQ(found, names) << method->name();
    AnyMethod copy = spaces[0].method;  // every value is one that the method takes
    for (const GridAxis& one : spaces[0].axes)
      if (one.parameter != "gamma")
        for (const double value : one.values) copy->set(one.parameter, value);
  }
  const auto spaces = candidates(data, {.method = AnyMethod(Svr{}), .kernel = Kernel::parse("rbf")});
  EXPECT_EQ(axis(spaces[0], "epsilon")->values, (std::vector{0.01 * 7, 0.1 * 7}));
}

TEST(RegressionCandidates, LeaveAloneWhatIsGiven) {
  const Dataset data = numbers(60, 3);
  for (const char* given : {"lambda", "tau2", "select"})
    for (const SearchSpace& space : candidates(data, {.fixed = {given}}))
      EXPECT_EQ(axis(space, "tau2"), nullptr) << given;
  // The lambda is ridge's, also beside manhattan's.
  for (const SearchSpace& space : candidates(data, {.axes = {{"lambda", {0.1, 1}}}})) {
    EXPECT_EQ(axis(space, "lambda")->values, (std::vector<double>{0.1, 1}));
    EXPECT_EQ(axis(space, "tau2"), nullptr);
  }
  const auto bias = [&](const AutomaticOptions& options) {
    return std::get<Word>(candidates(data, options)[0].method->get("bias")).text;
  };
  EXPECT_EQ(bias({.method = AnyMethod(Ridge{})}), "free");
  EXPECT_EQ(bias({.method = AnyMethod(Ridge{}), .fixed = {"bias"}}), "none");
  EXPECT_EQ(kernels(candidates(data, {.axes = {{"manhattan.lambda", {0.1, 1}}}})), Names{"manhattan"});
  const auto wide = candidates(data, {.axes = {{"gamma", {1, 2}}}});
  EXPECT_EQ(kernels(wide), Names{"rbf"});
  EXPECT_EQ(axis(wide[0], "gamma")->values, (std::vector<double>{1, 2}));
  EXPECT_EQ(candidates(data, {.axes = {{"nonsense", {1}}}}).size(), 6u);  // tune() refuses it by name
}

}  // namespace
}  // namespace mercer

#include "solvers/landmarks.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "base/refusal.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

constexpr LandmarkRule all_rules[]{LandmarkRule::pivoted, LandmarkRule::uniform, LandmarkRule::spread};

TEST(Landmarks, AreDifferentRowsAndTheSameForASeed) {
  const KernelOperator<double> K(rbf({.gamma = 0.5}), as_points(random_rows(60, 3, 1)));
  for (const LandmarkRule rule : all_rules) {
    const auto rows = choose_landmarks(rule, K, {.count = 20, .seed = 3, .threads = 1}).rows;
    EXPECT_EQ(std::set(rows.begin(), rows.end()).size(), 20u);
    for (const std::size_t row : rows) EXPECT_LT(row, 60u);
    EXPECT_EQ(choose_landmarks(rule, K, {.count = 20, .seed = 3, .threads = 3}).rows, rows);
    EXPECT_NE(choose_landmarks(rule, K, {.count = 20, .seed = 4, .threads = 1}).rows, rows);
  }
}

TEST(Landmarks, AreAtMostAllRows) {
  for (const LandmarkRule rule : all_rules) {
    const KernelOperator<double> one(rbf({.gamma = 0.5}), Points({{1, 2}}));
    EXPECT_EQ(choose_landmarks(rule, one, {.count = 5}).rows, std::vector<std::size_t>{0});
    const KernelOperator<double> K(rbf({.gamma = 0.5}), as_points(random_rows(7, 3, 1)));
    const auto rows = choose_landmarks(rule, K, {.count = 100}).rows;
    EXPECT_EQ(std::set(rows.begin(), rows.end()).size(), 7u);
  }
}

TEST(Landmarks, FarFromEachOtherCoverEveryClump) {
  std::vector<std::vector<double>> rows;  // 3 clumps of very different sizes
  for (int i = 0; i < 98; ++i) rows.push_back({0.001 * i, 0});
  rows.push_back({10, 0});
  rows.push_back({0, 10});
  const KernelOperator<double> K(rbf({.gamma = 0.5}), Points(rows));
  for (const LandmarkRule rule : {LandmarkRule::pivoted, LandmarkRule::spread})
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const auto chosen = choose_landmarks(rule, K, {.count = 5, .seed = seed}).rows;
      const std::set<std::size_t> set(chosen.begin(), chosen.end());
      EXPECT_TRUE(set.contains(98) && set.contains(99));
    }
}

TEST(Landmarks, FarFromEachOtherAreDrawnByTheSquaredDistance) {
  // Linear kernel on a line: from 0 the others are drawn by the squares 1 and 9.
  const KernelOperator<double> K(linear(), Points({{0}, {1}, {3}}));
  std::map<std::size_t, int> second;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto rows =
        choose_landmarks(LandmarkRule::spread, K, {.count = 2, .seed = seed, .threads = 1}).rows;
    if (rows.at(0) == 0) ++second[rows.at(1)];
  }
  EXPECT_NEAR(double(second[2]) / double(second[1] + second[2]), 0.9, 0.04);
}

TEST(Landmarks, AreFewerWhereRowsAreEqual) {
  const KernelOperator<double> K(rbf({.gamma = 0.5}), Points({{1, 2}, {3, 4}, {1, 2}, {3, 4}, {1, 2}}));
  EXPECT_EQ(choose_landmarks(LandmarkRule::spread, K, {.count = 4}).rows.size(), 2u);
  EXPECT_EQ(choose_landmarks(LandmarkRule::pivoted, K, {.count = 4}).rows.size(), 2u);
  const KernelOperator<double> zero(linear(), Points({{0}, {0}}));
  for (const LandmarkRule rule : {LandmarkRule::pivoted, LandmarkRule::spread})
    EXPECT_EQ(choose_landmarks(rule, zero, {.count = 2}).rows.size(), 1u);
}

TEST(Landmarks, NeedARowAndCanBeStopped) {
  const KernelOperator<double> none(linear(), Points(Dense<double>{0, 2, {}}));
  EXPECT_EQ(refusal(ErrorKind::data, [&] { choose_landmarks(LandmarkRule::uniform, none, {}); }),
            "landmarks are chosen among rows, and there are none");
  const KernelOperator<double> K(rbf({.gamma = 0.5}), as_points(random_rows(30, 3, 1)));
  EXPECT_EQ(refusal(ErrorKind::cancelled,
                    [&] {
                      choose_landmarks(
                          LandmarkRule::spread, K,
                          {.count = 9, .progress = [](std::string_view, double) { return false; }});
                    }),
            "the choice of landmarks was stopped");
}

}  // namespace
}  // namespace mercer

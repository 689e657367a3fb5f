#include "methods/online_rows.hpp"

#include "methods/in_parts.hpp"

namespace mercer {
namespace {

double k_of(const Points& points, std::size_t i, std::size_t j) {
  return testing::rbf(points.row(i), points.row(j), 0.5);
}

// More rows than a window has, kept and forgotten at random: what is said of a row is said of the points
// kept.
TEST(OnlineRows, ComparesARowWithThePointsKeptAtThatMoment) {
  const Dataset data = testing::blobs(700, 2, 3);
  const Kernel rbf = Kernel::parse("rbf(gamma=0.5)");
  const FitOptions options;
  const Training training{data.points, data.target, {}, rbf, options, 1e-3};
  OnlineRows rows(training);
  Random random(5);
  std::vector<std::size_t> kept;
  for (int pass = 0; pass < 2; ++pass)
    for (std::size_t i = 0; i < 700; i += 1 + random.below(3)) {
      rows.arrive(i);
      ASSERT_EQ(rows.kept(), kept.size());
      EXPECT_NEAR(rows.self(), 1, 1e-14);
      for (std::size_t p = 0; p < kept.size(); ++p)
        ASSERT_NEAR(rows.similarities()[p], k_of(data.points, kept[p], i), 1e-13);
      if (random.uniform() < 0.3) {
        rows.keep();
        kept.push_back(i);
      }
      if (!kept.empty() && random.uniform() < 0.2) {
        const std::vector<double>& oldest = rows.similarities_of_oldest();
        for (std::size_t p = 0; p < kept.size(); ++p)
          ASSERT_NEAR(oldest[p], k_of(data.points, kept[p], kept[0]), 1e-13);
        rows.forget_oldest();
        kept.erase(kept.begin());
      }
    }
  const Fitted fitted = rows.expand(std::vector<double>(kept.size(), 1.0), {0.0}, Rule::value);
  EXPECT_EQ(fitted.support.rows, kept);
  for (std::size_t p = 0; p < kept.size(); ++p)
    EXPECT_EQ(fitted.expansion.points.row(p), data.points.row(kept[p]));
  EXPECT_GT(rows.evaluations(), 0u);
}

TEST(OnlineRows, VisitsRowsThatCountInOrder) {
  const Dataset data = testing::blobs(5, 2, 3);
  const Kernel linear = Kernel::parse("linear");
  FitOptions options;
  const Training training{data.points, data.target, {1, 0, 2, 1, 0}, linear, options, 1e-3};
  Watch watch(options);
  std::vector<std::size_t> visited;
  EXPECT_TRUE(for_each_arrival(training, 2, watch, [&](std::size_t row) { visited.push_back(row); }));
  EXPECT_EQ(visited, (std::vector<std::size_t>{0, 2, 3, 0, 2, 3}));
  options.seconds = 0;
  Watch late(options);
  EXPECT_FALSE(for_each_arrival(training, 2, late, [](std::size_t) {}));
}

}  // namespace
}  // namespace mercer

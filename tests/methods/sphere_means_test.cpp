#include "methods/sphere_means.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

TEST(SphereMeans, FindsDirectionsWhateverTheLengths) {
  Random random(1);
  std::vector<double> rows;
  for (int i = 0; i < 60; ++i) {
    const double length = random.uniform(0.01, 100), angle = (i % 2 ? 0.1 : 1.4) + 0.1 * random.normal();
    rows.insert(rows.end(), {length * std::cos(angle), length * std::sin(angle)});
  }
  const SphereMeans found = sphere_means(rows, 2, std::vector<double>(60, 1), 5, 1);
  EXPECT_TRUE(found.converged);
  for (std::size_t i = 0; i < 60; ++i) EXPECT_EQ(found.assignment[i], std::int32_t(i % 2)) << i;
  EXPECT_NEAR(std::atan2(found.centres[1], found.centres[0]), 1.4, 0.1);
  EXPECT_NEAR(std::atan2(found.centres[3], found.centres[2]), 0.1, 0.1);
  double objective = 0;
  for (std::size_t i = 0; i < 60; ++i)
    objective +=
        1 - (rows[2 * i] * found.centres[2 * (i % 2)] + rows[2 * i + 1] * found.centres[2 * (i % 2) + 1]) /
                std::hypot(rows[2 * i], rows[2 * i + 1]);
  EXPECT_NEAR(found.objective, objective, 1e-12);
}

TEST(SphereMeans, EqualRowsAndRowsOfZerosHaveClustersToo) {
  for (const double value : {1.0, 0.0}) {
    const SphereMeans found = sphere_means(std::vector<double>(8, value), 2, std::vector<double>(4, 1), 3, 1);
    EXPECT_TRUE(found.converged);
    EXPECT_EQ(cluster_weights(found.assignment, 2, std::vector<double>(4, 1))[1] > 0, true);
  }
  EXPECT_EQ(sphere_means(std::vector<double>{-2}, 1, std::vector<double>{1}, 1, 1).centres,
            std::vector<double>{-1});
}

}  // namespace
}  // namespace mercer

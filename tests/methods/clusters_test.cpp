#include "methods/clusters.hpp"

#include <set>

#include "methods/problems.hpp"

namespace mercer {
namespace {

TEST(Clusters, AreDrawnInProportionToTheirMass) {
  Random random(1);
  std::vector<std::size_t> counts(4, 0);
  const std::vector<double> masses{0, 1, 3, 0};
  for (int round = 0; round < 4000; ++round) ++counts[draw(masses, random)];
  EXPECT_EQ(counts[0] + counts[3], 0u);
  EXPECT_NEAR(double(counts[2]), 3000, 150);
}

TEST(Clusters, AreNotLeftEmpty) {
  Assignment assignment{0, 0, 0, 1};
  // The last row is alone in its cluster.
  fill_empty_clusters(assignment, 4, std::vector<double>{1, 5, 3, 100});
  EXPECT_EQ(assignment, (Assignment{0, 2, 3, 1}));
  Assignment equal{0, 0, 0};
  fill_empty_clusters(equal, 3, std::vector<double>{0, 0, 0});
  EXPECT_EQ(std::set<std::int32_t>(equal.begin(), equal.end()).size(), 3u);
}

TEST(Clusters, AreNumberedInTheOrderOfTheRows) {
  Assignment assignment{2, 0, 2, 1};
  EXPECT_EQ(number_by_first_row(assignment, 3), (std::vector<std::size_t>{2, 0, 1}));
  EXPECT_EQ(assignment, (Assignment{0, 1, 0, 2}));
  EXPECT_EQ(cluster_weights(assignment, 3, std::vector<double>{1, 2, 3, 4}), (std::vector<double>{4, 2, 4}));
}

TEST(Clusters, HaveNamesAndSizesAndAreNoMoreThanTheRows) {
  Fitted fitted{.expansion = {.kernel = Kernel::parse("linear")}};
  name_clusters(fitted, {0, 1, 1}, 2);
  EXPECT_EQ(fitted.clusters, (std::vector<std::string>{"1", "2"}));
  EXPECT_EQ(value_label(fitted.report.diagnostics[0], 1), "rows in cluster 2");
  EXPECT_EQ(fitted.report.diagnostics[0].values[1], 2);
  check_cluster_count("kmeans", 3, 3);
  EXPECT_EQ(refusal(ErrorKind::usage, [] { check_cluster_count("kmeans", 3, 1); }),
            "kmeans: 3 clusters of 1 row; there are at most as many clusters as rows");
}

}  // namespace
}  // namespace mercer

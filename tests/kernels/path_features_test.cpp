#include "kernels/path_features.hpp"

#include <gtest/gtest.h>

#include "kernels/random_graphs.hpp"

namespace mercer {
namespace {

TEST(PathFeatures, AreOneForEachPairWithAWayHalfAtEachEnd) {
  const Adjacency chain = adjacency(testing::graphs({{{1, 2, 1, 5}, {{0, 1, 0}, {1, 2, 0}}}}), 0);
  const std::vector<std::int32_t> steps = all_steps(chain, 0);
  EXPECT_EQ(steps, (std::vector<std::int32_t>{0, 1, 2, -1, 1, 0, 1, -1, 2, 1, 0, -1, -1, -1, -1, 0}));
  const std::vector<std::uint64_t> labels{1, 2, 1, 5};
  FeatureRow merged, parts(true), salted;
  add_paths(steps, labels, 0, merged);
  add_paths(steps, labels, 0, parts);
  add_paths(steps, labels, 1, salted);
  ASSERT_EQ(merged.entries().size(), 2u);  // 1 - 2 twice, 1 - - 1
  EXPECT_EQ(merged.entries()[0].value + merged.entries()[1].value, 3);
  std::vector<double> at_node(4);
  for (const auto& entry : parts.entries()) at_node[entry.part.begin] += entry.value;
  EXPECT_EQ(at_node, (std::vector<double>{1, 1, 1, 0}));
  for (const auto& a : merged.entries())
    for (const auto& b : salted.entries()) EXPECT_NE(a.key, b.key);
}

}  // namespace
}  // namespace mercer

#include "cluster/points_message.hpp"

#include <gtest/gtest.h>

#include "cluster/spread_points.hpp"

namespace mercer::cluster {
namespace {

TEST(PointsMessage, GoesThereAndBack) {
  const Points dense = random_rows(7, 3);
  for (const Points& points : {dense, dense.to_sparse(), dense.with_precision(Precision::float32),
                               dense.to_sparse().with_precision(Precision::float32), rows_of(dense, 2, 2)}) {
    const Points back = points_of(bytes_of(points), {"a", "b", "c"});
    EXPECT_EQ(back.storage().index(), points.storage().index());
    EXPECT_EQ(back.names(), (std::vector<std::string>{"a", "b", "c"}));
    ASSERT_EQ(back.rows(), points.rows());
    for (std::size_t i = 0; i < points.rows(); ++i) EXPECT_EQ(back.row(i), points.row(i));
  }
}

TEST(PointsMessage, PartsAreJoinedInOrder) {
  for (const Points& all : {random_rows(9, 2), random_rows(9, 2).to_sparse()}) {
    const Points parts[] = {rows_of(all, 0, 4), rows_of(all, 4, 4), rows_of(all, 4, 9)};
    const Points whole = joined(parts);
    ASSERT_EQ(whole.rows(), 9u);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(whole.row(i), all.row(i));
  }
}

}  // namespace
}  // namespace mercer::cluster

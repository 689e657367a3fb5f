#include "data/density.hpp"

#include "base/copy_of.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::same_points;

template <class T>
Points::Storage copied(const Dense<T>& from) {
  return Dense<T>{from.rows, from.cols, copy_of(from.values)};
}
template <class T>
Points::Storage copied(const Sparse<T>& from) {
  return Sparse<T>{from.rows, from.cols, copy_of(from.starts), copy_of(from.indices), copy_of(from.values)};
}

Points as_held(const Points& points) {
  return Points(dense_where_mostly_non_zero(
      std::visit([](const auto& held) { return copied(held); }, points.storage())));
}

TEST(Density, RowsMostlyNonZeroBecomeDense) {
  const Points full({{1, 2, 0}, {3, 0, 4}, {5, 6, 7}});
  EXPECT_TRUE(mostly_non_zero(full.to_sparse()));
  EXPECT_FALSE(mostly_non_zero(full));  // dense already
  EXPECT_TRUE(same_points(as_held(full.to_sparse()), full));
  EXPECT_TRUE(same_points(as_held(full.to_sparse().with_precision(Precision::float32)),
                          full.with_precision(Precision::float32)));
  EXPECT_TRUE(same_points(as_held(full), full));
}

TEST(Density, HalfIsNotMost) {
  const Points half = Points({{1, 0}, {0, 4}}).to_sparse();
  EXPECT_FALSE(mostly_non_zero(half));
  EXPECT_TRUE(as_held(half).sparse());
  EXPECT_TRUE(as_held(Points(Sparse<double>{0, 4, Buffer<std::size_t>(1, 0), {}, {}})).sparse());
}

TEST(Density, ManyRowsSurviveTheMove) {
  // 21 MB: several blocks, and pages that are given back.
  const Points dense = testing::random_points<double>(3000, 900, 5);
  const Points sparse = dense.to_sparse();
  ASSERT_TRUE(mostly_non_zero(sparse));
  EXPECT_TRUE(same_points(as_held(sparse), dense));
}

TEST(Density, ZerosAreFilledInWhereTheyAreFew) {
  const auto wide = [](std::size_t rows, std::size_t cols) {
    return Points(Sparse<double>{rows, cols, Buffer<std::size_t>(rows + 1, 0), {}, {}});
  };
  EXPECT_TRUE(may_be_dense(wide(1 << 10, 1 << 15)));
  EXPECT_FALSE(may_be_dense(wide(1 << 10, (1 << 15) + 1)));
  EXPECT_TRUE(may_be_dense(wide(0, 1 << 30)));
  EXPECT_TRUE(may_be_dense(Points({{1, 2}})));
}

}  // namespace
}  // namespace mercer

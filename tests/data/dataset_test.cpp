#include "mercer/dataset.hpp"

#include "data/scratch.hpp"

namespace mercer {
namespace {

TEST(Dataset, SelectsRowsWithAllThatBelongsToThem) {
  Dataset data;
  data.points = Points(std::vector<std::vector<double>>{{1, 2}, {3, 4}, {5, 6}});
  data.target = testing::classes({"a", "b", "c"}, {0, 2, 1}, "t");
  data.weights = {0.5, 1, 2};
  data.queries = {7, 8, 9};
  data.schema.target = "t";
  const Dataset some = data.select_rows(std::vector<std::size_t>{2, 0, 2});
  EXPECT_EQ(some.points.row(0), (std::vector<double>{5, 6}));
  EXPECT_EQ(some.points.row(1), (std::vector<double>{1, 2}));
  EXPECT_EQ(some.target.labels, data.target.labels);
  EXPECT_EQ(some.target.codes, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(some.weights, (std::vector<double>{2, 0.5, 2}));
  EXPECT_EQ(some.queries, (std::vector<std::int64_t>{9, 7, 9}));
  EXPECT_EQ(some.schema.target, "t");
  data.weights.clear();
  data.target = testing::real({1, 2, 3});
  EXPECT_EQ(data.select_rows(std::vector<std::size_t>{1}).target.values, std::vector<double>{2});
  EXPECT_TRUE(data.select_rows(std::vector<std::size_t>{1}).weights.empty());
  EXPECT_EQ(data.select_rows({}).rows(), 0u);
}

}  // namespace
}  // namespace mercer

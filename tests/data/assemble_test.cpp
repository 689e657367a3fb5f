#include "data/assemble.hpp"

#include <limits>

#include "data/scratch.hpp"

namespace mercer {
namespace {

const double missing = std::numeric_limits<double>::quiet_NaN();

Parts parts(const std::vector<double>& column, const ReadOptions& options) {
  Dense<double> dense{column.size(), 1, Buffer<double>(column.size())};
  std::copy(column.begin(), column.end(), dense.values.begin());
  Parts result;
  result.storage = std::move(dense);
  result.has_target = true;
  result.target_name = "outcome";
  result.labels = LabelColumn(column.size(), 1, options);
  for (std::size_t i = 0; i < column.size(); ++i) {
    result.labels.set_text(0, i, std::string_view("abcdefgh").substr(i, 1));
    result.weights.push_back(double(i));
    result.queries.push_back(std::int64_t(i));
  }
  return result;
}

TEST(Assemble, AutomaticallyRowsWithoutAWeightDisappearAndOthersAreFilled) {
  const ReadOptions options{.missing = Missing::automatic};
  Parts four = parts({1, missing, 4, 4}, options);
  four.weights[2] = missing;
  const Dataset data = assemble(std::move(four), options, "f");
  EXPECT_EQ(data.rows(), 3u);
  EXPECT_EQ(data.points.row(1), std::vector<double>{3});
  EXPECT_EQ(data.target.labels, (std::vector<std::string>{"a", "b", "d"}));
  EXPECT_EQ(said(data.notes), std::vector<std::string>{"dropped 1 of 4 rows: no target or weight"});
}

TEST(Assemble, DroppedRowsDisappearFromEveryPart) {
  const ReadOptions options{.missing = Missing::drop};
  Parts four = parts({1, missing, 3, 4}, options);
  four.weights[2] = missing;
  const Dataset data = assemble(std::move(four), options, "f");
  EXPECT_EQ(data.rows(), 2u);
  EXPECT_EQ(data.target.name, "outcome");
  EXPECT_EQ(data.target.labels, (std::vector<std::string>{"a", "d"}));
  EXPECT_EQ(data.target.codes, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(data.weights, (std::vector<double>{0, 3}));
  EXPECT_EQ(data.queries, (std::vector<std::int64_t>{0, 3}));
}

TEST(Assemble, MeansOfTheSchemaComeBeforeThoseOfTheRows) {
  Schema schema;
  schema.columns.push_back({"a", {}, 50});
  const ReadOptions options{.missing = Missing::mean, .schema = &schema};
  EXPECT_EQ(assemble(parts({1, missing, 3}, options), options, "f").points.row(1), std::vector<double>{50});
  const ReadOptions alone{.missing = Missing::mean};
  EXPECT_EQ(assemble(parts({1, missing, 3}, alone), alone, "f").points.row(1), std::vector<double>{2});
}

}  // namespace
}  // namespace mercer

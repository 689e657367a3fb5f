#include <cmath>
#include <limits>
#include <stdexcept>

#include "data/assemble.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::refusal;

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

const double nan = std::numeric_limits<double>::quiet_NaN();

Points::Storage dense(std::size_t rows, std::size_t cols, const std::vector<double>& values) {
  Dense<double> result{rows, cols, Buffer<double>(values.size())};
  std::copy(values.begin(), values.end(), result.values.begin());
  return result;
}

TEST(Missing, MeansAreOfTheValuesPresent) {
  const auto means = column_means(dense(3, 3, {1, nan, nan, 2, 4, nan, 6, 5, nan}), 1);
  EXPECT_EQ(means[0], 3);
  EXPECT_EQ(means[1], 4.5);
  EXPECT_TRUE(std::isnan(means[2]));
  EXPECT_EQ(column_means(dense(2, 1, {1.5e308, 1.7e308}), 1)[0], 1.6e308);
}

TEST(Missing, MeansDoNotDependOnThreads) {
  Random random(14);
  std::vector<double> values(30000 * 3);
  for (double& value : values) value = random.normal();
  const auto storage = dense(30000, 3, values);
  EXPECT_EQ(column_means(storage, 1), column_means(storage, 3));
}

TEST(Missing, RowsWithMissingValues) {
  EXPECT_EQ(rows_with_missing(dense(3, 2, {1, 2, nan, 3, 4, nan})), (std::vector<char>{0, 1, 1}));
}

TEST(Missing, FillsWithTheMeanOfTheColumn) {
  auto storage = dense(2, 2, {nan, 2, 3, nan});
  fill_missing(storage, {7, 8}, [](std::size_t) {});
  EXPECT_EQ(Points(std::move(storage)).row(0), (std::vector<double>{7, 2}));
  auto hopeless = dense(1, 2, {1, nan});
  EXPECT_THROW(
      fill_missing(hopeless, {1, nan}, [](std::size_t j) { throw std::out_of_range(std::to_string(j)); }),
      std::out_of_range);
}

TEST(Missing, NumbersThatAreNotFiniteAreRefusedOrMissing) {
  auto storage = dense(2, 2, {1, 2, -HUGE_VAL, 3});
  EXPECT_EQ(refusal([&] { check_finite(storage, "f", Missing::refuse); }),
            "f: row 2, column 1 is -inf; use a finite number, or set missing to mean or drop");
  check_finite(storage, "f", Missing::drop);
  EXPECT_TRUE(std::isnan(std::get<Dense<double>>(storage).values[2]));
}

}  // namespace
}  // namespace mercer

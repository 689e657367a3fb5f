#include <cfloat>
#include <initializer_list>

#include "data/scratch.hpp"
#include "mercer/points.hpp"

namespace mercer {
namespace {

using testing::random_points;
using testing::refusal;
using testing::same_points;

TEST(Points, DefaultsToNothing) {
  const Points points;
  EXPECT_EQ(points.rows(), 0u);
  EXPECT_EQ(points.cols(), 0u);
  EXPECT_FALSE(points.sparse());
  EXPECT_EQ(points.precision(), Precision::float64);
  EXPECT_EQ(points.bytes(), 0u);
}

TEST(Points, ReadWhatSomebodyElseOwnsAndLetGoOfItWithTheLastThatReadsIt) {
  const auto numbers = std::make_shared<const std::vector<double>>(std::vector<double>{1, 2, 3, 4, 5, 6});
  Points named;
  {
    const Points points = Points::borrow(2, 3, std::span(*numbers), numbers);
    EXPECT_EQ(std::get<Dense<double>>(points.storage()).values.data(), numbers->data());
    EXPECT_TRUE(points.borrowed());
    EXPECT_FALSE(points.select_rows(std::vector<std::size_t>{1, 0}).borrowed());
    named = points.with_vocabulary({{7, 8, 9}});
  }
  EXPECT_TRUE(named.borrowed());
  EXPECT_EQ(named.row(1), (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(numbers.use_count(), 2);
  named = Points();
  EXPECT_EQ(numbers.use_count(), 1);
  const std::vector<std::size_t> starts{0, 1, 3};
  const std::vector<std::int32_t> indices{2, 0, 1};
  const std::vector<float> values{5, 6, 7};
  const Points sparse =
      Points::borrow(2, 3, std::span(starts), std::span(indices), std::span(values), numbers);
  EXPECT_EQ(sparse.row(1), (std::vector<double>{6, 7, 0}));
  EXPECT_EQ(numbers.use_count(), 4);
}

TEST(Points, SmallExamplesFromLists) {
  const Points points({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(points.rows(), 2u);
  EXPECT_EQ(points.cols(), 3u);
  EXPECT_EQ(points.row(1), (std::vector<double>{4, 5, 6}));
  EXPECT_EQ(points.stored(), 6u);
  EXPECT_EQ(points.bytes(), 48u);
  EXPECT_EQ(points.name(2), "column 3");
  EXPECT_EQ(refusal([] { Points({{1, 2}, {3}}); }), "points: row 2 has 1 numbers; the first row has 2");
}

TEST(Points, NamesAreOnePerColumnOrNone) {
  Dense<double> dense{1, 2, Buffer<double>(2, 0.0)};
  EXPECT_EQ(refusal([&] { Points(std::move(dense), {"a"}); }),
            "points: 1 names for 2 columns; one for each is needed, or none");
  const Points named(Dense<double>{1, 2, Buffer<double>(2, 0.0)}, {"a", "b"});
  EXPECT_EQ(named.name(1), "b");
  const std::size_t last[] = {1};
  EXPECT_EQ(named.select_columns(last).names(), std::vector<std::string>{"b"});
}

template <class T>
void check_every_form(std::size_t rows, std::size_t cols) {
  const Points dense = random_points<T>(rows, cols, rows * 7 + cols);
  const Points sparse = dense.to_sparse();
  EXPECT_TRUE(sparse.sparse());
  EXPECT_TRUE(same_points(sparse.to_dense(), dense));
  EXPECT_TRUE(same_points(dense.with_precision(Precision::float64).with_precision(dense.precision()), dense));
  EXPECT_TRUE(same_points(sparse.with_precision(Precision::float64).to_dense(),
                          dense.with_precision(Precision::float64)));
  std::vector<std::size_t> chosen, columns;
  for (std::size_t i = 0; i < rows; i += 2) chosen.push_back(rows - 1 - i);
  if (rows > 0) chosen.push_back(0), chosen.push_back(0);
  for (std::size_t j = 0; j < cols; j += 3) columns.push_back(cols - 1 - j);
  if (cols > 0) columns.push_back(0), columns.push_back(0);
  EXPECT_TRUE(same_points(sparse.select_rows(chosen).to_dense(), dense.select_rows(chosen)));
  EXPECT_TRUE(same_points(sparse.select_columns(columns).to_dense(), dense.select_columns(columns)));
  for (std::size_t i = 0; i < chosen.size(); ++i)
    EXPECT_EQ(dense.select_rows(chosen).row(i), sparse.row(chosen[i]));
}

TEST(Points, SelectionAndConversionAgreeForEveryStorage) {
  for (const std::size_t rows : {0, 1, 2, 17, 300})
    for (const std::size_t cols : {0, 1, 2, 5, 33}) {
      check_every_form<float>(rows, cols);
      check_every_form<double>(rows, cols);
    }
}

TEST(Points, WhatIsNotThereCannotBeChosen) {
  const Points points({{1, 2}});
  const std::size_t far[] = {2};
  std::vector<double> room(1);
  EXPECT_EQ(refusal([&] { points.select_rows(far); }),
            "points: row 2 was asked for; there are 1, counted from 0");
  EXPECT_EQ(refusal([&] { points.select_columns(far); }),
            "points: column 2 was asked for; there are 2, counted from 0");
  EXPECT_EQ(refusal([&] { points.copy_row(5, room); }),
            "points: row 5 was asked for; there are 1, counted from 0");
  EXPECT_EQ(refusal([&] { points.copy_row(0, room); }), "points: room for 1 numbers was given; a row has 2");
}

TEST(Points, ANumberTooLargeForAFloatIsNotMadeInfinite) {
  EXPECT_EQ(refusal([] {
              Points({{1e39, 0}}).with_precision(Precision::float32);
            }),
            "1e+39 is too large for a float32; use float64");
}

template <class T>
Buffer<T> buffer(std::initializer_list<T> values) {
  Buffer<T> result(values.size());
  std::copy(values.begin(), values.end(), result.begin());
  return result;
}

Sparse<double> sparse(std::size_t rows, std::size_t cols, std::initializer_list<std::size_t> starts,
                      std::initializer_list<std::int32_t> indices, std::initializer_list<double> values) {
  return {rows, cols, buffer(starts), buffer(indices), buffer(values)};
}

TEST(Validate, DenseSizesMustAgree) {
  EXPECT_EQ(refusal([] {
              Points(Dense<float>{2, 3, Buffer<float>(5, 0.f)});
            }),
            "points: 2 rows of 3 columns need 6 values; there are 5");
  EXPECT_EQ(refusal([] {
              Points(Dense<double>{std::size_t(1) << 40, std::size_t(1) << 40, {}});
            }),
            "points: 1099511627776 rows of 1099511627776 columns are more than memory can hold");
}

TEST(Validate, GoodSparsePointsPass) {
  EXPECT_EQ(Points(sparse(3, 4, {0, 2, 2, 3}, {0, 3, 1}, {1, 2, 3})).stored(), 3u);
  EXPECT_EQ(Points(sparse(0, 4, {0}, {}, {})).rows(), 0u);
}

TEST(Validate, SparseStorageThatContradictsItselfIsRefused) {
  EXPECT_EQ(refusal([] {
              Points(sparse(2, 4, {0, 1}, {0}, {1}));
            }),
            "points: 2 rows need 3 starts; there are 2");
  EXPECT_EQ(refusal([] {
              Points(sparse(1, 4, {0, 1}, {0, 1}, {1}));
            }),
            "points: 2 indices for 1 values; one for each is needed");
  const std::string starts = "points: starts must ascend from 0 to the 2 entries";
  EXPECT_EQ(refusal([] { Points(sparse(2, 4, {0, 2, 1}, {0, 1}, {1, 2})); }), starts);
  EXPECT_EQ(refusal([] { Points(sparse(2, 4, {1, 1, 2}, {0, 1}, {1, 2})); }), starts);
  EXPECT_EQ(refusal([] { Points(sparse(2, 4, {0, 3, 2}, {0, 1}, {1, 2})); }), starts);
  const std::string indices = "points: the indices of row 0 must ascend strictly and be below 4";
  EXPECT_EQ(refusal([] { Points(sparse(1, 4, {0, 2}, {1, 0}, {1, 2})); }), indices);
  EXPECT_EQ(refusal([] { Points(sparse(1, 4, {0, 2}, {1, 1}, {1, 2})); }), indices);
  EXPECT_EQ(refusal([] { Points(sparse(1, 4, {0, 2}, {1, 4}, {1, 2})); }), indices);
  EXPECT_EQ(refusal([] { Points(sparse(1, 4, {0, 2}, {-1, 2}, {1, 2})); }), indices);
  EXPECT_EQ(refusal([] { Points(sparse(0, std::size_t(1) << 31, {0}, {}, {})); }),
            "points: 2147483648 columns are too many for sparse points; at most 2147483647 can be");
}

}  // namespace
}  // namespace mercer

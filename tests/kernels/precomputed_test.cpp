#include "mercer/kernels/precomputed.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/refusal.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/methods.hpp"
#include "mercer/model.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using Rows = std::vector<std::vector<double>>;

/// The dot products with `others`.
Rows products(const Rows& points, const Rows& others) {
  Rows rows(points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    for (const auto& other : others)
      rows[i].push_back(std::inner_product(other.begin(), other.end(), points[i].begin(), 0.0));
  return rows;
}

std::string refused(const Rows& rows) {
  return refusal(ErrorKind::data, [&] { KernelOperator<double>(precomputed(), kernel_rows(Points(rows))); });
}

// Of all rows, of some in another order, and between new rows and some; what is read by tiles, by columns,
// by rows that lie anywhere and after a selection is the same.
TEST(Precomputed, ReadsTheValueInTheColumnOfTheId) {
  const Rows points = random_rows(9, 3, 1), others = random_rows(4, 3, 2), table = products(points, points);
  const std::vector<std::size_t> chosen{7, 2, 5};
  for (const Kind kind : {Kind::dense64, Kind::sparse64}) {
    const Points own = kernel_rows(as_points(table, kind)), some = own.select_rows(chosen),
                 foreign = as_points(products(others, points), kind);
    EXPECT_EQ(std::vector(some.ids().begin(), some.ids().end()), chosen);
    std::vector<double> K(12), columns(12), square(81), selected(9), part(9), diagonal(3);
    const KernelOperator<double> cross(precomputed(), foreign, some);
    cross.matrix(K);
    cross.columns(std::vector<std::size_t>{0, 1, 2}, columns);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        EXPECT_EQ(K[i * 3 + j], products(others, points)[i][chosen[j]]);
        EXPECT_EQ(columns[j * 4 + i], K[i * 3 + j]);
      }
    const KernelOperator<double> whole(precomputed(), own), subset(precomputed(), some);
    whole.matrix(square);
    for (std::size_t e = 0; e < 81; ++e) EXPECT_EQ(square[e], table[e / 9][e % 9]);
    subset.matrix(part);
    for (std::size_t e = 0; e < 9; ++e) EXPECT_EQ(part[e], table[chosen[e / 3]][chosen[e % 3]]);
    whole.select(chosen).matrix(selected);
    EXPECT_EQ(selected, part);
    whole.square(chosen, selected);
    EXPECT_EQ(selected, part);
    whole.block(chosen, {0, 9}, row_pointers(square.data(), 3, 9));
    for (std::size_t e = 0; e < 27; ++e) EXPECT_EQ(square[e], table[chosen[e / 9]][e % 9]);
    subset.diagonal(diagonal);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(diagonal[i], part[i * 4]);
    // In an expression it is a tile like any other.
    KernelOperator<double>(Kernel::parse("2*precomputed"), some).matrix(selected);
    for (std::size_t e = 0; e < 9; ++e) EXPECT_EQ(selected[e], 2 * part[e]);
  }
}

TEST(Precomputed, IsReadWhereItIs) {
  const Points own = kernel_rows(Points(Rows{{2, 1}, {1, 2}}));
  EXPECT_EQ(KernelOperator<double>(precomputed(), own).held(),
            std::get<Dense<double>>(own.storage()).values.data());
  EXPECT_EQ(KernelOperator<float>(precomputed(), own).held(), nullptr);
}

TEST(Precomputed, LearnsWhatTheKernelItselfLearnsAndKeepsTheIdsAlone) {
  const Rows points = random_rows(60, 3, 3), others = random_rows(20, 3, 4);
  Dataset plain, given;
  plain.target = {.task = Task::classification, .labels = {"a", "b"}};
  for (const auto& x : points) plain.target.codes.push_back(x[0] + x[1] > 0.1);
  plain.points = Points(points);
  given.target = plain.target;
  given.points = kernel_rows(Points(products(points, points)));
  const FitOptions options{.tolerance = 1e-5, .probabilities = true};
  const Model expected = fit(Svm{}, Kernel::parse("linear"), plain, options),
              model = fit(Svm{}, precomputed(), given, options);
  EXPECT_NEAR(model.fitted.report.objective, expected.fitted.report.objective, 1e-4);
  EXPECT_NEAR(model.fitted.slopes[0], expected.fitted.slopes[0], 2e-3);
  EXPECT_EQ(model.fitted.expansion.points.stored(), 0u);
  EXPECT_EQ(model.fitted.expansion.points.ids().size(), model.fitted.expansion.points.rows());
  const std::vector<double> scores = model.predict(Points(products(others, points))).scores;
  const std::vector<double> wanted = expected.predict(Points(others)).scores;
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(scores[i], wanted[i], 1e-3);
}

TEST(Precomputed, ReadsLibsvmsLayoutWithTheNumberOfTheRowInFront) {
  const Points rows = kernel_rows(Points(Rows{{2, 2, 3}, {1, 4, 2}}));
  EXPECT_EQ(std::vector(rows.ids().begin(), rows.ids().end()), (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(rows.row(0), (std::vector<double>{2, 3}));
  std::vector<double> K(4);
  KernelOperator<double>(precomputed(), rows).matrix(K);
  EXPECT_EQ(K, (std::vector<double>{3, 2, 2, 4}));
  EXPECT_EQ(refused({{1, 4, 2}, {1, 4, 2}, {2, 2, 3}, {2, 2, 3}}), "no error");
}

TEST(Precomputed, RefusesNumbersThatNameNoColumn) {
  const std::string range =
      " in its first column; precomputed needs a symmetric kernel matrix, or rows of a whole number from 1 "
      "to 2 "
      "and that many values";
  EXPECT_EQ(refused({{1, 1, 0}, {0, 0, 1}}), "row 2 has the serial number 0" + range);
  EXPECT_EQ(refused({{3, 1, 0}, {2, 0, 1}}), "row 1 has the serial number 3" + range);
  EXPECT_EQ(refused({{1.5, 1, 0}}), "row 1 has the serial number 1.5" + range);
  EXPECT_EQ(refused({{-1, 1, 0}}), "row 1 has the serial number -1" + range);
  EXPECT_EQ(
      refused({{1, 1, 0}, {1, 0, 1}}),
      "rows 1 and 2 both have the serial number 1, but different values; give each row a number of its own");
  EXPECT_EQ(refused({{1}}), "precomputed needs a symmetric kernel matrix; the data have 1 column");
  const Points table(Rows{{1, 0}, {0, 1}});
  EXPECT_EQ(refusal(ErrorKind::data, [&] { KernelOperator<double>(precomputed(), table); }),
            "precomputed needs rows of a kernel matrix, and these have no ids; make them by kernel_rows() or "
            "Points::with_ids()");
  EXPECT_EQ(refusal(ErrorKind::data,
                    [&] {
                      (void)table.with_ids({0, 2});
                    }),
            "points: the id 2 names no column; there are 2, counted from 0");
  EXPECT_EQ(refusal(ErrorKind::data, [&] { (void)table.with_ids({0}); }),
            "points: 1 ids for 2 rows; one for each is needed");
}

TEST(Precomputed, IsNotProvedAndKnowsNoNormOfNewRows) {
  EXPECT_FALSE(precomputed().prove().psd);
  EXPECT_EQ(Kernel::parse("0.5*precomputed").text(), "0.5*precomputed");
  const Points own = kernel_rows(Points(Rows{{4, 2}, {2, 3}})), foreign(Rows{{1, 1}});
  EXPECT_NE(refusal(ErrorKind::data,
                    [&] {
                      std::vector<double> K(2);
                      KernelOperator<double>(Kernel::parse("normalize(precomputed)"), foreign, own).matrix(K);
                    })
                .find("not a number"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer

#include "mercer/kernels/precomputed.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/methods.hpp"
#include "mercer/model.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using Rows = std::vector<std::vector<double>>;

/// Rows of a serial number and the dot products with `others`.
Rows table(const Rows& points, const Rows& others, const std::vector<double>& serials) {
  Rows rows;
  for (std::size_t i = 0; i < points.size(); ++i) {
    rows.push_back({serials[i]});
    for (const auto& other : others) {
      double dot = 0;
      for (std::size_t c = 0; c < other.size(); ++c) dot += points[i][c] * other[c];
      rows.back().push_back(dot);
    }
  }
  return rows;
}
std::vector<double> counted(std::size_t n) {
  std::vector<double> serials;
  for (std::size_t i = 0; i < n; ++i) serials.push_back(double(i + 1));
  return serials;
}

std::string refused(const Rows& rows) {
  return refusal(ErrorKind::data, [&] { KernelOperator<double>(precomputed(), Points(rows)); });
}

TEST(Precomputed, ReadsTheValueInTheColumnOfTheSerialNumber) {
  const Rows points = random_rows(9, 3, 1), others = random_rows(4, 3, 2);
  const Rows own = table(points, points, counted(9)), foreign = table(others, points, {0, -1, 2.5, 1e9});
  const std::vector<std::size_t> chosen{7, 2, 5};
  Rows some, plain;
  for (const std::size_t i : chosen) some.push_back(own[i]), plain.push_back(points[i]);
  for (const Kind kind : {Kind::dense64, Kind::sparse64}) {
    std::vector<double> K(12), columns(12), expected(12), square(81), expected_square(81);
    const KernelOperator<double> gram(precomputed(), as_points(foreign, kind), as_points(some, kind),
                                      {.storage = OperatorOptions::Storage::recomputed});
    const KernelOperator<double> linear(Kernel::parse("linear"), as_points(others), as_points(plain));
    gram.matrix(K);
    linear.matrix(expected);
    for (std::size_t e = 0; e < 12; ++e) EXPECT_NEAR(K[e], expected[e], 1e-14);
    // Turned: the reference points are the rows of its tiles.
    gram.columns(std::vector<std::size_t>{0, 1, 2}, columns);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(columns[j * 4 + i], K[i * 3 + j]);
    KernelOperator<double>(precomputed(), as_points(own, kind)).matrix(square);
    KernelOperator<double>(Kernel::parse("linear"), as_points(points)).matrix(expected_square);
    for (std::size_t e = 0; e < 81; ++e) EXPECT_NEAR(square[e], expected_square[e], 1e-14);
  }
}

TEST(Precomputed, LearnsWhatTheKernelItselfLearnsAndKeepsTheSerialNumbers) {
  const Rows points = random_rows(60, 3, 3), others = random_rows(20, 3, 4);
  Dataset plain, numbered;
  plain.target = {.task = Task::classification, .labels = {"a", "b"}};
  for (const auto& x : points) plain.target.codes.push_back(x[0] + x[1] > 0.1);
  plain.points = Points(points);
  numbered.target = plain.target;
  numbered.points = Points(table(points, points, counted(60)));
  const FitOptions options{.tolerance = 1e-5, .allow_indefinite = true, .probabilities = true};
  const Model expected = fit(Svm{}, Kernel::parse("linear"), plain, options),
              model = fit(Svm{}, precomputed(), numbered, options);
  EXPECT_NEAR(model.fitted.report.objective, expected.fitted.report.objective, 1e-4);
  EXPECT_NEAR(model.fitted.slopes[0], expected.fitted.slopes[0], 2e-3);
  EXPECT_EQ(model.fitted.expansion.points.stored(), model.fitted.expansion.points.rows());
  const std::vector<double> scores =
      model.predict(Points(table(others, points, std::vector<double>(20, 7)))).scores;
  const std::vector<double> wanted = expected.predict(Points(others)).scores;
  for (std::size_t i = 0; i < 20; ++i) EXPECT_NEAR(scores[i], wanted[i], 1e-3);
}

TEST(Precomputed, RefusesNumbersThatNameNoColumn) {
  const std::string range =
      " in its first column; precomputed needs a whole number from 1 to 2, the number of values in a row";
  EXPECT_EQ(refused({{1, 1, 0}, {0, 0, 1}}), "row 2 has the serial number 0" + range);
  EXPECT_EQ(refused({{3, 1, 0}, {2, 0, 1}}), "row 1 has the serial number 3" + range);
  EXPECT_EQ(refused({{1.5, 1, 0}}), "row 1 has the serial number 1.5" + range);
  EXPECT_EQ(refused({{-1, 1, 0}}), "row 1 has the serial number -1" + range);
  EXPECT_EQ(
      refused({{1, 1, 0}, {1, 0, 1}}),
      "rows 1 and 2 both have the serial number 1, but different values; give each row a number of its own");
  EXPECT_EQ(
      refused({{1}}),
      "precomputed needs rows of a serial number and the values with rows 1, 2, …; the data have 1 column");
  EXPECT_EQ(refused({{1, 4, 2}, {1, 4, 2}, {2, 2, 3}}), "no error");
}

TEST(Precomputed, IsNotProvedAndKnowsNoNormOfNewRows) {
  EXPECT_FALSE(precomputed().prove().psd);
  EXPECT_EQ(Kernel::parse("0.5*precomputed").text(), "0.5*precomputed");
  const Points own(Rows{{1, 4, 2}, {2, 2, 3}}), foreign(Rows{{1, 1, 1}});
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

#include "mercer/scaling.hpp"

#include <cmath>

#include "base/copy_of.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::refusal;
using Kind = Scaling::Kind;

const std::vector<std::vector<double>> rows = {{1, 5, -2}, {3, 5, 0}, {8, 5, 4}};

TEST(Scaling, StandardGivesMeanZeroAndDeviationOne) {
  const Points points(rows);
  const Points scaled = Scaling::fit(Kind::standard, points).apply(points);
  for (const std::size_t j : {0, 2}) {
    double sum = 0, squares = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      sum += scaled.row(i)[j];
      squares += scaled.row(i)[j] * scaled.row(i)[j];
    }
    EXPECT_NEAR(sum, 0, 1e-14);
    EXPECT_NEAR(squares / 3, 1, 1e-14);
  }
  EXPECT_EQ(scaled.row(1)[1], 0);  // constant
}

TEST(Scaling, MinmaxFillsTheUnitInterval) {
  const Points points(rows);
  const Points scaled = Scaling::fit(Kind::minmax, points).apply(points);
  EXPECT_EQ(scaled.row(0), (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(scaled.row(2), (std::vector<double>{1, 0, 1}));
  const Points other = Scaling::fit(Kind::minmax, points).apply(Points({{15, 7, -8}}));
  EXPECT_EQ(other.row(0), (std::vector<double>{2, 2, -1}));
}

TEST(Scaling, AColumnFarFromZeroKeepsItsSpread) {
  const Points points({{1e9 + 1, 0}, {1e9 + 2, 0}, {1e9 + 3, 0}});
  EXPECT_NEAR(Scaling::fit(Kind::standard, points).scale()[0], 1 / std::sqrt(2.0 / 3), 1e-9);
}

TEST(Scaling, SparsePointsMeanTheSameAndBecomeDense) {
  const Points thin({{0, 0, 1e6}, {0, 7, 0}, {3, 0, 0}, {0, 0, 0}});
  const Points far({{1013, 1e6 + 1, 0}, {1007, 1e6, 0}, {1019, 1e6 - 1, 2}});
  for (const Points& points :
       {thin, far, testing::random_points<double>(3000, 4, 9), testing::random_points<float>(50, 3, 9)})
    for (const Kind kind : {Kind::standard, Kind::minmax}) {
      const Scaling dense = Scaling::fit(kind, points), sparse = Scaling::fit(kind, points.to_sparse());
      EXPECT_EQ(dense.shift(), sparse.shift());
      EXPECT_EQ(dense.scale(), sparse.scale());
      EXPECT_TRUE(testing::same_points(sparse.apply(points.to_sparse()), dense.apply(points)));
      EXPECT_EQ(sparse.note(), "");
    }
}

/// Rows too many and too wide to fill in their zeros, with these first columns again and again.
Points too_wide(const std::vector<std::vector<double>>& first) {
  std::vector<std::vector<double>> rows;
  while (rows.size() <= 32) rows.insert(rows.end(), first.begin(), first.end());
  const Points points = Points(rows).to_sparse();
  const auto& held = std::get<Sparse<double>>(points.storage());
  return Points(Sparse<double>{held.rows, std::size_t(1) << 20, copy_of(held.starts), copy_of(held.indices),
                               copy_of(held.values)});
}

// A column of 1e6 ± 1 keeps its deviation, and zeros that are not stored count.
TEST(Scaling, LargeSparsePointsAreDividedButNotShifted) {
  const std::vector<std::vector<double>> numbers = {{1e6 + 1, 0, 2}, {1e6, 6, 2}, {1e6 - 1, 0, 2}};
  const Points points = too_wide(numbers);
  const double deviation = std::sqrt(2.0 / 3);
  const Scaling standard = Scaling::fit(Kind::standard, points);
  EXPECT_TRUE(standard.shift().empty());
  EXPECT_NEAR(standard.scale()[0], 1 / deviation, 1e-9);
  EXPECT_NEAR(standard.scale()[1], 1 / std::sqrt(8.0), 1e-15);
  EXPECT_EQ(standard.scale()[2], 1);  // constant
  EXPECT_EQ(standard.scale()[3], 1);
  const Points scaled = standard.apply(points);
  EXPECT_TRUE(scaled.sparse());
  EXPECT_EQ(scaled.stored(), points.stored());
  EXPECT_NE(standard.note().find("divided by its standard deviation, but its mean is not subtracted"),
            std::string::npos);
  const Scaling minmax = Scaling::fit(Kind::minmax, points);
  EXPECT_EQ(minmax.scale()[0], 0.5);
  EXPECT_EQ(minmax.scale()[1], 1.0 / 6);
  EXPECT_NE(minmax.note().find("divided by its maximum − minimum, but its minimum is not subtracted"),
            std::string::npos);
  EXPECT_EQ(Scaling().note(), "");
}

// As models of before version 0.7 have it: sparse rows were divided by their root mean square.
TEST(Scaling, WithoutShiftsLeavesSparsePointsSparse) {
  const Points points = Points({{3, 0}, {0, 4}}).to_sparse();
  const Points scaled = Scaling(Kind::standard, {}, {2, 0.5}).apply(points);
  EXPECT_TRUE(scaled.sparse());
  EXPECT_EQ(scaled.row(0), (std::vector<double>{6, 0}));
  EXPECT_EQ(scaled.row(1), (std::vector<double>{0, 2}));
}

TEST(Scaling, HugeNumbersAreLeftAlone) {
  const Points points({{1.5e308, 1}, {-1.5e308, 2}});
  for (const Kind kind : {Kind::standard, Kind::minmax})
    EXPECT_EQ(Scaling::fit(kind, points).apply(points).row(0)[0], 1.5e308);
}

TEST(Scaling, PrecisionAndNamesAreKept) {
  const Points points = testing::random_points<float>(50, 3, 40);
  EXPECT_EQ(Scaling::fit(Kind::minmax, points).apply(points).precision(), Precision::float32);
  const Points named(Dense<double>{1, 1, Buffer<double>(1, 2.0)}, {"a"});
  EXPECT_EQ(Scaling::fit(Kind::standard, named).apply(named).name(0), "a");
}

TEST(Scaling, NoneChangesNothing) {
  const Points points(rows);
  EXPECT_TRUE(testing::same_points(Scaling().apply(points), points));
  EXPECT_TRUE(testing::same_points(Scaling::fit(Kind::none, points).apply(points), points));
}

// A shift fills the zeros.
TEST(Scaling, FittedToDensePointsMakesSparseOnesDense) {
  const Points points(rows);
  const Scaling scaling = Scaling::fit(Kind::standard, points);
  EXPECT_TRUE(testing::same_points(scaling.apply(points.to_sparse()), scaling.apply(points)));
}

TEST(Scaling, RefusesWhatDoesNotFit) {
  const Points points(rows);
  const Scaling scaling = Scaling::fit(Kind::standard, points);
  EXPECT_EQ(refusal([&] {
              scaling.apply(Points({{1, 2}}));
            }),
            "scaling: it was fitted to 3 columns; these points have 2");
  EXPECT_EQ(Scaling::kind_named("minmax"), Kind::minmax);
  EXPECT_EQ(refusal([] { Scaling::kind_named("standart"); }),
            "unknown scaling 'standart'; did you mean 'standard'? it is none, standard or minmax");
}

}  // namespace
}  // namespace mercer

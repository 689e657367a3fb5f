#include "mercer/scaling.hpp"

#include <cmath>

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
  EXPECT_EQ(scaled.row(1)[1], 5);
}

TEST(Scaling, MinmaxFillsTheUnitInterval) {
  const Points points(rows);
  const Points scaled = Scaling::fit(Kind::minmax, points).apply(points);
  EXPECT_EQ(scaled.row(0), (std::vector<double>{0, 5, 0}));
  EXPECT_EQ(scaled.row(2), (std::vector<double>{1, 5, 1}));
  const Points other = Scaling::fit(Kind::minmax, points).apply(Points({{15, 7, -8}}));
  EXPECT_EQ(other.row(0), (std::vector<double>{2, 7, -1}));
}

TEST(Scaling, AColumnFarFromZeroKeepsItsSpread) {
  const Points points({{1e9 + 1, 0}, {1e9 + 2, 0}, {1e9 + 3, 0}});
  EXPECT_NEAR(Scaling::fit(Kind::standard, points).scale()[0], 1 / std::sqrt(2.0 / 3), 1e-9);
}

TEST(Scaling, SparsePointsKeepTheirZeros) {
  const Points points = Points({{3, 0, 2}, {-4, 0, 2}, {0, 5, 2}}).to_sparse();
  const Points standard = Scaling::fit(Kind::standard, points).apply(points);
  EXPECT_TRUE(standard.sparse());
  EXPECT_EQ(standard.stored(), points.stored());
  EXPECT_NEAR(standard.row(0)[0], 3 / std::sqrt(25.0 / 3), 1e-15);
  EXPECT_EQ(standard.row(0)[2], 2);  // constant
  const Points minmax = Scaling::fit(Kind::minmax, points).apply(points);
  EXPECT_EQ(minmax.row(1), (std::vector<double>{-1, 0, 2}));
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

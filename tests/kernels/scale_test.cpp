#include "kernels/scale.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/refusal.hpp"
#include "kernels/catalogue.hpp"
#include "kernels/leaf_value.hpp"
#include "mercer/dataset.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using Rows = std::vector<std::vector<double>>;

double variance(const Rows& rows) {
  double count = 0, sum = 0, squares = 0;
  for (const auto& row : rows)
    for (const double value : row) ++count, sum += value;
  for (const auto& row : rows)
    for (const double value : row) squares += (value - sum / count) * (value - sum / count);
  return squares / count;
}

double median_by_sorting(const Rows& rows) {
  std::vector<double> distances;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      double squared = 0;
      for (std::size_t k = 0; k < rows[i].size(); ++k) squared += std::pow(rows[i][k] - rows[j][k], 2);
      if (squared > 0) distances.push_back(std::sqrt(squared));
    }
  std::ranges::sort(distances);
  return distances[distances.size() / 2];
}

TEST(ScaleWord, IsOneOverDimensionTimesVarianceInEveryStorage) {
  const Rows rows = random_rows(40, 7, 1, false, 0.5);
  const double expected = 1 / (7 * variance(rows));
  for (const Kind kind : {Kind::dense64, Kind::dense32, Kind::sparse64, Kind::sparse32}) {
    const Kernel k = rbf().resolve(as_points(rows, kind));
    EXPECT_NEAR(leaf_value(k, "gamma") / expected, 1, 1e-12);
    EXPECT_EQ(k.text(), "rbf(gamma=" + to_text(leaf_value(k, "gamma")) + ")");
  }
}

TEST(ScaleWord, CountsColumnsThatAreEmpty) {
  const Points sparse(Sparse<double>{
      .rows = 2, .cols = 10, .starts = Buffer<std::size_t>(3, 0), .indices = {}, .values = {}});
  EXPECT_EQ(leaf_value(rbf().resolve(sparse), "gamma"), 1) << "all zero: as scikit-learn's";
  Rows rows(2, std::vector<double>(10));
  rows[1][3] = 5;
  EXPECT_NEAR(leaf_value(rbf().resolve(Points(rows).to_sparse()), "gamma"), 1 / (10 * variance(rows)), 1e-15);
}

TEST(ScaleWord, SurvivesALargeMean) {
  Rows rows = random_rows(50, 3, 2);
  for (auto& row : rows)
    for (double& value : row) value += 1e6;
  EXPECT_NEAR(leaf_value(rbf().resolve(Points(rows)), "gamma") * 3 * variance(rows), 1, 1e-9);
}

TEST(Auto, IsOneOverDimension) {
  for (const std::size_t d : {1u, 3u, 7u}) {
    const Points points(random_rows(20, d, d));
    EXPECT_EQ(leaf_value(rbf({.gamma = automatic}).resolve(points), "gamma"), 1.0 / double(d));
    EXPECT_EQ(leaf_value(rbf({.gamma = automatic}).resolve(points.to_sparse()), "gamma"), 1.0 / double(d));
    EXPECT_EQ(leaf_value(rbf({.sigma = automatic}).resolve(points), "sigma"), std::sqrt(double(d) / 2));
  }
  EXPECT_EQ(Kernel::parse("rbf(gamma=auto)").resolve(Points({{5, 5}, {5, 5}})).text(), "rbf(gamma=0.5)");
}

TEST(Median, IsTheMedianDistanceOfDistinctPoints) {
  for (const std::size_t n : {2u, 3u, 4u, 31u}) {
    Rows rows = random_rows(n, 3, n);
    if (n > 3) rows[2] = rows[1];
    const double expected = median_by_sorting(rows);
    for (const Kind kind : {Kind::dense64, Kind::sparse64})
      EXPECT_DOUBLE_EQ(leaf_value(rbf({.sigma = median}).resolve(as_points(rows, kind)), "sigma"), expected);
  }
}

TEST(Median, LooksAtAThousandEvenlySpacedRows) {
  const Rows rows = random_rows(2500, 2, 3);
  Rows sample;
  for (std::size_t i = 0; i < 1000; ++i) sample.push_back(rows[i * 2500 / 1000]);
  EXPECT_DOUBLE_EQ(leaf_value(rbf({.sigma = median}).resolve(Points(rows)), "sigma"),
                   median_by_sorting(sample));
}

TEST(Words, StandForTheSameLengthInEveryRole) {
  const Points points(random_rows(20, 4, 4));
  for (const Scale word : {Scale(Scale::Kind::scale), automatic, median}) {
    const double sigma = std::sqrt(twice_squared_length(word.kind, points) / 2);
    EXPECT_NEAR(leaf_value(rbf({.gamma = word}).resolve(points), "gamma"), 0.5 / (sigma * sigma), 1e-15);
    EXPECT_EQ(leaf_value(rbf({.sigma = word}).resolve(points), "sigma"), sigma);
    EXPECT_EQ(leaf_value(laplace({.lambda = word}).resolve(points), "lambda"), 1 / sigma);
    EXPECT_EQ(leaf_value(matern({.length = word}).resolve(points), "length"), sigma);
    EXPECT_EQ(leaf_value(exponential({.sigma = word}).resolve(points), "sigma"), sigma);
  }
}

TEST(Words, HaveNumbersWhereThePointsAreAllEqual) {
  for (const Points& equal : {Points({{3, 3}, {3, 3}}), Points(Rows{{7}})}) {
    EXPECT_EQ(twice_squared_length(Scale::Kind::scale, equal), 1);
    EXPECT_EQ(twice_squared_length(Scale::Kind::automatic, equal), double(equal.cols()));
    EXPECT_EQ(twice_squared_length(Scale::Kind::median, equal), 2);
  }
  for (const auto word : {Scale::Kind::scale, Scale::Kind::automatic, Scale::Kind::median})
    EXPECT_EQ(twice_squared_length(word, Points()), 2);
  EXPECT_EQ(laplace({.lambda = median}).resolve(Points({{3, 3}, {3, 3}})).text(), "laplace(lambda=1)");
}

TEST(Words, ArePrintedAndRead) {
  for (const char* text : {"rbf(gamma=scale)", "rbf(gamma=auto)", "rbf(sigma=median)", "laplace(lambda=auto)",
                           "matern(nu=1.5, length=scale)"})
    EXPECT_EQ(Kernel::parse(text).text(), text);
  EXPECT_EQ(Kernel::parse("rbf").text(), "rbf(gamma=scale)");
  EXPECT_EQ(text_of(Scale::Kind::number), "");
  EXPECT_FALSE(scale_kind("variance"));
}

TEST(Words, AreResolvedInEveryLeafThatTakesThem) {
  const Points points(random_rows(10, 3, 5));
  int tried = 0;
  for (const auto& leaf : leaves())
    for (const auto& p : leaf->parameters()) {
      if (!p.alternative) continue;
      for (const char* word : {"scale", "auto", "median"}) {
        AnyLeaf copy = leaf;
        p.set(*copy, Word{word});
        EXPECT_TRUE(has_words(*copy));
        const Kernel k = make_kernel(std::move(copy)), resolved = k.resolve(points);
        EXPECT_FALSE(k.resolved()) << k.text();
        EXPECT_TRUE(resolved.resolved()) << resolved.text();
        EXPECT_GT(leaf_value(resolved, p.name), 0);
        EXPECT_EQ(Kernel::parse(resolved.text()).text(), resolved.text());
        ++tried;
      }
    }
  EXPECT_GE(tried, 18);
}

TEST(Words, SeeThePointsThatTheirLeafSees) {
  const Rows rows = random_rows(30, 3, 6);
  const auto gamma = [](const Rows& seen) {
    return to_text(leaf_value(rbf().resolve(Points(seen)), "gamma"));
  };
  Rows squares = rows, second, outer;
  for (auto& row : squares)
    for (double& value : row) value *= value;
  for (const auto& row : rows) second.push_back({row[1]});
  for (const auto& row : squares) outer.push_back({row[2], row[0]});
  const Kernel k = Kernel::parse(
      "rbf + mapped(rbf, by=squares) + 2*rbf@2 + exp(normalize(rbf)*weighted(rbf, by=norm)^2)"
      " + mapped(rbf@[3, 1], by=squares)");
  const std::string own = gamma(rows);
  EXPECT_EQ(k.resolve(Points(rows)).text(),
            "rbf(gamma=" + own + ") + mapped(rbf(gamma=" + gamma(squares) + "), by=squares) + 2*rbf(gamma=" +
                gamma(second) + ")@\"2\" + exp(normalize(rbf(gamma=" + own + "))*weighted(rbf(gamma=" + own +
                "), by=norm)^2) + mapped(rbf(gamma=" + gamma(outer) + ")@[\"3\", \"1\"], by=squares)");
}

TEST(Words, AreLeftAloneWhereThereAreNone) {
  const Kernel k = Kernel::parse("rbf(gamma=2) + linear");
  EXPECT_TRUE(k.resolved());
  EXPECT_EQ(&k.resolve(Points({{1, 2}})).node(), &k.node());
}

TEST(MatrixFile, IsReadByResolve) {
  const ScratchFolder folder;
  const std::string path = folder / "metric.npy";
  write(path, {.points = Points({{2, 1}, {1, 3}})});
  const Kernel k = Kernel::parse("1 + quadratic_form(A=\"" + path + "\")");
  EXPECT_FALSE(k.resolved());
  EXPECT_EQ(k.text(), "constant(c=1) + quadratic_form(A=\"" + path + "\")");
  EXPECT_EQ(k.resolve(Points({{1, 2}})).text(), "constant(c=1) + quadratic_form(A=[[2, 1], [1, 3]])");
}

TEST(MatrixFile, IsCheckedByResolve) {
  const ScratchFolder folder;
  write(folder / "bad.npy", {.points = Points({{1, 2}, {2, 1}})});
  const auto resolve = [&](const std::string& name) {
    quadratic_form({.A = {.file = folder / name}}).resolve(Points({{1, 2}}));
  };
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { resolve("bad.npy"); }),
            "quadratic_form: A must be positive semidefinite, but its smallest eigenvalue is -1");
  EXPECT_EQ(refusal(ErrorKind::data, [&] { resolve("none.npy"); }),
            folder / "none.npy" + ": cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace mercer

#include "mercer/feature_map.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "base/copy_of.hpp"
#include "base/refusal.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"
#include "solvers/feature_errors.hpp"

namespace mercer {
namespace {

std::vector<double> numbers(const Points& points) {
  const auto& values = std::get<Dense<double>>(points.storage()).values;
  return {values.begin(), values.end()};
}

double largest_error(const FeatureMap& map, const Points& x) {
  return feature_error(numbers(map.apply(x)), map.kernel(), x).largest;
}

struct Case {
  const char *map, *kernel;
};
constexpr Case cases[]{{"nystrom:20", "rbf(gamma=0.2)"},
                       {"nystrom:20:uniform", "rbf(gamma=scale) + linear"},
                       {"nystrom:20:kmeans++", "laplace(lambda=1)"},
                       {"fourier:100", "matern(nu=1.5)"},
                       {"sketch:64", "poly(degree=2)"},
                       {"explicit", "poly(degree=2)"}};

TEST(FeatureMap, KnowsWhatItIs) {
  const Points x = as_points(random_rows(50, 3, 1));
  for (const auto& [text, kernel] : cases) {
    const FeatureMap map = FeatureMap::make(text, Kernel::parse(kernel), x);
    EXPECT_EQ(map.text(), text);
    EXPECT_EQ(map.kernel().text(), Kernel::parse(kernel).resolve(x).text());
    EXPECT_EQ(map.columns(), 3u);
    const Points phi = map.apply(x);
    EXPECT_EQ(phi.rows(), 50u);
    EXPECT_EQ(phi.cols(), map.features());
    EXPECT_FALSE(phi.sparse());
    EXPECT_EQ(phi.precision(), Precision::float64);
  }
  EXPECT_EQ(FeatureMap::make("fourier:7", rbf({.gamma = 1}), x).features(), 8u);
  EXPECT_EQ(FeatureMap::make("sketch:33", linear(), x).features(), 64u);
  EXPECT_EQ(FeatureMap::make("explicit", poly({.degree = 2}), x).features(), 10u);
}

TEST(FeatureMap, ApproachesTheKernelAsTheFeaturesGrow) {
  const Points x = as_points(random_rows(40, 3, 2));
  const Kernel k = rbf({.gamma = 0.3});
  for (const std::string rule : {"", ":uniform", ":kmeans++"}) {
    const double few = largest_error(FeatureMap::make("nystrom:5" + rule, k, x), x);
    const double many = largest_error(FeatureMap::make("nystrom:30" + rule, k, x), x);
    EXPECT_LT(many, few / 5) << rule;
    EXPECT_LT(largest_error(FeatureMap::make("nystrom:40" + rule, k, x), x), 1e-10) << rule;
    // Lowered to the rows.
    EXPECT_LT(largest_error(FeatureMap::make("nystrom:1000" + rule, k, x), x), 1e-10) << rule;
  }
  EXPECT_LT(largest_error(FeatureMap::make("fourier:2048", k, x), x), 0.15);
  EXPECT_LT(largest_error(FeatureMap::make("explicit", poly({.degree = 3}), x), x), 1e-10);
}

TEST(FeatureMap, IsTheSameToTheBitForEveryThreadCountAndWhenRestored) {
  const Points x = as_points(random_rows(300, 3, 3)),
               other = as_points(random_rows(140, 3, 4), Kind::sparse32);
  for (const auto& [text, kernel] : cases) {
    const FeatureMap one = FeatureMap::make(text, Kernel::parse(kernel), x, {.seed = 9, .threads = 1});
    const FeatureMap three = FeatureMap::make(text, Kernel::parse(kernel), x, {.seed = 9, .threads = 3});
    const FeatureMap restored = FeatureMap::restore(one.state(), Kernel::parse(one.kernel().text()));
    for (const Points& points : {x, other}) {
      const auto phi = numbers(one.apply(points, 1));
      EXPECT_TRUE(same_bits(phi, numbers(three.apply(points, 3)))) << text;
      EXPECT_TRUE(same_bits(phi, numbers(restored.apply(points, 2)))) << text;
      EXPECT_EQ(one.left_out(points, 1), restored.left_out(points, 3)) << text;
    }
    EXPECT_EQ(one.trace_left(), three.trace_left());
    EXPECT_EQ(one.trace_left(), restored.trace_left());
    EXPECT_EQ(restored.text(), text);
  }
}

TEST(FeatureMap, KnowsWhichRowsAreItsLandmarks) {
  const Points x = as_points(random_rows(300, 3, 3));
  for (const char* text : {"nystrom:20", "nystrom:20:uniform", "nystrom:20:kmeans++"})
    for (const std::size_t memory :
         {std::size_t(1) << 32, std::size_t(26'000)}) {  // the second: of some rows
      const FeatureMap map = FeatureMap::make(text, rbf({.gamma = 0.5}), x, {.memory = memory});
      ASSERT_EQ(map.state().rows.size(), 20u) << text;
      for (std::size_t i = 0; i < 20; ++i)
        EXPECT_EQ(map.state().landmarks.row(i), x.row(map.state().rows[i])) << text;
    }
  EXPECT_TRUE(FeatureMap::make("fourier:10", rbf({.gamma = 0.5}), x).state().rows.empty());
}

TEST(FeatureMap, DependsOnItsSeed) {
  const Points x = as_points(random_rows(50, 3, 5));
  for (const auto& [text, kernel] : cases) {
    const auto with_seed = [&](std::uint64_t seed) {
      return numbers(FeatureMap::make(text, Kernel::parse(kernel), x, {.seed = seed}).apply(x));
    };
    EXPECT_EQ(same_bits(with_seed(1), with_seed(2)), std::string(text) == "explicit") << text;
  }
}

TEST(FeatureMap, KnowsWhatItLeavesOut) {
  const Points x = as_points(random_rows(50, 3, 6));
  for (const char* text : {"nystrom:10", "nystrom:10:uniform", "nystrom:10:kmeans++"}) {
    const FeatureMap map = FeatureMap::make(text, 2 * rbf({.gamma = 0.5}), x);
    const auto left = map.left_out(x);
    const auto phi = numbers(map.apply(x));
    for (std::size_t i = 0; i < 50; ++i) {
      const double* row = &phi[i * map.features()];
      EXPECT_NEAR(left[i], 2 - std::inner_product(row, row + map.features(), row, 0.0), 1e-12);
    }
    EXPECT_NEAR(map.trace_left(), std::accumulate(left.begin(), left.end(), 0.0) / 100, 1e-10) << text;
    EXPECT_GT(map.trace_left(), 0.01);
  }
  EXPECT_LT(FeatureMap::make("nystrom:50", rbf({.gamma = 0.5}), x).trace_left(), 1e-12);
  // What is left out never shows on the diagonal.
  EXPECT_NEAR(FeatureMap::make("fourier:10", rbf({.gamma = 0.5}), x).trace_left(), 0, 1e-14);
  EXPECT_EQ(FeatureMap::make("explicit", linear(), x).trace_left(), 0);
  const FeatureMap sketch = FeatureMap::make("sketch:4", poly({.degree = 2}), x);
  for (const double value : sketch.left_out(x)) EXPECT_GE(value, 0);
}

TEST(FeatureMap, TakesTheSmallestPoints) {
  const Points one({{1, 2}}), no_columns(Dense<double>{3, 0, {}}), no_rows(Dense<double>{0, 2, {}});
  for (const auto& [text, kernel] : cases) {
    const FeatureMap map = FeatureMap::make(text, Kernel::parse(kernel), one);
    EXPECT_EQ(map.apply(one).rows(), 1u);
    EXPECT_EQ(map.apply(no_rows).rows(), 0u);
    EXPECT_EQ(map.apply(no_rows).cols(), map.features());
    EXPECT_TRUE(map.left_out(no_rows).empty());
    const FeatureMap empty = FeatureMap::make(text, Kernel::parse(kernel), no_columns);
    EXPECT_LT(std::string(text).starts_with("sketch") ? 0 : largest_error(empty, no_columns), 1e-12) << text;
  }
  EXPECT_EQ(FeatureMap::make("fourier:6", rbf({.gamma = 1}), no_rows).features(), 6u);
  EXPECT_EQ(refusal(ErrorKind::data, [&] { FeatureMap::make("nystrom:6", rbf({.gamma = 1}), no_rows); }),
            "nystrom:6 chooses landmarks among the rows, and there are none");
}

TEST(FeatureMap, RefusesWhatItCannotMap) {
  const Points x = as_points(random_rows(10, 2, 1));
  const auto usage = [&](const char* text, const char* kernel) {
    return refusal(ErrorKind::usage, [&] { FeatureMap::make(text, Kernel::parse(kernel), x); });
  };
  EXPECT_EQ(usage("fourrier:10", "linear"), "unknown feature map 'fourrier'; did you mean 'fourier'?");
  EXPECT_EQ(usage("fourier:10", "rbf + linear")
                .find("linear has no Fourier features: they are known for rbf, laplace, matern"),
            0u);
  EXPECT_EQ(usage("fourier:10", "rbf(gamma=1) - 0.5*laplace(lambda=1)"),
            "-0.5*laplace(lambda=1) has a negative coefficient and so no real features");
  EXPECT_EQ(usage("sketch:16", "rbf(gamma=1)").find("rbf(gamma=1) has no tensor sketch: linear and poly"),
            0u);
  EXPECT_EQ(usage("sketch:16", "-2*linear").find("-2*linear has no tensor sketch"), 0u);
  EXPECT_EQ(usage("explicit", "rbf(gamma=1)").find("rbf(gamma=1) has infinitely many features"), 0u);
  EXPECT_EQ(usage("nystrom:4", "center(linear)").find("center(linear) takes its mean over all rows"), 0u);
  EXPECT_EQ(refusal(ErrorKind::budget,
                    [&] { FeatureMap::make("fourier:10000", rbf({.gamma = 1}), x, {.memory = 1000}); }),
            "the feature map fourier:10000 takes 8e-05 GB but 1e-06 GB are allowed; take a smaller count or "
            "raise the memory");
  const Points many = as_points(random_rows(1000, 2, 1));
  const auto budget = [&](const char* text, std::size_t memory = 50000) {
    return refusal(ErrorKind::budget,
                   [&] { FeatureMap::make(text, rbf({.gamma = 1}), many, {.memory = memory}); });
  };
  EXPECT_NE(
      budget("nystrom:20", 20000).find("or choose the landmarks by uniform or kmeans++, which take less"),
      std::string::npos);
  EXPECT_EQ(budget("nystrom:20"), "no error");  // landmarks are chosen among a part of the rows
  EXPECT_EQ(budget("nystrom:20:uniform"), "no error");
  EXPECT_NE(budget("nystrom:200:uniform").find("take a smaller count or raise the memory"),
            std::string::npos);
  const FeatureMap map = FeatureMap::make("fourier:10", rbf({.gamma = 1}), x);
  EXPECT_EQ(refusal(ErrorKind::data,
                    [&] {
                      map.apply(Points({{1, 2, 3}}));
                    }),
            "the points have 3 columns but the feature map is of points with 2");
  EXPECT_EQ(refusal(ErrorKind::data,
                    [&] {
                      map.left_out(Points({{1, 2, 3}}));
                    }),
            "the points have 3 columns but the feature map is of points with 2");
  const FeatureMap narrow = FeatureMap::make("fourier:10", rbf({.gamma = 1e300}), x);
  EXPECT_EQ(refusal(ErrorKind::data,
                    [&] {
                      narrow.apply(Points({{1, 1}, {1e200, 1}}));
                    }),
            "feature 1 of row 2 under fourier:10 is not finite; scale the data or the kernel");
}

TEST(FeatureMap, IsNotRestoredFromPartsThatContradict) {
  const Points x = as_points(random_rows(10, 2, 1));
  const Kernel k = rbf({.gamma = 1});
  const FeatureMap::State good = FeatureMap::make("nystrom:4", k, x).state();
  const auto message = [&](auto change, const Kernel& kernel) {
    FeatureMap::State state = good;
    change(state);
    return refusal(ErrorKind::data, [&] { FeatureMap::restore(state, kernel); });
  };
  EXPECT_EQ(message([](auto&) {}, k), "no error");
  EXPECT_EQ(message([](auto& s) { s.columns = 3; }, k),
            "the feature map nystrom:4 contradicts itself: it is of 3 columns but its landmarks have 2");
  EXPECT_EQ(message([](auto& s) { s.matrix.pop_back(); }, k),
            "the feature map nystrom:4 contradicts itself: 15 numbers are no matrix over 4 landmarks");
  EXPECT_EQ(message([](auto& s) { s.matrix.clear(); }, k),
            "the feature map nystrom:4 contradicts itself: 0 numbers are no matrix over 4 landmarks");
  EXPECT_EQ(message([](auto& s) { s.matrix.resize(20); }, k),
            "the feature map nystrom:4 contradicts itself: 20 numbers are no matrix over 4 landmarks");
  EXPECT_EQ(message([](auto& s) { s.landmarks = Points(); }, k),
            "the feature map nystrom:4 contradicts itself: it has no landmarks");
  EXPECT_EQ(message([](auto& s) { s.matrix[3] = std::nan(""); }, k),
            "the feature map nystrom:4 contradicts itself: its matrix has a number that is not finite");
  EXPECT_EQ(message([](auto& s) { s.text = "nystro"; }, k),
            "unknown feature map 'nystro'; did you mean 'nystrom'?");
  EXPECT_EQ(message([](auto& s) { s.text = "fourier:4"; }, linear()).find("linear has no Fourier features"),
            0u);
  FeatureMap::State huge = FeatureMap::make("fourier:4", k, x).state();
  huge.columns = std::size_t(1) << 40;
  EXPECT_EQ(refusal(ErrorKind::budget, [&] { FeatureMap::restore(huge, k); })
                .find("the feature map fourier:4 takes"),
            0u);
  EXPECT_EQ(message([](auto&) {}, rbf()),
            "a feature map is of a kernel with numbers, not of rbf(gamma=scale)");
}

TEST(FeatureMap, KnowsColumnsByName) {
  const Points plain = as_points(random_rows(8, 2, 3));
  const Points named(Dense<double>{8, 2, copy_of(std::get<Dense<double>>(plain.storage()).values)},
                     {"x1", "x2"});
  const FeatureMap map = FeatureMap::make("explicit", Kernel::parse("poly(degree=2)@x1"), named);
  EXPECT_EQ(map.features(), 3u);
  const FeatureMap again = FeatureMap::restore(map.state(), map.kernel());
  const Points expected = FeatureMap::make("explicit", Kernel::parse("poly(degree=2)@1"), plain).apply(plain);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(again.apply(named).row(i), expected.row(i));
}

}  // namespace
}  // namespace mercer

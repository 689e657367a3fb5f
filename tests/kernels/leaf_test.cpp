#include "mercer/leaf.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "kernels/leaf_value.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

/// k(x, z) = 1 / (1 + ‖x − z‖² / σ²), a kernel that no catalogue knows.                              Basak
/// 2008
struct Cauchy {
  static constexpr std::string_view name = "cauchy";
  static constexpr std::string_view formula = "1 / (1 + ‖x−z‖²/sigma²)";
  static constexpr std::string_view summary = "heavy tails";
  static constexpr LeafTraits traits{.statistic = Statistic::squared_distance};
  std::optional<Scale> sigma = {};
  int order = 1;
  static void params(auto&& param) {
    param("sigma", &Cauchy::sigma, positive, "width", Role::length);
    param("order", &Cauchy::order, whole, "power");
  }
  Properties properties() const {
    return {.psd = true, .translation_invariant = true, .radial = true, .bound = 1, .diagonal = 1};
  }
  Symbol operator()(Symbol d2) const { return pow(1 / (1 + d2 / (sigma->value * sigma->value)), order); }
};
constexpr Maker<Cauchy> cauchy;

TEST(ALeafOfYourOwn, WorksLikeEveryOther) {
  const Kernel k = cauchy({.sigma = 2.0});
  EXPECT_EQ(k.text(), "cauchy(sigma=2, order=1)");
  EXPECT_TRUE(k.properties().radial);
  EXPECT_EQ(k.prove().because, "cauchy is positive semidefinite");
  double values[2];
  KernelOperator<double>(k + linear(), Points({{1, 0}}), Points({{1, 0}, {3, 4}})).matrix(values);
  EXPECT_DOUBLE_EQ(values[0], 1 + 1);
  EXPECT_DOUBLE_EQ(values[1], 1 / (1 + 20. / 4) + 3);
}

TEST(ALeafOfYourOwn, ResolvesAndChecksItsParameters) {
  EXPECT_EQ(cauchy().text(), "cauchy(sigma=scale, order=1)");
  const Points points({{0, 0}, {3, 4}});
  EXPECT_EQ(cauchy({.sigma = median}).resolve(points).text(), "cauchy(sigma=5, order=1)");
  const auto message = [](Cauchy bad) { return refusal(ErrorKind::usage, [&] { cauchy(bad); }); };
  EXPECT_EQ(message({.sigma = 0.0}), "cauchy: sigma must be > 0, not 0");
  EXPECT_EQ(message({.sigma = -1.0}), "cauchy: sigma must be > 0, not -1");
  EXPECT_EQ(message({.sigma = NAN}), "cauchy: sigma must be > 0, not nan");
  EXPECT_EQ(message({.sigma = 1.0, .order = 0}),
            "cauchy: order must be a whole number from 1 to 1000, not 0");
}

TEST(Leaf, PrintsItsParametersInTheirOrder) {
  EXPECT_EQ(linear().text(), "linear");
  EXPECT_EQ(poly({.degree = 2, .scale = 0.1 + 0.2}).text(),
            "poly(degree=2, scale=0.30000000000000004, offset=1)");
  EXPECT_EQ(rbf({.sigma = 2.0}).text(), "rbf(sigma=2)") << "an alternative that is not given is not printed";
  EXPECT_EQ(matern().text(), "matern(nu=1.5, length=scale)");
}

TEST(Leaf, TakesTheFirstAlternativeWhereNoneIsGiven) {
  EXPECT_EQ(rbf().text(), "rbf(gamma=scale)");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { rbf({.gamma = 1.0, .sigma = median}); }),
            "rbf: gamma and sigma say the same thing twice; give one of them");
}

TEST(Leaf, NamesTheLimitThatANumberBreaks) {
  EXPECT_EQ(refusal(ErrorKind::usage, [] { constant({.c = -1}); }), "constant: c must be ≥ 0, not -1");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { constant({.c = 1e301}); }),
            "constant: c must be ≥ 0 and at most 1e300, not 1e+301");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { rbf({.gamma = INFINITY}); }),
            "rbf: gamma must be > 0 and at most 1e300, not inf");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { sigmoid({.scale = -INFINITY}); }),
            "sigmoid: scale must be any number and at least -1e300, not -inf");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { poly({.degree = 1001}); }),
            "poly: degree must be a whole number from 1 to 1000, not 1001");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { matern({.nu = 0}); }),
            "matern: nu must be > 0 and at most 100, not 0");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { matern({.nu = 101}); }),
            "matern: nu must be > 0 and at most 100, not 101");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { distance({.beta = 2.1}); }),
            "distance: beta must be > 0 and at most 2, not 2.1");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { arc_cosine({.order = 3}); }),
            "arc_cosine: order must be 0, 1 or 2, not 3");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { ntk({.depth = 21}); }),
            "ntk: depth must be a whole number from 1 to 20, not 21");
}

TEST(Leaf, HasNoPartsAndIsItself) {
  const Kernel k = rbf({.gamma = 2.0});
  EXPECT_TRUE(k.parts().empty());
  EXPECT_EQ(k.node().with_parts({}).text(), "rbf(gamma=2)");
  ASSERT_NE(k.node().leaf(), nullptr);
  EXPECT_EQ(leaf_value(k, "gamma"), 2);
  EXPECT_EQ((k + k).node().leaf(), nullptr);
}

TEST(Leaf, ThatIsValidConditionallySaysSo) {
  EXPECT_EQ(distance().prove().because, "distance is positive semidefinite only conditionally, of order 1");
  EXPECT_EQ(thin_plate().properties().conditional_order, 2);
  EXPECT_FALSE(thin_plate().prove().psd);
}

TEST(Leaf, ThatIsNotValidSaysSo) {
  EXPECT_EQ(sigmoid().prove().because, "sigmoid is not positive semidefinite in general");
  EXPECT_FALSE(sigmoid().prove().psd || sigmoid().properties().psd);
}

TEST(Leaf, KnowsWhatItNeeds) {
  const auto leaf = [](const Kernel& k) -> const Leaf& { return *k.node().leaf(); };
  EXPECT_TRUE(leaf(chi2()).traits().non_negative_only && leaf(intersection()).traits().non_negative_only);
  EXPECT_FALSE(leaf(linear()).traits().non_negative_only);
  EXPECT_TRUE(leaf(cosine()).uses_self());
  EXPECT_FALSE(leaf(linear()).uses_self());
  EXPECT_TRUE(leaf(periodic()).traits().map);
  EXPECT_FALSE(leaf(rbf()).traits().map);
  EXPECT_FALSE(leaf(laplace()).series(3).has_value());
  EXPECT_EQ(leaf(poly({.degree = 2, .scale = 3, .offset = 5})).series(0)->coefficients,
            (std::vector<double>{25, 30, 9}));
  EXPECT_EQ(leaf(poly({.degree = 2, .scale = 3, .offset = 5})).dot_power()->offset, 5);
  EXPECT_FALSE(leaf(rbf({.gamma = 2})).dot_power().has_value());
  EXPECT_EQ(leaf(rbf({.gamma = 2})).spectral()->scale, 2);
  EXPECT_TRUE(leaf(manhattan()).spectral()->independent);
  EXPECT_FALSE(leaf(periodic()).spectral().has_value());
}

TEST(Assign, TakesWhatFits) {
  double number = 0;
  int whole_number = 0;
  std::optional<Scale> scale;
  Matrix matrix;
  detail::assign(number, 2.5);
  detail::assign(whole_number, -3.0);
  detail::assign(scale, Word{"median"});
  detail::assign(matrix, std::vector<double>{1, 2});
  EXPECT_EQ(number, 2.5);
  EXPECT_EQ(whole_number, -3);
  EXPECT_EQ(scale->kind, Scale::Kind::median);
  EXPECT_EQ(matrix.rows, (std::vector<std::vector<double>>{{1, 0}, {0, 2}}));
  detail::assign(matrix, Word{"A.npy"});
  EXPECT_TRUE(matrix.rows.empty());
  EXPECT_EQ(matrix.file, "A.npy");
}

TEST(Assign, RefusesWhatDoesNot) {
  double number = 0;
  int whole_number = 0;
  std::optional<Scale> scale;
  Matrix matrix;
  const auto message = [](auto& member, Argument a) {
    return refusal(ErrorKind::usage, [&] { detail::assign(member, a); });
  };
  EXPECT_EQ(message(number, Word{"auto"}), "must be a number, not auto");
  EXPECT_EQ(message(number, std::vector<double>{1, 2}), "must be a number, not [1, 2]");
  EXPECT_EQ(message(whole_number, 2.5), "must be a whole number, not 2.5");
  EXPECT_EQ(message(whole_number, 1e10), "must be a whole number, not 1e+10");
  EXPECT_EQ(message(scale, Word{"big"}), "must be a number, scale, auto or median, not big");
  EXPECT_EQ(message(scale, std::vector<std::vector<double>>{{1}, {2}}),
            "must be a number, scale, auto or median, not [[1], [2]]");
  EXPECT_EQ(message(matrix, 1.0), "must be a matrix [[…], […]], a diagonal […] or a file in quotes");
}

TEST(ExponentialSeries, IsTheTaylorSeries) {
  EXPECT_EQ(exponential_series(2, 5), (std::vector<double>{1, 2, 2, 8. / 6, 16. / 24}));
  EXPECT_TRUE(exponential_series(2, 0).empty());
}

}  // namespace
}  // namespace mercer

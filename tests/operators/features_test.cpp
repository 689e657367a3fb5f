#include "mercer/features.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/copy_of.hpp"
#include "operators/entries.hpp"
#include "mercer/kernels.hpp"
#include "mercer/user_kernel.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

double feature_error(const Kernel& k, const Points& x, const FeatureOptions& options) {
  const Points f = explicit_features(k, x, options);
  const auto K = full(KernelOperator<double>(k, x));
  double worst = 0, largest = 1;
  for (std::size_t i = 0; i < x.rows(); ++i)
    for (std::size_t j = 0; j < x.rows(); ++j) {
      worst = std::max(worst, std::abs(dot(f.row(i), f.row(j)) - K[i * x.rows() + j]));
      largest = std::max(largest, std::abs(K[i * x.rows() + j]));
    }
  return worst / largest;
}

void expect_features(const Kernel& k, const Points& x) {
  for (const bool ordered : {false, true}) {
    EXPECT_LE(feature_error(k, x, {.ordered = ordered}), 1e-12) << k.text() << (ordered ? " ordered" : "");
    const FeatureCount count = count_features(k, x.cols(), {.ordered = ordered});
    EXPECT_EQ(*count.exact, std::to_string(explicit_features(k, x, {.ordered = ordered}).cols())) << k.text();
    EXPECT_FALSE(count.truncated);
  }
}

TEST(Features, GiveThePolynomialKernel) {
  for (std::size_t d = 1; d <= 4; ++d)
    for (int degree = 1; degree <= 5; ++degree)
      for (const double offset : {0.0, 1.0, 0.3})
        expect_features(poly({.degree = degree, .scale = 0.7, .offset = offset}),
                        as_points(random_rows(6, d, d)));
}

TEST(Features, FollowEveryRule) {
  const Points x = as_points(random_rows(7, 3, 5)), sparse = as_points(random_rows(7, 3, 5), Kind::sparse32);
  for (const char* text : {"linear",
                           "constant(c=2.5)",
                           "3",
                           "quadratic_form(A=[[2, 1, 0], [1, 2, 0.5], [0, 0.5, 1]])",
                           "linear + poly(degree=2)",
                           "linear*poly(degree=2)*linear",
                           "2.5*linear",
                           "0.5*(linear + 1)",
                           "(linear + 2)^3",
                           "linear^2",
                           "polynomial(linear, coefficients=[1, 0, 2, 0.5])",
                           "polynomial(linear + 1, coefficients=[0, 1, 2])",
                           "normalize(poly(degree=2))",
                           "normalize(linear)*linear",
                           "weighted(poly(degree=2), by=norm)",
                           "weighted(linear, by=@2)",
                           "mapped(poly(degree=2), by=squares)",
                           "mapped(linear, by=append_norm)",
                           "mapped(linear, by=powers, degree=3)",
                           "mapped(linear, by=unit)",
                           "linear@[1, 3] + poly(degree=3)@2",
                           "normalize(linear@2 + 1)*mapped(linear@[1], by=squares)"}) {
    expect_features(Kernel::parse(text), x);
    expect_features(Kernel::parse(text), sparse);
  }
  expect_features(weighted(linear(), [](std::span<const double> a) { return a[0] - 2; }), x);
  expect_features(mapped(poly({.degree = 2}),
                         [](std::span<const double> a) {
                           return std::vector{a[0] * a[1], 1.0};
                         }),
                  x);
}

TEST(Features, AreTheWeightedMonomialsInOrder) {
  const double a = 2, b = 5, r2 = std::sqrt(2), r3 = std::sqrt(3), r6 = std::sqrt(6);
  const Points x(std::vector<Row>{{a, b}});
  const auto features = [](const Kernel& k, const Points& p, bool ordered = false) {
    return explicit_features(k, p, {.ordered = ordered}).row(0);
  };
  const auto expect = [](const Row& got, const Row& expected) {
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t e = 0; e < got.size(); ++e)
      EXPECT_NEAR(got[e], expected[e], 1e-13 * std::abs(expected[e])) << e;
  };
  expect(features(poly({.degree = 2, .offset = 0}), x), {a * a, r2 * a * b, b * b});
  expect(features(poly({.degree = 2}), x), {1, r2 * a, r2 * b, a * a, r2 * a * b, b * b});
  expect(features(poly({.degree = 3, .offset = 0}), x),
         {a * a * a, r3 * a * a * b, r3 * a * b * b, b * b * b});
  expect(features(poly({.degree = 2, .offset = 0}), x, true), {a * a, a * b, b * a, b * b});
  expect(features(poly({.degree = 3, .offset = 0}), x, true),
         {a * a * a, a * a * b, a * a * b, a * b * b, a * a * b, a * b * b, a * b * b, b * b * b});
  const double c = 3;
  expect(features(poly({.degree = 3, .offset = 0}), Points(std::vector<Row>{{a, b, c}})),
         {a * a * a, r3 * a * a * b, r3 * a * a * c, r3 * a * b * b, r6 * a * b * c, r3 * a * c * c,
          b * b * b, r3 * b * b * c, r3 * b * c * c, c * c * c});
}

TEST(Features, ApproachTheKernelAsTheSeriesGrows) {
  auto rows = random_rows(8, 2, 6);
  for (Row& row : rows)
    for (double& value : row) value *= 0.3;
  for (const char* text :
       {"rbf(gamma=1)", "rbf(sigma=1)", "exponential(sigma=1)", "periodic(period=3, length=1.5)",
        "exp(linear)", "exp(0.5*poly(degree=1))", "2*rbf(gamma=0.5)@1"}) {
    const Kernel k = Kernel::parse(text);
    double before = std::numeric_limits<double>::infinity();
    for (const int terms : {1, 2, 3, 4, 5, 6, 8}) {
      const double error = feature_error(k, as_points(rows), {.terms = terms});
      EXPECT_LT(error, before) << text << " " << terms;
      before = error;
    }
    EXPECT_TRUE(count_features(k, 2).truncated);
    const bool wide = std::string(text).starts_with("periodic");  // four coordinates
    EXPECT_LT(feature_error(k, as_points(rows), {.terms = wide ? 20 : 30}), 1e-10) << text;
  }
}

TEST(FeatureCounts, AreBinomials) {
  EXPECT_EQ(*count_features(poly({.degree = 4}), 784).exact, "15943435565");               // C(788, 4)
  EXPECT_EQ(*count_features(poly({.degree = 4, .offset = 0}), 784).exact, "15862504420");  // C(787, 4)
  EXPECT_EQ(*count_features(poly({.degree = 3, .offset = 0}), 10, {.ordered = true}).exact, "1000");
  std::vector<std::vector<std::size_t>> choose(40, std::vector<std::size_t>(40));
  for (std::size_t n = 0; n < 40; ++n)
    for (std::size_t k = 0; k <= n; ++k)
      choose[n][k] = k == 0 || k == n ? 1 : choose[n - 1][k - 1] + choose[n - 1][k];
  for (std::size_t d = 1; d < 20; ++d)
    for (std::size_t p = 1; p < 20; ++p)
      EXPECT_EQ(*count_features(poly({.degree = int(p)}), d).exact, std::to_string(choose[d + p][p]))
          << d << " " << p;
  EXPECT_EQ(*count_features(rbf({.gamma = 1}), 5, {.terms = 4}).exact, "56");  // C(5 + 3, 3)
}

TEST(FeatureCounts, BeyondDigitsHaveALogarithm) {
  const FeatureCount huge = count_features(poly({.degree = 1000}), 784);
  EXPECT_FALSE(huge.exact);
  const double expected = (std::lgamma(1785.0) - std::lgamma(1001.0) - std::lgamma(785.0)) / std::log(10);
  EXPECT_NEAR(huge.log10, expected, 1e-8 * expected);
  EXPECT_NEAR(count_features(poly({.degree = 1000, .offset = 0}), 784, {.ordered = true}).log10,
              1000 * std::log10(784), 1e-8);
}

TEST(Features, AreRefusedWhereThereIsNoMap) {
  const Points x = as_points(random_rows(3, 2, 7, true));
  for (const char* text :
       {"laplace(lambda=1)", "sigmoid", "intersection", "linear + matern(nu=1.5)", "delta"}) {
    const Error error = thrown_by([&] { explicit_features(Kernel::parse(text), x); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_TRUE(contains(error.what(), "has no finite explicit feature map; linear, poly")) << error.what();
    EXPECT_EQ(thrown_by([&] { count_features(Kernel::parse(text), 2); }).kind(), ErrorKind::usage);
  }
  for (const char* text :
       {"poly(degree=2) - linear", "-1*linear", "polynomial(linear, coefficients=[1, -2])"}) {
    const Error error = thrown_by([&] { explicit_features(Kernel::parse(text), x); });
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_TRUE(contains(error.what(), "negative coefficient")) << error.what();
  }
  for (const int terms : {0, -1, 1001})
    EXPECT_EQ(thrown_by([&] { explicit_features(rbf({.gamma = 1}), x, {.terms = terms}); }).kind(),
              ErrorKind::usage);
}

TEST(Features, KeepTheBudget) {
  // C(23, 3) = 1771 features of 10 rows: 141680 bytes, and a copy.
  const Points x = as_points(random_rows(10, 20, 8));
  EXPECT_EQ(explicit_features(poly({.degree = 3}), x, {.memory = 283400}).cols(), 1771u);
  const Error error = thrown_by([&] { explicit_features(poly({.degree = 3}), x, {.memory = 283300}); });
  EXPECT_EQ(error.kind(), ErrorKind::budget);
  EXPECT_TRUE(contains(error.what(), "1771 features of 10 rows")) << error.what();
  EXPECT_TRUE(contains(thrown_by([&] { explicit_features(poly({.degree = 1000}), x); }).what(), "10^"))
      << "an astronomical number";
}

TEST(Features, ColumnsByNameAreColumns) {
  const Points named(Dense<double>{3, 2, copy_of(std::vector<double>{1, 2, 3, 4, 5, 6})}, {"x1", "x2"});
  for (const auto& [name, number] : {std::pair("poly(degree=2)@x1", "poly(degree=2)@1"),
                                     std::pair("poly(degree=2)@x2 + linear", "poly(degree=2)@2 + linear")}) {
    const Points by_name = explicit_features(Kernel::parse(name), named),
                 by_number = explicit_features(Kernel::parse(number), named);
    ASSERT_EQ(by_name.cols(), by_number.cols());
    for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(by_name.row(i), by_number.row(i));
    EXPECT_EQ(*count_features(Kernel::parse(name), 2, {}, named.names()).exact,
              std::to_string(by_name.cols()));
  }
  EXPECT_TRUE(contains(thrown_by([&] { explicit_features(Kernel::parse("linear@x3"), named); }).what(),
                       "no column 'x3'"));
}

TEST(Features, NoNumberOfColumnsIsTooLargeToCount) {
  // C(2^40 + 2, 2).
  EXPECT_EQ(*count_features(poly({.degree = 2}), std::size_t(1) << 40).exact, "604462909808963854794753");
  EXPECT_EQ(thrown_by([] { count_features(Kernel::parse("linear@1"), std::size_t(1) << 40); }).kind(),
            ErrorKind::budget);
}

}  // namespace
}  // namespace mercer

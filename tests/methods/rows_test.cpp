#include "methods/rows.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

TEST(Rows, AreThoseOfWeightAboveZero) {
  const Dataset data = testing::wave(5, 1);
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  const FitOptions options;
  const Training some{data.points, data.target, {1, 0, 2, 0.5, 0}, kernel, options, 1e-3};
  const Rows rows(some);
  EXPECT_EQ(rows.numbers, (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_EQ(rows.weights, (std::vector<double>{1, 2, 0.5}));
  EXPECT_EQ(rows.points.row(1), data.points.row(2));
  EXPECT_EQ(rows.values(data.target)[2], data.target.values[3]);
  EXPECT_TRUE(rows.weighted());
  const Training all{data.points, data.target, {}, kernel, options, 1e-3};
  EXPECT_EQ(Rows(all).size(), 5u);
  EXPECT_FALSE(Rows(all).weighted());
  const Training none{data.points, data.target, std::vector<double>(5, 0.0), kernel, options, 1e-3};
  EXPECT_EQ(refusal(ErrorKind::data, [&] { Rows{none}; }), "there are no rows to learn from");
}

TEST(Rows, AreLeftOutOfAnExpansionWhereTheyAddNothing) {
  const Dataset data = testing::wave(4, 2);
  const FitOptions options;
  const std::vector<double> coefficients{1, 2, 0, 0, 0, -1, 3, 4};
  for (const auto& [text, kept] :
       {std::pair{"rbf(gamma=1)", 3u}, {"center(rbf(gamma=1))", 4u}, {"linear", 2u}}) {
    const Kernel kernel = Kernel::parse(text);
    const Training training{data.points, data.target, {}, kernel, options, 1e-3};
    const Fitted fitted = expand(training, Rows(training), coefficients, {0, 0}, Rule::value);
    EXPECT_EQ(fitted.expansion.points.rows(), kept) << text;
    EXPECT_EQ(fitted.report.support_vectors, 3u);
    std::vector<double> sums(8), expected(8, 0.0);
    fitted.expansion.sums(data.points, sums);
    const KernelOperator<double> K(kernel, data.points);
    K.multiply(coefficients, 2, expected);
    testing::expect_near(sums, expected, 1e-12, text);
  }
}

}  // namespace
}  // namespace mercer

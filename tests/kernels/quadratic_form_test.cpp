#include "mercer/kernels/quadratic_form.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "mercer/kernel_operator.hpp"

namespace mercer {
namespace {

using Rows = std::vector<std::vector<double>>;

std::string refused(const Rows& A) {
  return refusal(ErrorKind::usage, [&] { quadratic_form({.A = {.rows = A}}); });
}

double value_between(const Kernel& k, const std::vector<double>& x, const std::vector<double>& z) {
  double out = 0;
  KernelOperator<double>(k, Points({x}), Points({z})).matrix(std::span(&out, 1));
  return out;
}

TEST(QuadraticForm, PrintsItsMatrixInFull) {
  EXPECT_EQ(quadratic_form({.A = {.rows = {{2, 0.1 + 0.2}, {0.1 + 0.2, 1}}}}).text(),
            "quadratic_form(A=[[2, 0.30000000000000004], [0.30000000000000004, 1]])");
  EXPECT_EQ(Kernel::parse("quadratic_form(A=[1, 2.5])").text(), "quadratic_form(A=[[1, 0], [0, 2.5]])");
  EXPECT_EQ(quadratic_form({.A = {.file = "metric.npy"}}).text(), "quadratic_form(A=\"metric.npy\")");
  EXPECT_EQ(Kernel::parse("quadratic_form(A=metric)").text(), "quadratic_form(A=metric)");
}

TEST(QuadraticForm, RefusesAMatrixThatIsNotSquareOrNotSymmetric) {
  EXPECT_EQ(refused({{1, 2, 3}, {2, 1, 3}}),
            "quadratic_form: A must be square: row 1 has 3 numbers, there are 2 rows");
  EXPECT_EQ(refused({{1, 2}, {2}}),
            "quadratic_form: A must be square: row 2 has 1 numbers, there are 2 rows");
  EXPECT_EQ(refused({{}}), "quadratic_form: A must be square: row 1 has 0 numbers, there are 1 rows");
  EXPECT_EQ(refused({{1, 2}, {2.5, 1}}), "quadratic_form: A must be symmetric: A[1,2] = 2 but A[2,1] = 2.5");
  EXPECT_EQ(refused({{1, 0}, {0, NAN}}), "quadratic_form: A has a non-finite entry in row 2");
}

TEST(QuadraticForm, RefusesAMatrixThatIsNotPositiveSemidefinite) {
  EXPECT_EQ(refused({{1, 2}, {2, 1}}),
            "quadratic_form: A must be positive semidefinite, but its smallest eigenvalue is -1");
  EXPECT_EQ(refused({{1, 0}, {0, -1e-9}}),
            "quadratic_form: A must be positive semidefinite, but its smallest eigenvalue is -1e-09");
  EXPECT_EQ(refused({{-2}}),
            "quadratic_form: A must be positive semidefinite, but its smallest eigenvalue is -2");
}

TEST(QuadraticForm, NeedsAMatrix) {
  EXPECT_EQ(refusal(ErrorKind::usage, [] { quadratic_form(); }),
            "quadratic_form: A is needed, e.g. A=[[2, 1], [1, 2]], A=[1, 2, 3] or A=\"A.npy\"");
  EXPECT_EQ(refused({}), refusal(ErrorKind::usage, [] { quadratic_form(); }));
}

TEST(QuadraticForm, TakesRankDeficientMatricesWithRoundingErrors) {
  Random random(1);
  for (int trial = 0; trial < 300; ++trial) {
    const std::size_t d = 2 + random.below(12), rank = 1 + random.below(d - 1);
    Rows B(rank, std::vector<double>(d)), A(d, std::vector<double>(d));
    for (auto& row : B)
      for (double& entry : row) entry = random.normal() * std::pow(10, random.uniform(-3, 3));
    for (std::size_t i = 0; i < d; ++i)
      for (std::size_t j = 0; j < d; ++j)
        for (const auto& row : B) A[i][j] += row[i] * row[j];
    const Kernel k = quadratic_form({.A = {.rows = A}});
    EXPECT_LE(k.node().leaf()->map(std::vector<double>(d)).size(), rank)
        << "no feature for an eigenvalue of 0";
  }
}

TEST(QuadraticForm, FactorsItsMatrix) {
  const Kernel k = quadratic_form({.A = {.rows = {{1, 2}, {2, 4}}}});  // rank 1
  EXPECT_EQ(k.node().leaf()->map(std::vector<double>{1, 0}).size(), 1u);
  EXPECT_NEAR(value_between(k, {1, -3}, {2, 5}), (1 - 6) * (2 + 10), 1e-12);
  EXPECT_EQ(value_between(Kernel::parse("quadratic_form(A=[0, 0])"), {1, 2}, {3, 4}), 0) << "rank 0";
  EXPECT_NEAR(value_between(Kernel::parse("quadratic_form(A=[2, 3])"), {1, 2}, {3, 4}), 2 * 3 + 3 * 8, 1e-13);
}

TEST(QuadraticForm, RefusesPointsOfAnotherDimension) {
  const Kernel k = Kernel::parse("quadratic_form(A=[1, 2])");
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [&] {
                      value_between(k, {1, 2, 3}, {1, 2, 3});
                    }),
            "quadratic_form: A is 2 × 2 but the points have 3 columns");
}

}  // namespace
}  // namespace mercer

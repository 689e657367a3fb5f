// Which kernels are weights of columns, against the kernels themselves.
#include "kernels/linear_form.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "mercer/kernel_operator.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

Points named_rows(std::size_t n) {
  Dense<double> rows{n, 3, Buffer<double>(3 * n)};
  Random random(n);
  for (double& value : rows.values) value = random.normal();
  return Points(std::move(rows), {"a", "b", "c"});
}

TEST(LinearForm, IsThatOfKernelsWhoseFeaturesAreColumns) {
  const Points dense = named_rows(12), sparse = dense.to_sparse();
  for (const char* text : {"linear", "2*linear", "linear@[c, a]", "0.5*linear@b", "(3*linear)@[a, b]",
                           "4*(0.5*linear@[a, c])", "poly(degree=1, scale=2, offset=0)", "linear@2"}) {
    const Kernel kernel = Kernel::parse(text).resolve(dense);
    const auto form = LinearForm::of(kernel);
    ASSERT_TRUE(form) << text;
    EXPECT_EQ(form->plain(), std::string_view(text) == "linear") << text;
    EXPECT_EQ(is_dot_product(kernel), form->plain());
    std::vector<double> K(12 * 12);
    KernelOperator<double>(kernel, dense).matrix(K);
    for (const Points* points : {&dense, &sparse}) {
      const Points phi = form->features(*points);
      EXPECT_EQ(phi.sparse(), points->sparse()) << text;
      for (std::size_t i = 0; i < 12; ++i)
        for (std::size_t j = 0; j < 12; ++j) {
          const auto x = phi.row(i), z = phi.row(j);
          EXPECT_NEAR(std::inner_product(x.begin(), x.end(), z.begin(), 0.0), K[i * 12 + j], 1e-12) << text;
        }
    }
    const std::size_t p = form->features(dense).cols();
    Dense<double> weights{1, p, Buffer<double>(p)};
    for (std::size_t j = 0; j < p; ++j) weights.values[j] = double(j) - 0.3;
    std::vector<double> f(12);
    KernelOperator<double>(kernel, form->points_of(weights, dense), dense).matrix(f);
    for (std::size_t i = 0; i < 12; ++i) {
      const auto x = form->features(dense).row(i);
      EXPECT_NEAR(f[i], std::inner_product(x.begin(), x.end(), weights.values.begin(), 0.0), 1e-12) << text;
    }
  }
}

TEST(LinearForm, OthersHaveNone) {
  for (const char* text : {"rbf(gamma=1)", "linear + constant(c=1)", "linear^2", "poly(degree=1, offset=1)",
                           "-1*linear", "normalize(linear)", "center(linear)", "linear*linear",
                           "linear@a + linear@b", "cosine", "scaled(linear, by=[2])"})
    EXPECT_FALSE(LinearForm::of(Kernel::parse(text))) << text;
}

TEST(LinearSum, IsThatOfSumsOfColumnsAndConstants) {
  const Points points = named_rows(7);
  for (const char* text : {"linear", "0.5*linear@b + linear@[c, b]", "linear + constant(c=2)",
                           "3*(linear@a + 2*constant(c=0.5)) + constant(c=1)",
                           "poly(degree=1, offset=1)@[a, c]", "constant(c=4)", "constant(c=4)@a + linear"}) {
    const Kernel kernel = Kernel::parse(text).resolve(points);
    const auto sum = LinearSum::of(kernel, points);
    ASSERT_TRUE(sum) << text;
    std::vector<double> K(7 * 7);
    KernelOperator<double>(kernel, points).matrix(K);
    for (std::size_t i = 0; i < 7; ++i)
      for (std::size_t j = 0; j < 7; ++j) {
        double k = sum->constant;
        for (std::size_t c = 0; c < 3; ++c) k += sum->factors[c] * points.row(i)[c] * points.row(j)[c];
        EXPECT_NEAR(k, K[i * 7 + j], 1e-12) << text;
      }
  }
  for (const char* text :
       {"rbf(gamma=1)", "linear + rbf(gamma=1)", "linear - linear@a", "linear - constant(c=1)",
        "linear^2 + linear", "normalize(linear)", "center(linear)", "linear*constant(c=2)", "poly(degree=2)"})
    EXPECT_FALSE(LinearSum::of(Kernel::parse(text).resolve(points), points)) << text;
}

}  // namespace
}  // namespace mercer

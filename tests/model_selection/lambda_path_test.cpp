#include "mercer/lambda_path.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"
#include "mercer/error.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/model.hpp"

namespace mercer {
namespace {

Dataset sine(std::size_t n, std::size_t outputs = 1) {
  Random random(4);
  Buffer<double> x(n);
  Dataset data{.target = {.task = Task::regression, .outputs = outputs}};
  for (double& value : x) {
    value = random.uniform(-3, 3);
    for (std::size_t o = 0; o < outputs; ++o)
      data.target.values.push_back(std::sin(value + double(o)) + 3 + 0.1 * random.normal());
  }
  data.points = Points(Dense<double>{n, 1, std::move(x)});
  return data;
}

// Every row left out once, by fits.
double leave_one_out(const Kernel& kernel, const Dataset& data, double c, Bias bias) {
  double sum = 0;
  for (std::size_t left = 0; left < data.rows(); ++left) {
    std::vector<std::size_t> others, one{left};
    for (std::size_t i = 0; i < data.rows(); ++i)
      if (i != left) others.push_back(i);
    const Model model = fit(Ridge{.tau2 = c, .bias = bias}, kernel, data.select_rows(others));
    const auto p = model.predict(data.points.select_rows(one)).values;
    for (std::size_t o = 0; o < p.size(); ++o)
      sum += std::pow(p[o] - data.target.values[left * p.size() + o], 2);
  }
  return std::sqrt(sum / double(data.target.values.size()));
}

TEST(LambdaPath, IsTheErrorOfRowsLeftOut) {
  const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
  for (const std::size_t outputs : {1, 2}) {
    const Dataset data = sine(12, outputs);
    for (const bool bias : {true, false}) {
      const LambdaPath path = lambda_path(kernel, data, {.points = 5, .factor = 1e-4, .bias = bias});
      ASSERT_EQ(path.lambda.size(), 5u);
      EXPECT_NEAR(path.lambda.front(), 1e-4 / 12, 1e-12);
      EXPECT_NEAR(path.lambda.back(), 1e3 / 12, 1e-6);
      for (std::size_t i = 0; i < 5; ++i)
        EXPECT_NEAR(path.leave_one_out[i],
                    leave_one_out(kernel, data, path.lambda[i] * 12, bias ? Bias::free : Bias::none), 1e-5)
            << i << bias;
      for (std::size_t i = 1; i < 5; ++i)
        EXPECT_LT(path.degrees_of_freedom[i], path.degrees_of_freedom[i - 1]);
      for (const double error : path.leave_one_out) EXPECT_LE(path.leave_one_out[path.best], error);
    }
  }
}

TEST(LambdaPath, RowsOfWeightZeroDoNotCount) {
  Dataset data = sine(12);
  const LambdaPath all =
      lambda_path(Kernel::parse("rbf(gamma=0.5)"),
                  sine(12).select_rows(std::vector<std::size_t>{0, 1, 2, 3, 4, 5}), {.points = 3});
  data.weights.assign(12, 1);
  for (std::size_t i = 6; i < 12; ++i) data.weights[i] = 0;
  const LambdaPath half = lambda_path(Kernel::parse("rbf(gamma=0.5)"), data, {.points = 3});
  for (std::size_t i = 0; i < 3; ++i) EXPECT_DOUBLE_EQ(half.leave_one_out[i], all.leave_one_out[i]);
}

TEST(LambdaPath, ResolvesTheKernel) {
  EXPECT_EQ(
      lambda_path(Kernel::parse("rbf(gamma=scale)"), sine(5), {.points = 2}).kernel.text().find("scale"),
      std::string::npos);
}

TEST(LambdaPath, RefusesWhatHasNoPath) {
  const auto refused = [](const char* kernel, const Dataset& data, const LambdaPathOptions& options = {}) {
    try {
      lambda_path(Kernel::parse(kernel), data, options);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  EXPECT_EQ(refused("rbf", sine(1)), "leaving rows out needs at least 2 rows; there are 1");
  EXPECT_EQ(refused("rbf", sine(0)), "leaving rows out needs at least 2 rows; there are 0");
  EXPECT_EQ(refused("rbf", sine(5), {.points = 1}),
            "a path needs several values of lambda, not 1; give at least 2");
  EXPECT_EQ(refused("rbf", sine(5), {.factor = 0}),
            "a path that begins at 0 is impossible; it must be above 0 and below 1000");
  EXPECT_EQ(refused("linear - rbf(gamma=1)", sine(5)).substr(0, 45),
            "ridge needs a kernel that is positive semidef");
  Dataset without = sine(5);
  without.target = {};
  EXPECT_EQ(refused("rbf", without), "the data have no target; name the target column");
}

}  // namespace
}  // namespace mercer

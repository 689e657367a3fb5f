#include "mercer/budget.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <regex>

#include "message_of.hpp"
#include "model/models.hpp"

namespace mercer {
namespace {

BudgetPlan planned(const AnyMethod& method, const Dataset& data, const FitOptions& options,
                   std::size_t program = 0, const char* kernel = "rbf(gamma=1)") {
  return plan_budget(method, Kernel::parse(kernel), data, options, Scaling::Kind::none, program);
}

TEST(Budget, IsOfPassesOverNystromFeaturesAlone) {
  const Dataset data = testing::wave(3000, 3);
  EXPECT_EQ(planned(Ridge{}, data, {}).approx, "");
  EXPECT_EQ(planned(Svr{}, data, {.approx = "nystrom:100"}).approx, "");
  EXPECT_EQ(planned(Ridge{}, data, {.approx = "fourier:100"}).approx, "");
  EXPECT_EQ(planned(Ridge{}, data, {.approx = "none"}).approx, "");
  EXPECT_EQ(planned(Ridge{}, data, {.approx = "nystrom:100"}).approx, "");  // held
  EXPECT_EQ(planned(Ridge{}, data, {.approx = "nystrom"}, 0, "mkl(linear, rbf(gamma=1))").approx, "");
}

TEST(Budget, CountsThePassesThatTheFitTakes) {
  const Dataset data = testing::wave(60'000, 3);
  for (const AnyMethod& method : {AnyMethod(Ridge{.lambda = 1e-6}), AnyMethod(Huber{.lambda = 1e-4})}) {
    const FitOptions options{.approx = "nystrom:600:uniform"};
    const BudgetPlan plan = planned(method, data, options, 1000, "rbf(gamma=100)");
    EXPECT_EQ(plan.approx, options.approx);
    EXPECT_FALSE(plan.chosen);
    const Model model = fit(method, Kernel::parse("rbf(gamma=100)"), data, options);
    const double passes = double(model.fitted.report.kernel_evaluations) /
                          double(60'000 * model.fitted.expansion.points.rows());
    EXPECT_GE(double(plan.passes), 0.5 * passes);
    EXPECT_LE(double(plan.passes), 2 * passes);
    EXPECT_GT(plan.pass_seconds, 0);
    EXPECT_GE(plan.seconds, double(plan.passes) * plan.pass_seconds);
    EXPECT_NE(plan.text().find(fmt::format("about {} passes of ", plan.passes)), std::string::npos);
    EXPECT_GT(plan.bytes, 2 * data.points.bytes());
  }
}

TEST(Budget, TakesAsManyLandmarksAsTheMemoryAllows) {
  const Dataset data = testing::wave(60'000, 3);
  const auto landmarks = [&](std::size_t memory) {
    const BudgetPlan plan = planned(Ridge{}, data, {.memory = memory, .approx = "nystrom"});
    EXPECT_TRUE(plan.chosen);
    EXPECT_LE(plan.bytes, memory);
    // The fit agrees.
    const Model model =
        fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), data, {.memory = memory, .approx = plan.approx});
    EXPECT_TRUE(model.fitted.report.converged);
    return std::stoul(plan.approx.substr(8));
  };
  const std::size_t few = landmarks(60'000'000), more = landmarks(90'000'000);
  EXPECT_GE(few, 32u);
  EXPECT_GT(more, few);
}

TEST(Budget, NamesTheLeastMemoryThatWorks) {
  const Dataset data = testing::wave(60'000, 3);
  const std::pair<AnyMethod, std::string> fits[] = {{Ridge{}, "nystrom:600"},
                                                    {Ridge{}, "nystrom:600:uniform"},
                                                    {Ridge{}, "nystrom"},
                                                    {Svr{}, "nystrom:600"},
                                                    {Gp{}, "nystrom:300"}};
  for (const auto& [method, approx] : fits) {
    const std::string said = message_of([&, &method = method, &approx = approx] {
      planned(method, data, {.memory = 5'000'000, .approx = approx}, 1'000'000);
    });
    std::smatch found;
    ASSERT_TRUE(
        std::regex_search(said, found, std::regex("takes ([0-9.]+) MB with the data and the program")))
        << said;
    const std::size_t least = std::size_t(std::stod(found[1]) * 1e6);
    EXPECT_NE(planned(method, data, {.memory = least, .approx = approx}, 1'000'000).approx, "");
    EXPECT_NE(said.find("a single landmark would take"), std::string::npos) << said;
  }
}

// Whatever the machine takes: no time at all, and all the time there is.
TEST(Budget, IsExactWhereThereIsTime) {
  const Dataset data = testing::wave(60'000, 2);
  for (const AnyMethod& method : {AnyMethod(Ridge{}), AnyMethod(Svr{.epsilon = 1})}) {
    const BudgetPlan hurried = planned(method, data, {.seconds = 1e-9});
    EXPECT_TRUE(hurried.chosen);
    EXPECT_EQ(hurried.approx, "nystrom:64");
    EXPECT_NE(hurried.why.find("an exact solution of 60000 rows would take about"), std::string::npos);
    EXPECT_EQ(planned(method, data, {.seconds = 1e9}).approx, "");
    EXPECT_EQ(planned(method, data, {}).approx, "");  // nobody minds
  }
}

}  // namespace
}  // namespace mercer

#include "methods/linear_machine.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

TEST(LinearMachine, MeasuresTheSmallerClass) {
  EXPECT_EQ(smaller_share(std::vector<double>{1, -1, -1, -1}), 0.25);
  EXPECT_EQ(smaller_share(std::vector<double>{1, 1, -1, -1}), 0.5);
  EXPECT_EQ(smaller_share(std::vector<double>{1, 1, 1, 1}), 0.25);  // as if there were one of the other
}

TEST(LinearMachine, RefusesKernelsWithoutColumns) {
  const Dataset data = testing::blobs(30, 2, 1);
  try {
    (void)fit(LinearSvm{}, Kernel::parse("rbf(gamma=1)"), data);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_NE(std::string(error.what()).find("linear_svm: it finds weights of columns"), std::string::npos);
  }
  const Model approximated = fit(LinearSvm{}, Kernel::parse("rbf(gamma=1)"), data, {.approx = "nystrom:10"});
  EXPECT_GT(testing::accuracy(approximated, data), 0.8);
}

TEST(LinearMachine, RefusesNumbersWhoseSquaresOverflow) {
  Dataset data = testing::two_classes({{1e200, 1}, {1, 2}, {3, -1e200}}, {0, 1, 0});
  EXPECT_THROW(fit(LinearSvm{}, Kernel::parse("linear"), data), Error);
}

// Hardly scaled columns and absolute errors, where descent alone would take many thousands of passes.
TEST(LinearMachine, FinishesByAnInteriorPointMethod) {
  Dataset data = testing::wave(100, 3);
  testing::Table rows;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    rows.push_back(data.points.row(i));
    rows.back()[1] = 30 + 10 * rows.back()[1];
  }
  data.points = Points(rows);
  const LinearSvr svr{.C = 10, .epsilon = 0.05};
  const Model model = fit(svr, Kernel::parse("linear"), data, testing::tight(1e-8));
  EXPECT_TRUE(model.fitted.report.converged);
  EXPECT_NE(model.fitted.report.solver.find("interior-point"), std::string::npos);
  EXPECT_LT(model.fitted.report.gap, 1e-5 * model.fitted.report.objective);
}

TEST(LinearMachine, SeesTheColumnsOfItsKernel) {
  const Dataset data = testing::blobs(60, 2, 2);
  const Model all = fit(LinearSvm{}, Kernel::parse("4*linear@[1, 3]"), data, testing::tight());
  Dataset some = data;
  const std::size_t columns[] = {0, 2};
  some.points = data.points.select_columns(columns);
  const Model own = fit(LinearSvm{}, Kernel::parse("4*linear"), some, testing::tight());
  testing::expect_near(all.predict(data.points).scores, own.predict(some.points).scores, 1e-5);
}

}  // namespace
}  // namespace mercer

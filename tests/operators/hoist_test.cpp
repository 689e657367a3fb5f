// What depends on one point alone leaves the pair formula, and nothing changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "operators/compiled_kernel.hpp"
#include "operators/packed_points.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

using Code = Formula::Code;

std::size_t count(const Formula& formula, Code code) {
  return std::size_t(std::ranges::count(formula.operations(), code, &Formula::Operation::code));
}

std::vector<CompiledKernel::Value> one_value() {
  return {{.kind = CompiledKernel::Value::Kind::function, .key = "f"}};
}

/// k = s · w(x) · w(z) + log(w(x)) with w = exp(−2f): f is point value 0, s a statistic.
Formula weighed() {
  Formula f;
  const Symbol s = f.statistic(0), x = f.row_value(0), z = f.column_value(0);
  f.finish(s * (exp(-2.0 * x) * exp(-2.0 * z)) + log(exp(-2.0 * x)));
  return f;
}

TEST(Hoist, MovesWhatDependsOnOnePointOutOfThePairs) {
  Formula formula = weighed();
  std::vector<CompiledKernel::Value> values = one_value();
  hoist_point_values(formula, values);
  EXPECT_EQ(count(formula, Code::exp_affine), 0u);
  EXPECT_EQ(count(formula, Code::log), 0u);
  EXPECT_EQ(count(formula, Code::multiply), 2u);
  EXPECT_EQ(count(formula, Code::add), 1u);
}

TEST(Hoist, SharesOneValueBetweenEqualRowAndColumnFormulas) {
  Formula formula = weighed();
  std::vector<CompiledKernel::Value> values = one_value();
  hoist_point_values(formula, values);
  ASSERT_EQ(values.size(), 3u);  // f, w = exp(−2f) for both points, and log w
  std::vector<std::int32_t> rows, columns;
  for (const auto& o : formula.operations()) {
    if (o.code == Code::row_value) rows.push_back(o.a);
    if (o.code == Code::column_value) columns.push_back(o.a);
  }
  std::ranges::sort(rows);
  EXPECT_EQ(rows, (std::vector<std::int32_t>{1, 2}));
  EXPECT_EQ(columns, (std::vector<std::int32_t>{1}));
  for (std::size_t v = 1; v < 3; ++v) {
    EXPECT_EQ(values[v].kind, CompiledKernel::Value::Kind::formula);
    EXPECT_EQ(count(values[v].formula, Code::row_value), 0u);
  }
  const std::vector<std::vector<double>> f{{0.25, -1}};
  EXPECT_NEAR(evaluate_points(values[1].formula, f, 2)[0], std::exp(-0.5), 1e-15);
  EXPECT_NEAR(evaluate_points(values[2].formula, f, 2)[1], 2, 1e-14);
}

TEST(Hoist, LeavesPairsAndBareInputsAlone) {
  Formula formula;
  const Symbol s = formula.statistic(0), x = formula.row_value(0), z = formula.column_value(0);
  formula.finish(exp(s) + (x + z));
  const auto before = formula.operations();
  std::vector<CompiledKernel::Value> values = one_value();
  hoist_point_values(formula, values);
  EXPECT_EQ(formula.operations(), before);
  EXPECT_EQ(values.size(), 1u);
}

TEST(Hoist, TakesAWholeFormulaOfOnePoint) {
  Formula formula;
  formula.finish(sqrt(formula.column_value(0)) + 1);
  std::vector<CompiledKernel::Value> values = one_value();
  hoist_point_values(formula, values);
  ASSERT_EQ(formula.operations().size(), 1u);
  EXPECT_EQ(formula.operations().front().code, Code::column_value);
  ASSERT_EQ(values.size(), 2u);
  EXPECT_EQ(evaluate_points(values[1].formula, std::vector<std::vector<double>>{{9.0}}, 1)[0], 4);
}

TEST(Hoist, LeavesNoRootOfANormInThePairsOfCosine) {
  for (const Kernel& k :
       {cosine(), normalize(poly({.degree = 3})), weighted(rbf({.gamma = 1}), "inverse_norm")}) {
    const CompiledKernel program(k);
    EXPECT_EQ(count(program.formula, Code::sqrt), 0u) << k.text();
    EXPECT_EQ(count(program.formula, Code::divide), 0u) << k.text();
    EXPECT_EQ(count(program.formula, Code::is_zero), 0u) << k.text();
  }
  const CompiledKernel cosines(cosine());  // dot · (wx · wz)
  EXPECT_EQ(count(cosines.formula, Code::multiply), 2u);
  EXPECT_EQ(std::ranges::count_if(
                cosines.values, [](const auto& v) { return v.kind == CompiledKernel::Value::Kind::formula; }),
            1);
}

}  // namespace
}  // namespace mercer

#include "mercer/formula.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace mercer {
namespace {

using Code = Formula::Code;

/// Inputs: statistics s, numbers of x and of z.
struct Inputs {
  std::vector<double> s, x = {}, z = {};
};

double evaluate(const Formula& formula, const Inputs& in) {
  std::vector<double> v;
  for (const auto& o : formula.operations()) {
    const auto a = [&] { return v.at(std::size_t(o.a)); };
    const auto b = [&] { return v.at(std::size_t(o.b)); };
    const auto value = [&] {
      switch (o.code) {
        case Code::statistic:
          return in.s.at(std::size_t(o.a));
        case Code::row_value:
          return in.x.at(std::size_t(o.a));
        case Code::column_value:
          return in.z.at(std::size_t(o.a));
        case Code::constant:
          return o.p;
        case Code::add:
          return a() + b();
        case Code::subtract:
          return a() - b();
        case Code::multiply:
          return a() * b();
        case Code::divide:
          return a() / b();
        case Code::minimum:
          return std::min(a(), b());
        case Code::maximum:
          return std::max(a(), b());
        case Code::affine:
          return o.p * a() + o.q;
        case Code::exp_affine:
          return std::exp(o.p * a() + o.q);
        case Code::log:
          return std::log(a());
        case Code::sqrt:
          return std::sqrt(a());
        case Code::tanh:
          return std::tanh(a());
        case Code::acos:
          return std::acos(std::clamp(a(), -1.0, 1.0));
        case Code::bessel:
          return a() > 0 ? std::exp2(1 - o.p) / std::tgamma(o.p) * std::pow(a(), o.p) *
                               std::cyl_bessel_k(o.p, a())
                         : 1.0;
        case Code::is_zero:
          return a() == 0 ? 1.0 : 0.0;
        case Code::squared_distance:
          return std::max(0.0, in.x.at(std::size_t(o.b)) + in.z.at(std::size_t(o.b)) - 2 * a());
      }
      return double(NAN);
    };
    v.push_back(value());
  }
  return v.back();
}

std::vector<Code> codes(const Formula& formula) {
  std::vector<Code> all;
  for (const auto& operation : formula.operations()) all.push_back(operation.code);
  return all;
}

template <class F>
Formula traced(F f) {
  Formula formula;
  formula.finish(f(formula.statistic(0)));
  return formula;
}

void expect_near(double got, double expected) {
  EXPECT_NEAR(got, expected, 1e-13 * std::max(1.0, std::abs(expected)));
}

TEST(Formula, ComputesWhatTheArithmeticSays) {
  const auto direct = [](auto s, auto t, auto x, auto z) {
    using std::exp, std::log, std::sqrt, std::tanh, std::min, std::max, std::abs;
    return (2 * s - t / 3 + 1) * exp(-0.5 * s + x) / (1 + z * z) - min(s, t) * max(x, z) + tanh(s - t) +
           sqrt(t + 1) * log(s + 2) + abs(x - z) - (3 - s) * (-t) + 1 / (s + 1);
  };
  Formula formula;
  formula.finish(
      direct(formula.statistic(0), formula.statistic(1), formula.row_value(0), formula.column_value(0)));
  Random random(1);
  for (int i = 0; i < 100; ++i) {
    const double s = random.uniform(0, 3), t = random.uniform(0, 3), x = random.normal(), z = random.normal();
    expect_near(evaluate(formula, {{s, t}, {x}, {z}}), direct(s, t, x, z));
  }
}

TEST(Formula, FoldsConstantsOnBothSidesOfEveryOperator) {
  const Symbol two(2), three(3);
  Formula formula;
  formula.finish((two + three) * (two - three) / two + min(two, three) - max(two, three) * -two +
                 abs(-three) + exp(Symbol(0)) + log(Symbol(1)) + sqrt(Symbol(16)) + tanh(Symbol(0)) +
                 is_zero(Symbol(0)) + pow(two, 3) + pow(two, 0.5) + inverse_root(Symbol(4)) +
                 inverse_root(Symbol(0)));
  EXPECT_EQ(codes(formula), (std::vector{Code::constant}));
  expect_near(evaluate(formula, {}), -2.5 + 2 + 6 + 3 + 1 + 0 + 4 + 0 + 1 + 8 + std::sqrt(2.) + 0.5 + 0);
}

TEST(Formula, KeepsEqualOperationsOnce) {
  const Formula formula = traced([](Symbol s) { return exp(-2 * s) * tanh(s) + exp(-2 * s) / tanh(s); });
  EXPECT_EQ(formula.operations().size(), 6u) << "s, exp, tanh, their product and quotient, the sum";
  const Formula commuted = traced([](Symbol s) { return sqrt(s) * tanh(s) + tanh(s) * sqrt(s); });
  EXPECT_EQ(commuted.operations().size(), 5u) << "products commute";
  const Formula differences = traced([](Symbol s) { return (sqrt(s) - tanh(s)) * (tanh(s) - sqrt(s)); });
  EXPECT_EQ(differences.operations().size(), 6u) << "differences do not";
  Formula inputs;
  inputs.finish(inputs.statistic(3) * inputs.statistic(3) + inputs.row_value(3) * inputs.column_value(3));
  EXPECT_EQ(inputs.operations().size(), 6u);
}

TEST(Formula, FoldsChainsOfConstantsIntoOneAffineStep) {
  const Formula formula = traced([](Symbol s) { return -((2 * s + 1) / 4 - 3) * 8 + 5; });
  ASSERT_EQ(codes(formula), (std::vector{Code::statistic, Code::affine}));
  EXPECT_EQ(formula.operations()[1].p, -4);
  EXPECT_EQ(formula.operations()[1].q, 27);
  EXPECT_EQ(codes(traced([](Symbol s) { return s * 1 + 0; })), (std::vector{Code::statistic}));
  const Formula exponential = traced([](Symbol s) { return exp(-(0.5 * (3 - s))); });
  ASSERT_EQ(codes(exponential), (std::vector{Code::statistic, Code::exp_affine}));
  EXPECT_EQ(exponential.operations()[1].p, 0.5);
  EXPECT_EQ(exponential.operations()[1].q, -1.5);
}

TEST(Formula, RemovesWhatTheResultDoesNotNeed) {
  Formula formula;
  const Symbol s = formula.statistic(0), unused = tanh(exp(formula.statistic(1)));
  const Symbol result = sqrt(s) * s;
  (void)log(unused);
  formula.finish(result);
  EXPECT_EQ(codes(formula), (std::vector{Code::statistic, Code::sqrt, Code::multiply}));
  expect_near(evaluate(formula, {{4}}), 8);

  const Formula again(std::vector<Formula::Operation>{{.code = Code::statistic, .a = 1},
                                                      {.code = Code::tanh, .a = 0},
                                                      {.code = Code::statistic, .a = 0},
                                                      {.code = Code::affine, .a = 2, .p = 3, .q = 1}});
  EXPECT_EQ(codes(again), (std::vector{Code::statistic, Code::affine}));
  expect_near(evaluate(again, {{2}}), 7);
}

TEST(Formula, AResultInTheMiddleBecomesTheLastOperation) {
  Formula formula;
  const Symbol s = formula.statistic(0);
  (void)exp(s);
  formula.finish(s);
  EXPECT_EQ(codes(formula), (std::vector{Code::statistic}));
}

TEST(Formula, SquaredDistanceComesFromProductAndNormsAndIsNeverNegative) {
  Formula formula;
  formula.finish(formula.squared_distance(1, 2) + formula.statistic(1));
  EXPECT_EQ(codes(formula), (std::vector{Code::statistic, Code::squared_distance, Code::add}));
  expect_near(evaluate(formula, {{0, 6}, {0, 0, 9}, {0, 0, 4}}), 13 - 12 + 6);
  expect_near(evaluate(formula, {{0, 7}, {0, 0, 9}, {0, 0, 4}}), 7);
}

TEST(Pow, EqualsThePowerForWholeAndBrokenExponents) {
  Random random(2);
  for (int exponent = -9; exponent <= 40; ++exponent) {
    const double s = random.uniform(-2, 2);
    const double expected = std::pow(s, exponent);
    EXPECT_NEAR(evaluate(traced([&](Symbol a) { return pow(a, exponent); }), {{s}}), expected,
                1e-13 * std::abs(expected));
    EXPECT_NEAR(evaluate(traced([&](Symbol a) { return pow(a, double(exponent)); }), {{s}}), expected,
                1e-13 * std::abs(expected));
  }
  for (const double exponent : {0.5, -1.7, 63.25})
    expect_near(evaluate(traced([&](Symbol a) { return pow(a, exponent); }), {{1.1}}),
                std::pow(1.1, exponent));
}

TEST(Pow, OfANegativeNumberIsKnownForEveryWholeExponent) {
  for (const double exponent : {2.0, 3.0, 64.0, 65.0, 1000.0, 1001.0})
    EXPECT_NEAR(
        evaluate(traced([&](Symbol a) { return pow(a, exponent); }), {{-1.001}}) / std::pow(-1.001, exponent),
        1, 1e-11)
        << exponent;
}

TEST(Pow, TakesFewMultiplications) {
  EXPECT_EQ(traced([](Symbol a) { return pow(a, 1); }).operations().size(), 1u);
  EXPECT_EQ(traced([](Symbol a) { return pow(a, 8); }).operations().size(), 4u);
  EXPECT_LE(traced([](Symbol a) { return pow(a, 1000); }).operations().size(), 19u);
  EXPECT_EQ(codes(traced([](Symbol a) { return pow(a, 0); })), (std::vector{Code::constant}));
}

TEST(InverseRoot, IsZeroAtZero) {
  const Formula formula = traced([](Symbol a) { return inverse_root(a); });
  expect_near(evaluate(formula, {{4}}), 0.5);
  EXPECT_EQ(evaluate(formula, {{0}}), 0);
}

}  // namespace
}  // namespace mercer

// Placing values in registers: a value that is still to be read is never overwritten.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "base/random.hpp"
#include "operators/simd/evaluate.hpp"

namespace mercer::simd {
namespace {

using Code = Formula::Code;
using Operation = Formula::Operation;

/// The formula at point j, by the book.
double interpret(const Formula& formula, const std::vector<std::vector<double>>& statistics,
                 const std::vector<double>& rows, const std::vector<std::vector<double>>& columns,
                 std::size_t j) {
  std::vector<double> v;
  for (const Operation& o : formula.operations()) {
    const auto a = [&] { return v[std::size_t(o.a)]; };
    const auto b = [&] { return v[std::size_t(o.b)]; };
    switch (o.code) {
      case Code::statistic:
        v.push_back(statistics[std::size_t(o.a)][j]);
        break;
      case Code::row_value:
        v.push_back(rows[std::size_t(o.a)]);
        break;
      case Code::column_value:
        v.push_back(columns[std::size_t(o.a)][j]);
        break;
      case Code::constant:
        v.push_back(o.p);
        break;
      case Code::add:
        v.push_back(a() + b());
        break;
      case Code::subtract:
        v.push_back(a() - b());
        break;
      case Code::multiply:
        v.push_back(a() * b());
        break;
      case Code::divide:
        v.push_back(a() / b());
        break;
      case Code::minimum:
        v.push_back(std::min(a(), b()));
        break;
      case Code::maximum:
        v.push_back(std::max(a(), b()));
        break;
      case Code::affine:
        v.push_back(o.p * a() + o.q);
        break;
      case Code::exp_affine:
        v.push_back(std::exp(o.p * a() + o.q));
        break;
      case Code::log:
        v.push_back(std::log(a()));
        break;
      case Code::sqrt:
        v.push_back(std::sqrt(a()));
        break;
      case Code::tanh:
        v.push_back(std::tanh(a()));
        break;
      case Code::acos:
        v.push_back(std::acos(std::clamp(a(), -1.0, 1.0)));
        break;
      case Code::bessel:
        v.push_back(a() == 0 ? 1
                             : std::exp2(1 - o.p) / std::tgamma(o.p) * std::pow(a(), o.p) *
                                   std::cyl_bessel_k(o.p, a()));
        break;
      case Code::is_zero:
        v.push_back(a() == 0);
        break;
      case Code::squared_distance:
        v.push_back(std::max(0.0, rows[std::size_t(o.b)] + columns[std::size_t(o.b)][j] - 2 * a()));
        break;
    }
  }
  return v.back();
}

/// A random list of operations whose values stay of order one.
Formula random_formula(Random& random, int length) {
  std::vector<Operation> list;
  for (int i = 0; i < 3; ++i) list.push_back({.code = Code::statistic, .a = i});
  for (int i = 0; i < 2; ++i) list.push_back({.code = Code::row_value, .a = i});
  for (int i = 0; i < 2; ++i) list.push_back({.code = Code::column_value, .a = i});
  list.push_back({.code = Code::constant, .p = 0.75});
  list.push_back({.code = Code::squared_distance, .a = 0, .b = 1});
  const Code codes[] = {Code::add,    Code::subtract, Code::multiply,   Code::minimum, Code::maximum,
                        Code::affine, Code::tanh,     Code::exp_affine, Code::acos,    Code::bessel};
  while (int(list.size()) < length) {
    const auto pick = [&] { return std::int32_t(random.below(list.size())); };
    Operation o{.code = codes[random.below(std::size(codes))], .a = pick()};
    if (o.has_second_operand()) o.b = random.uniform() < 0.2 ? o.a : pick();  // also a value with itself
    if (o.code == Code::affine) o.p = random.uniform(-1, 1), o.q = random.uniform(-1, 1);
    if (o.code == Code::exp_affine) {  // of a bounded argument
      list.push_back({.code = Code::tanh, .a = o.a});
      o.a = std::int32_t(list.size()) - 1, o.p = random.uniform(-1, 1);
    }
    if (o.code == Code::acos) {  // of an argument away from ±1, where it is steep
      list.push_back({.code = Code::tanh, .a = o.a});
      list.push_back({.code = Code::affine, .a = std::int32_t(list.size()) - 1, .p = 0.9});
      o.a = std::int32_t(list.size()) - 1;
    }
    if (o.code == Code::bessel) {  // of a square
      list.push_back({.code = Code::multiply, .a = o.a, .b = o.a});
      o.a = std::int32_t(list.size()) - 1, o.p = random.uniform(0.1, 2);
    }
    list.push_back(o);
    list.push_back({.code = Code::tanh, .a = std::int32_t(list.size()) - 1});
  }
  return Formula(list);
}

TEST(Bytecode, NeverOverwritesALiveValue) {
  Random random(1);
  const std::size_t n = 530;  // two blocks, the second ragged
  std::vector<std::vector<double>> statistics(3, std::vector<double>(n)), columns(2, std::vector<double>(n));
  for (auto& list : statistics)
    for (double& value : list) value = random.normal() / 4;
  for (auto& list : columns)
    for (double& value : list) value = 3 + random.uniform();  // norms large enough that no distance is mended
  const std::vector<double> rows{0.3, 4.5};
  const double* s[] = {statistics[0].data(), statistics[1].data(), statistics[2].data()};
  const double* c[] = {columns[0].data(), columns[1].data()};
  for (int round = 0; round < 300; ++round) {
    const Formula formula = random_formula(random, 10 + round % 60);
    const Bytecode<double> bytecode(formula);
    Buffer<double> registers(block * std::size_t(bytecode.registers + 3), 1e300);
    std::vector<double> out(n);
    evaluate(functions(""), bytecode,
             {.statistics = s, .row_values = rows.data(), .column_values = c, .out = out.data(), .n = n},
             registers.data());
    for (std::size_t j = 0; j < n; j += round % 7 + 1)
      ASSERT_NEAR(out[j], interpret(formula, statistics, rows, columns, j), 1e-9)
          << "round " << round << " at " << j;
  }
}

TEST(Bytecode, ReusesRegisters) {
  Formula chain;
  Symbol value = chain.statistic(0);
  for (int i = 0; i < 40; ++i) value = tanh(value);
  chain.finish(value);
  EXPECT_EQ(Bytecode<float>(chain).registers, 1);
  Formula power;  // a⁸ by squaring
  power.finish(pow(power.statistic(0), 8));
  EXPECT_EQ(Bytecode<float>(power).registers, 1);
  Formula both;  // a value that is read again at the end keeps its register
  const Symbol kept = exp(both.statistic(0));
  both.finish(kept + tanh(tanh(kept)));
  EXPECT_EQ(Bytecode<double>(both).registers, 2);
}

TEST(Bytecode, KeepsWhatIsConstantAlongARowForGood) {
  Formula f;
  const Symbol x = f.row_value(2), s = f.statistic(0);
  f.finish(max(s * x, Symbol(0.5)) * x);
  const Bytecode<float> bytecode(f);
  ASSERT_EQ(bytecode.fills.size(), 2u);
  std::set<std::int32_t> filled;
  for (const auto& fill : bytecode.fills) filled.insert(fill.target);
  for (const auto& step : bytecode.steps) EXPECT_FALSE(filled.contains(step.target));
}

TEST(Bytecode, OfAnInputHasNoSteps) {
  Formula input, constant;
  input.finish(input.column_value(3));
  constant.finish(2.5);
  EXPECT_TRUE(Bytecode<float>(input).steps.empty());
  EXPECT_EQ(Bytecode<float>(input).result.place, Bytecode<float>::Place::column_value);
  EXPECT_EQ(Bytecode<float>(input).result.number, 3);
  EXPECT_TRUE(Bytecode<double>(constant).steps.empty());
  EXPECT_EQ(Bytecode<double>(constant).result.place, Bytecode<double>::Place::reg);
}

}  // namespace
}  // namespace mercer::simd

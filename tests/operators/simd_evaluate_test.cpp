// Every instruction set of the machine against the standard library, one operation at a time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>

#include "base/random.hpp"
#include "operators/entries.hpp"
#include "operators/simd/evaluate.hpp"

namespace mercer::simd {
namespace {

constexpr std::size_t lengths[] = {0, 1, 2, 3, 7, 8, 15, 16, 17, 511, 512, 513, 1100};

/// action(name, T(0)) for every instruction set and both precisions.
template <class Action>
void with_every_set(Action action) {
  for (const std::string& set : instruction_sets()) {
    action(set, 0.0f);
    action(set, 0.0);
  }
}

template <class T>
struct Row1 {
  std::vector<T> a, b;
  T row_value = T(0.75);
};

/// One formula over a and b (statistics 0 and 1, and column values 0 and 1) with one instruction set.
template <class T>
std::vector<T> run(const Functions& f, const Formula& formula, const Row1<T>& row) {
  const Bytecode<T> bytecode(formula);
  Buffer<T> registers(block * std::size_t(bytecode.registers + 3), std::numeric_limits<T>::quiet_NaN());
  const T* inputs[] = {row.a.data(), row.b.data()};
  std::vector<T> out(row.a.size() + 4, T(-77));  // nothing may be written past the end
  evaluate(f, bytecode,
           {.statistics = inputs,
            .row_values = &row.row_value,
            .column_values = inputs,
            .out = out.data(),
            .n = row.a.size()},
           registers.data());
  for (std::size_t e = row.a.size(); e < out.size(); ++e) EXPECT_EQ(out[e], T(-77));
  out.resize(row.a.size());
  return out;
}

template <class T>
void expect_relative(T got, long double expected, double tolerance, const std::string& what) {
  if (!std::isfinite(T(expected)) || expected == 0) {
    EXPECT_EQ(got, T(expected)) << what;
    return;
  }
  // Results below the normal range may be flushed to zero.
  EXPECT_LE(std::abs(static_cast<long double>(got) - expected),
            tolerance * std::abs(expected) + std::numeric_limits<T>::min())
      << what << ": " << got << " against " << double(expected);
}

struct Case {
  const char* name;
  Symbol (*formula)(Symbol a, Symbol b, Symbol row);
  long double (*expected)(long double a, long double b, long double row);
  double float32, float64;
  double low = -4, high = 4;
};

const Case cases[] = {
    {"add", [](Symbol a, Symbol b, Symbol) { return a + b; },
     [](long double a, long double b, long double) { return a + b; }, 1e-6, 2e-15},
    {"subtract", [](Symbol a, Symbol, Symbol r) { return a - r; },
     [](long double a, long double, long double r) { return a - r; }, 1e-6, 2e-15},
    {"multiply", [](Symbol a, Symbol b, Symbol r) { return a * b * r; },
     [](long double a, long double b, long double r) { return a * b * r; }, 3e-7, 4e-16},
    {"divide", [](Symbol a, Symbol b, Symbol) { return a / b; },
     [](long double a, long double b, long double) { return a / b; }, 3e-7, 4e-16},
    {"minimum", [](Symbol a, Symbol b, Symbol) { return min(a, b); },
     [](long double a, long double b, long double) { return std::min(a, b); }, 0, 0},
    {"maximum", [](Symbol a, Symbol b, Symbol) { return max(a, b); },
     [](long double a, long double b, long double) { return std::max(a, b); }, 0, 0},
    {"affine", [](Symbol a, Symbol, Symbol) { return 3 * a + 20; },
     [](long double a, long double, long double) { return 3 * a + 20; }, 3e-7, 4e-16},
    {"exp", [](Symbol a, Symbol, Symbol) { return exp(a); },
     [](long double a, long double, long double) { return expl(a); }, 3e-7, 1.5e-15, -4, 4},
    {"exp_affine", [](Symbol a, Symbol, Symbol) { return exp(-0.5 * a + 0.25); },
     [](long double a, long double, long double) { return expl(-0.5L * a + 0.25L); }, 6e-7, 2e-15},
    {"log", [](Symbol a, Symbol, Symbol) { return log(a); },
     [](long double a, long double, long double) { return logl(a); }, 4e-7, 2e-15, 1.5, 1e6},
    {"sqrt", [](Symbol a, Symbol, Symbol) { return sqrt(a); },
     [](long double a, long double, long double) { return sqrtl(a); }, 1e-7, 2.3e-16, 0, 1e6},
    {"tanh", [](Symbol a, Symbol, Symbol) { return tanh(a); },
     [](long double a, long double, long double) { return tanhl(a); }, 1e-6, 4e-15},
    {"acos", [](Symbol a, Symbol, Symbol) { return acos(a); },
     [](long double a, long double, long double) { return acosl(a); }, 2e-6, 4e-15, -0.999, 0.999},
    {"bessel", [](Symbol a, Symbol, Symbol) { return bessel(a, 1.5); },
     [](long double a, long double, long double) { return (1 + a) * expl(-a); }, 1e-6, 1e-13, 0, 30},
    {"is_zero", [](Symbol a, Symbol b, Symbol) { return is_zero(max(a, b) - max(b, a)) + is_zero(a); },
     [](long double a, long double, long double) { return 1.0L + (a == 0); }, 0, 0},
    {"constant", [](Symbol, Symbol, Symbol) { return Symbol(1.25); },
     [](long double, long double, long double) { return 1.25L; }, 0, 0},
    {"row value", [](Symbol, Symbol, Symbol r) { return r; },
     [](long double, long double, long double r) { return r; }, 0, 0},
    {"statistic", [](Symbol a, Symbol, Symbol) { return a; },
     [](long double a, long double, long double) { return a; }, 0, 0},
};

template <class T>
void expect_every_operation(const std::string& set) {
  const Functions& f = functions(set);
  for (const Case& c : cases)
    for (const std::size_t n : lengths) {
      Random random(n + 3);
      Row1<T> row;
      for (std::size_t j = 0; j < n; ++j) {
        row.a.push_back(j % 11 == 0 && c.low <= 0 ? T(0) : T(random.uniform(c.low, c.high)));
        row.b.push_back(T(random.uniform(0.5, 4)));
      }
      for (const bool columns : {false, true}) {
        Formula formula;
        const auto input = [&](int i) { return columns ? formula.column_value(i) : formula.statistic(i); };
        formula.finish(c.formula(input(0), input(1), formula.row_value(0)));
        const auto out = run(f, formula, row);
        for (std::size_t j = 0; j < n; ++j) {
          const long double expected = c.expected(row.a[j], row.b[j], row.row_value);
          // Sums may cancel: measured against their parts.
          if (c.low < 0 && (std::string(c.name) == "add" || std::string(c.name) == "subtract")) {
            ASSERT_LE(std::abs(out[j] - expected), (sizeof(T) == 4 ? 6e-7 : 1e-15)) << set << " " << c.name;
          } else {
            expect_relative<T>(out[j], expected, sizeof(T) == 4 ? c.float32 : c.float64,
                               set + " " + c.name + " of " + std::to_string(double(row.a[j])));
          }
        }
      }
    }
}

TEST(Simd, ComputesEveryOperationWithEveryInstructionSet) {
  ASSERT_FALSE(instruction_sets().empty());
  with_every_set([](const std::string& set, auto zero) { expect_every_operation<decltype(zero)>(set); });
}

TEST(Simd, GivesTheSameNumbersWithEveryInstructionSet) {
  Formula formula;  // a kernel's worth of operations; the sets may differ by fused roundings alone
  const Symbol a = formula.statistic(0), b = formula.column_value(1), r = formula.row_value(0);
  formula.finish(exp(-0.5 * sqrt(a * a + 1)) * pow(1 + 0.25 * b, 3) + tanh(a * r) / max(b, r));
  Random random(4);
  Row1<double> wide;
  Row1<float> narrow;
  for (int j = 0; j < 1100; ++j) {
    wide.a.push_back(random.normal()), wide.b.push_back(random.uniform(1, 2));
    narrow.a.push_back(float(wide.a.back())), narrow.b.push_back(float(wide.b.back()));
  }
  const auto best64 = run(functions(""), formula, wide);
  const auto best32 = run(functions(""), formula, narrow);
  for (const std::string& set : instruction_sets()) {
    const auto out64 = run(functions(set), formula, wide);
    const auto out32 = run(functions(set), formula, narrow);
    for (std::size_t j = 0; j < out64.size(); ++j) {
      ASSERT_NEAR(out64[j], best64[j], 5e-15) << set;
      ASSERT_NEAR(out32[j], best32[j], 3e-6) << set;
    }
  }
}

template <class T>
Row1<T> whole_range(double low, double high, std::size_t count) {
  Row1<T> row;
  for (std::size_t i = 0; i < count; ++i)
    row.a.push_back(T(low + (high - low) * (double(i) / double(count - 1))));
  row.b = row.a;
  return row;
}

template <class T>
void expect_whole_exp(const std::string& set) {
  Formula formula;
  formula.finish(exp(formula.statistic(0)));
  const double top = std::log(double(std::numeric_limits<T>::max())),
               bottom = std::log(double(std::numeric_limits<T>::min()));
  const auto row = whole_range<T>(bottom, sizeof(T) == 4 ? 88.7228 : 709.78, 20000);
  const auto out = run(functions(set), formula, row);
  double worst = 0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const long double expected = expl(row.a[i]);
    worst = std::max(worst, double(std::abs(out[i] - expected) / expected));
  }
  EXPECT_LE(worst, sizeof(T) == 4 ? 3e-7 : 1.2e-15) << set;
  Row1<T> edges;
  const T infinity = std::numeric_limits<T>::infinity();
  edges.a = {T(top * 1.0001),
             T(2 * top),
             std::numeric_limits<T>::max(),
             infinity,
             T(2 * bottom),
             std::numeric_limits<T>::lowest(),
             -infinity,
             T(1.02 * bottom),  // subnormal
             T(0),
             T(-0.0),
             std::numeric_limits<T>::quiet_NaN()};
  edges.b = edges.a;
  const auto at = run(functions(set), formula, edges);
  for (const std::size_t i : {0, 1, 2, 3}) EXPECT_EQ(at[i], infinity) << set << " " << edges.a[i];
  for (const std::size_t i : {4, 5, 6, 7}) EXPECT_EQ(at[i], 0) << set << " " << edges.a[i];
  for (const std::size_t i : {8, 9}) EXPECT_EQ(at[i], 1) << set;
  EXPECT_TRUE(std::isnan(at[10])) << set << " exp(NaN) is " << at[10];
}

TEST(Simd, ComputesExpOverItsWholeRange) {
  with_every_set([](const std::string& set, auto zero) { expect_whole_exp<decltype(zero)>(set); });
}

template <class T>
void expect_snapped_angles(const std::string& set) {
  const T rounding = sizeof(T) == 4 ? T(1e-7) : T(1e-15);
  Row1<T> row;
  row.a = {T(1), T(1) - rounding, T(1.5), T(-1), T(-1) + rounding, T(-1.5), T(0.5), T(-0.5)};
  row.b = std::vector<T>(row.a.size());
  Formula formula;
  formula.finish(acos(formula.statistic(0)));
  const auto angle = run(functions(set), formula, row);
  for (const std::size_t i : {0, 1, 2}) EXPECT_EQ(angle[i], T(0)) << set;
  for (const std::size_t i : {3, 4, 5}) EXPECT_EQ(angle[i], T(3.14159265358979323846)) << set;
  EXPECT_NEAR(angle[6] + angle[7], 3.14159265358979323846, sizeof(T) == 4 ? 1e-6 : 1e-15) << set;
}

TEST(Simd, TakesCosinesWithinRoundingOfOneForOne) {
  with_every_set([](const std::string& set, auto zero) { expect_snapped_angles<decltype(zero)>(set); });
}

TEST(Simd, ComputesTanhLogAndRootOverTheirRanges) {
  const auto expect = [](const char* name, Symbol (*formula)(Symbol), long double (*expected)(long double),
                         auto row, double tolerance) {
    using T = typename decltype(row.a)::value_type;
    for (const std::string& set : instruction_sets()) {
      Formula f;
      f.finish(formula(f.statistic(0)));
      const auto out = run(functions(set), f, row);
      for (std::size_t i = 0; i < out.size(); ++i)
        expect_relative<T>(out[i], expected(row.a[i]), tolerance,
                           set + " " + name + " of " + std::to_string(row.a[i]));
    }
  };
  const auto tanh_of = [](Symbol a) { return tanh(a); };
  const auto log_of = [](Symbol a) { return log(a); };
  const auto root_of = [](Symbol a) { return sqrt(a); };
  expect("tanh", tanh_of, tanhl, whole_range<float>(-100, 100, 3001), 1e-6);
  expect("tanh", tanh_of, tanhl, whole_range<double>(-100, 100, 3001), 4e-15);
  expect("log", log_of, logl, whole_range<float>(2, 3e38, 3001), 4e-7);
  expect("log", log_of, logl, whole_range<double>(2, 1e308, 3001), 2e-15);
  expect("log", log_of, logl, whole_range<double>(1e-300, 0.5, 3001), 2e-15);
  expect("sqrt", root_of, sqrtl, whole_range<float>(0, 3e38, 3001), 1e-7);
  expect("sqrt", root_of, sqrtl, whole_range<double>(0, 1e308, 3001), 2.3e-16);
}

/// Squared distances from given dot products and norms; what cancels is asked for.
template <class T>
void expect_distances(const std::string& set) {
  for (const std::size_t n : lengths) {
    Random random(n + 9);
    const T u = T(2);
    std::vector<T> products, norms, out(n), asked;
    for (std::size_t j = 0; j < n; ++j) {
      norms.push_back(T(random.uniform(1, 3)));
      // 5, 18, …: cancels wholly.
      products.push_back(j % 13 == 5 ? (u + norms[j]) / 2 : T(random.uniform(-1, 1)));
    }
    Formula formula;
    formula.finish(formula.squared_distance(0, 0) + 1);
    const Bytecode<T> bytecode(formula);
    Buffer<T> registers(block * std::size_t(bytecode.registers + 3));
    const T *statistic = products.data(), *column = norms.data();
    std::vector<int> calls(n);
    const auto exact = [](const void* context, std::int32_t number, std::size_t j) -> T {
      EXPECT_EQ(number, 0);
      ++(*static_cast<std::vector<int>*>(const_cast<void*>(context)))[j];
      return T(1000 + j);
    };
    evaluate(functions(set), bytecode,
             {.statistics = &statistic,
              .row_values = &u,
              .column_values = &column,
              .out = out.data(),
              .n = n,
              .exact_distance = exact,
              .context = &calls},
             registers.data());
    for (std::size_t j = 0; j < n; ++j) {
      const T plain = u + norms[j] - 2 * products[j];
      const bool cancels = plain < (u + norms[j]) / 64;
      EXPECT_EQ(calls[j], cancels ? 1 : 0) << set << " " << n << " " << j;
      EXPECT_NEAR(out[j], cancels ? T(1001 + j) : plain + 1, 1e-5) << set << " " << n << " " << j;
    }
  }
}

TEST(Simd, AsksForDistancesThatCancelled) {
  with_every_set([](const std::string& set, auto zero) { expect_distances<decltype(zero)>(set); });
}

template <class T>
void expect_sums(const std::string& set) {
  for (const std::size_t d : {0, 1, 3, 40})
    for (const std::size_t n : {1, 7, 511, 512}) {
      Random random(d + n);
      std::vector<T> x(d), z(d * block), out(n + 2, T(-5));
      for (T& value : x) value = T(random.normal());
      for (T& value : z) value = T(random.normal());
      Formula formula;
      formula.finish(abs(formula.row_value(0) - formula.column_value(0)));
      const Bytecode<T> bytecode(formula);
      Buffer<T> registers(block * std::size_t(bytecode.registers + 3));
      sum(functions(set), bytecode,
          {.x = x.data(), .d = d, .z = z.data(), .stride = block, .out = out.data(), .n = n},
          registers.data());
      for (std::size_t j = 0; j < n; ++j) {
        double expected = 0;
        for (std::size_t k = 0; k < d; ++k) expected += std::abs(double(x[k]) - double(z[k * block + j]));
        ASSERT_NEAR(out[j], expected, (sizeof(T) == 4 ? 5e-5 : 1e-13)) << set << " " << d << " " << n;
      }
      ASSERT_EQ(out[n], T(-5));
    }
}

TEST(Simd, SumsOverCoordinates) {
  with_every_set([](const std::string& set, auto zero) { expect_sums<decltype(zero)>(set); });
}

template <class T>
void expect_squared_differences(const std::string& set) {
  Random random(4);
  for (const std::size_t d : {0u, 1u, 2u, 7u, 8u})
    for (const std::size_t n : lengths) {
      if (n > block) continue;
      std::vector<T> x(d), z(std::max<std::size_t>(d, 1) * block), out(n + 1, T(-5));
      for (T& value : x) value = T(1e6 + random.normal());  // where ‖x‖² + ‖z‖² − 2xᵀz would keep nothing
      for (T& value : z) value = T(1e6 + random.normal());
      distances(
          functions(set),
          CoordinateRow<T>{.x = x.data(), .d = d, .z = z.data(), .stride = block, .out = out.data(), .n = n});
      for (std::size_t j = 0; j < n; ++j) {
        double expected = 0;
        for (std::size_t k = 0; k < d; ++k)
          expected += (double(x[k]) - double(z[k * block + j])) * (double(x[k]) - double(z[k * block + j]));
        ASSERT_NEAR(out[j], expected, (sizeof(T) == 4 ? 1e-6 : 1e-15) * expected)
            << set << " " << d << " " << n;
      }
      ASSERT_EQ(out[n], T(-5));
    }
}

TEST(Simd, SumsSquaredDifferences) {
  with_every_set([](const std::string& set, auto zero) { expect_squared_differences<decltype(zero)>(set); });
}

template <class T>
void expect_finite(const std::string& set) {
  const Functions& f = functions(set);
  for (const std::size_t n : lengths) {
    std::vector<T> values(n, std::numeric_limits<T>::max());
    EXPECT_TRUE(finite(f, values.data(), n)) << set << " " << n;
    for (const T wrong : {std::numeric_limits<T>::infinity(), -std::numeric_limits<T>::infinity(),
                          std::numeric_limits<T>::quiet_NaN()})
      for (std::size_t j = 0; j<n; j += n> 100 ? 37 : 1) {
        const T right = std::exchange(values[j], wrong);
        EXPECT_FALSE(finite(f, values.data(), n)) << set << " " << n << " " << j;
        values[j] = right;
      }
  }
}

template <class T>
void expect_look_ups(const std::string& set) {
  Random random(3);
  std::vector<T> table(4096);
  for (T& value : table) value = T(random.normal());
  for (const std::size_t n : lengths) {
    std::vector<std::int32_t> products(n), column_terms(n);
    std::vector<T> out(n + 1, T(-5));
    const std::int32_t row_term = 900;
    for (std::size_t j = 0; j < n; ++j) {
      column_terms[j] = std::int32_t(random.below(3000)) - 500;
      // Some of them negative.
      products[j] = (row_term + column_terms[j] - std::int32_t(random.below(table.size()))) / 2;
      if (row_term + column_terms[j] < 2 * products[j]) --products[j];
    }
    look_up(functions(set),
            {.products = products.data(), .row_term = row_term, .column_terms = column_terms.data(), .n = n},
            table.data(), out.data());
    for (std::size_t j = 0; j < n; ++j)
      ASSERT_EQ(out[j], table.at(std::size_t(row_term + column_terms[j] - 2 * products[j])))
          << set << " " << n;
    ASSERT_EQ(out[n], T(-5));
  }
}

TEST(Simd, LooksUpDistances) {
  with_every_set([](const std::string& set, auto zero) { expect_look_ups<decltype(zero)>(set); });
}

TEST(Simd, SeesWhatIsNotFinite) {
  with_every_set([](const std::string& set, auto zero) { expect_finite<decltype(zero)>(set); });
}

}  // namespace
}  // namespace mercer::simd

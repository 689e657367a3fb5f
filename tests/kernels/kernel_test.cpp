// What holds for every expression: it prints as it parses, its properties are true, its proof agrees with
// them.
#include "mercer/kernel.hpp"

#include <gtest/gtest.h>
#include <lapacke.h>

#include <bit>
#include <cmath>
#include <typeinfo>

#include "base/blas.hpp"
#include "kernels/leaf_value.hpp"
#include "kernels/random_kernel.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

bool same_tree(const Kernel& a, const Kernel& b) {
  const Node &left = a.node(), &right = b.node();
  const auto x = a.parts(), z = b.parts();
  return typeid(left) == typeid(right) && a.text() == b.text() && std::ranges::equal(x, z, same_tree);
}

void expect_round_trip(const Kernel& k) {
  const Kernel again = Kernel::parse(k.text());
  EXPECT_EQ(again.text(), k.text());
  EXPECT_TRUE(same_tree(again, k)) << k.text();
}

TEST(Text, ParsesBackToTheSameTree) {
  for (const Numbers numbers : {Numbers::tame, Numbers::wild}) {
    RandomKernel random(1, numbers);
    for (int i = 0; i < 2000; ++i) ASSERT_NO_FATAL_FAILURE(expect_round_trip(random(i % 6)));
  }
}

TEST(Text, OfWhatIsWrittenInCppParsesBack) {
  const Kernel a = linear(), b = delta(), c = cosine();
  for (const Kernel& k : {a - b * c,
                          a - (b - c),
                          2 * (a + b),
                          (2 * a) * b,
                          a * (2 * b),
                          2 * (a * b),
                          -1 * (a + b),
                          -1 * (a * b),
                          -2 * a * b,
                          a - 2 * b * c,
                          a - -2 * b,
                          a + -1 * (-1 * b),
                          a - 1 * b,
                          -1 * a - b,
                          a - (-1 * b) * c,
                          a - (-1 * (b * c)) * a,
                          pow(a - b, 2),
                          pow(pow(a, 2), 3),
                          -1 * pow(a, 2),
                          pow(-1 * a, 2),
                          on_columns(-1 * a, {"x"}),
                          -0.0 * a + b,
                          b + -0.0 * a,
                          a * (b * c),
                          (a + b) * (a - b),
                          exp(-1 * a),
                          a + 1e-300 * b - 1e300 * c,
                          a * -1,
                          0.5 * (-1 * a),
                          a - 0 * b})
    expect_round_trip(k);
}

TEST(Numbers, SurvivePrintingAndParsingBitForBit) {
  Random random(2);
  RandomKernel kernels(3, Numbers::wild);
  std::vector<double> numbers{
      5e-324, 1e300, 0.1 + 0.2, 1. / 3, 2.2250738585072014e-308, 2.2250738585072011e-308, 0.1f};
  for (int i = 0; i < 3000; ++i) numbers.push_back(kernels.number());
  while (numbers.size() < 6000) {
    const double any = std::abs(std::bit_cast<double>(random.bits()));
    if (any > 0 && any <= 1e300) numbers.push_back(any);
  }
  for (const double number : numbers) {
    const auto bits = [](const Kernel& k, const char* name) {
      return std::bit_cast<std::uint64_t>(leaf_value(Kernel::parse(k.text()), name));
    };
    EXPECT_EQ(bits(rbf({.gamma = number}), "gamma"), std::bit_cast<std::uint64_t>(number)) << number;
    EXPECT_EQ(bits(sigmoid({.offset = -number}), "offset"), std::bit_cast<std::uint64_t>(-number)) << number;
    EXPECT_EQ(Kernel::parse((number * linear()).text()).text(), to_text(number) + "*linear");
  }
}

TEST(Argument, IsWrittenAsItParses) {
  EXPECT_EQ(to_text(Argument(-0.5)), "-0.5");
  EXPECT_EQ(to_text(Argument(1e300)), "1e+300");
  EXPECT_EQ(to_text(Argument(Word{"norm_2"})), "norm_2");
  EXPECT_EQ(to_text(Argument(Word{"2_norm"})), "\"2_norm\"");
  EXPECT_EQ(to_text(Argument(Word{""})), "\"\"");
  EXPECT_EQ(to_text(Argument(Word{"a \"b\\"})), R"("a \"b\\")");
  EXPECT_EQ(to_text(Argument(std::vector<double>{})), "[]");
  EXPECT_EQ(to_text(Argument(std::vector<std::vector<double>>{{1, 2}, {3}})), "[[1, 2], [3]]");
}

TEST(TextWithin, PutsBracketsAroundWhatBindsLess) {
  const Kernel sum = linear() + delta(), product = linear() * delta(), power = pow(linear(), 2);
  EXPECT_EQ(text_within(sum, Binding::sum), "linear + delta");
  EXPECT_EQ(text_within(sum, Binding::product), "(linear + delta)");
  EXPECT_EQ(text_within(product, Binding::product), "linear*delta");
  EXPECT_EQ(text_within(product, Binding::power), "(linear*delta)");
  EXPECT_EQ(text_within(power, Binding::atom), "(linear^2)");
  EXPECT_EQ(text_within(linear(), Binding::atom), "linear");
}

TEST(Properties, AgreeWithTheProof) {
  RandomKernel random(4, Numbers::tame);
  int proved = 0;
  for (int i = 0; i < 2000; ++i) {
    const Kernel k = random(i % 5);
    EXPECT_EQ(k.properties().psd, k.prove().psd) << k.text();
    EXPECT_FALSE(k.prove().because.empty());
    EXPECT_FALSE(std::isnan(k.properties().bound)) << k.text();
    proved += k.prove().psd;
  }
  EXPECT_GT(proved, 500);
  EXPECT_LT(proved, 1500);
}

TEST(Properties, HoldOnData) {
  RandomKernel random(5, Numbers::tame);
  constexpr std::size_t n = 12;
  const auto names = std::vector<std::string>{"mass", "größe"};
  Dense<double> dense{n, 2, Buffer<double>(2 * n)}, moved{n, 2, Buffer<double>(2 * n)};
  Random coordinates(6);
  for (std::size_t i = 0; i < 2 * n; ++i) moved.values[i] = (dense.values[i] = coordinates.uniform(0, 1)) + 1;
  const Points points(std::move(dense), names), elsewhere(std::move(moved), names);
  const SingleThreadedBlas one_thread;
  int checked = 0;
  for (int i = 0; i < 1500; ++i) {
    const Kernel unresolved = random(i % 4);
    const Properties p = unresolved.properties();
    std::vector<double> K(n * n), there(n * n);
    std::string text;
    try {
      const Kernel k = unresolved.resolve(points);
      text = k.text();
      KernelOperator<double>(k, points, {.threads = 1}).matrix(K);
      if (p.translation_invariant) KernelOperator<double>(k, elsewhere, {.threads = 1}).matrix(there);
    } catch (const Error&) {  // a column that is not there, an overflow, the root of a negative k(x, x)
      continue;
    }
    double largest = 0;
    for (const double value : K) largest = std::max(largest, std::abs(value));
    if (!std::isfinite(largest) || largest > 1e6) continue;
    ++checked;
    EXPECT_LE(largest, p.bound * (1 + 1e-10) + 1e-12) << text;
    for (std::size_t e = 0; p.diagonal && e < n; ++e)
      EXPECT_NEAR(K[e * (n + 1)], *p.diagonal, 1e-10 * std::max(1.0, largest)) << text;
    for (std::size_t e = 0; p.translation_invariant && e < n * n; ++e)
      ASSERT_NEAR(there[e], K[e], 1e-8 * std::max(1.0, largest)) << text;
    if (!p.psd) continue;
    std::vector<double> eigenvalues(n);
    ASSERT_EQ(LAPACKE_dsyevd(LAPACK_ROW_MAJOR, 'N', 'U', n, K.data(), n, eigenvalues.data()), 0);
    EXPECT_GE(eigenvalues.front(), -1e-10 * std::max(1e-2, eigenvalues.back())) << text;
  }
  EXPECT_GT(checked, 800);
}

TEST(Resolved, LooksThroughEveryRule) {
  EXPECT_TRUE((linear() + exp(rbf({.gamma = 1.0}))).resolved());
  for (const Kernel& k : {rbf() + linear(), linear() * rbf(), 2 * rbf(), pow(rbf(), 2), exp(rbf()),
                          normalize(rbf()), center(rbf()), polynomial(rbf(), {1, 2}), weighted(rbf(), "norm"),
                          mapped(rbf(), "unit"), on_columns(rbf(), {"1"}), scaled(rbf(), {1, 2})}) {
    EXPECT_FALSE(k.resolved()) << k.text();
    const Kernel resolved = k.resolve(Points({{1, 2}, {3, 5}}));
    EXPECT_TRUE(resolved.resolved()) << resolved.text();
    const Node &before = k.node(), &after = resolved.node();
    EXPECT_EQ(typeid(before), typeid(after));
  }
}

}  // namespace
}  // namespace mercer

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "kernels/set_samples.hpp"
#include "mercer/kernels.hpp"
#include "mercer/set_kernels.hpp"

namespace mercer {
namespace {

std::map<std::string, double> member_counts(const std::string& text) {
  std::map<std::string, double> counts;
  std::istringstream words(text);
  for (std::string word; words >> word;) counts[word] += 1;
  return counts;
}

double shared_pairs(const std::string& x, const std::string& y) {  // spectrum(k=2)
  double sum = 0;
  for (std::size_t p = 0; p + 2 <= x.size(); ++p)
    for (std::size_t q = 0; q + 2 <= y.size(); ++q) sum += x.substr(p, 2) == y.substr(q, 2);
  return sum;
}

template <class OfSymbols, class OfCounts>
std::vector<double> by_definition(const std::vector<std::string>& x, const std::vector<std::string>& z,
                                  OfSymbols k, OfCounts k_bar) {
  std::vector<double> K;
  for (const auto& A : x)
    for (const auto& B : z) {
      double sum = 0;
      for (const auto& [a, m] : member_counts(A))
        for (const auto& [b, n] : member_counts(B)) sum += k(a, b) * k_bar(m, n);
      K.push_back(sum);
    }
  return K;
}

double identity(const std::string& a, const std::string& b) { return a == b; }
double product(double m, double n) { return m * n; }
double smaller(double m, double n) { return std::min(m, n); }

void expect_near(const std::vector<double>& K, const std::vector<double>& expected) {
  ASSERT_EQ(K.size(), expected.size());
  for (std::size_t e = 0; e < K.size(); ++e)
    EXPECT_NEAR(K[e], expected[e], 1e-12 * (1 + std::abs(expected[e]))) << e;
}

TEST(GeneralSet, EqualsItsDefinition) {
  const auto x = random_symbols(11, 1), z = random_symbols(8, 2);
  const Points X = texts_of(x, Domain::symbols), Z = texts_of(z, Domain::symbols);
  expect_near(matrix_of(Kernel::parse("general_set(delta, linear)"), X, Z),
              by_definition(x, z, identity, product));
  expect_near(matrix_of(Kernel::parse("general_set(delta, intersection)"), X, Z),
              by_definition(x, z, identity, smaller));
  expect_near(matrix_of(Kernel::parse("general_set(spectrum(k=2), linear)"), X, Z),
              by_definition(x, z, shared_pairs, product));
  expect_near(matrix_of(Kernel::parse("general_set(spectrum(k=2), intersection)"), X, Z),
              by_definition(x, z, shared_pairs, smaller));
  expect_near(
      matrix_of(Kernel::parse("general_set(delta, rbf(gamma=0.5))"), X, Z),
      by_definition(x, z, identity, [](double m, double n) { return std::exp(-0.5 * (m - n) * (m - n)); }));
}

TEST(GeneralSet, OfIdenticalSymbolsIsTheKernelOfCounts) {
  const Points points = texts_of(random_symbols(12, 3), Domain::symbols);
  expect_near(matrix_of(Kernel::parse("general_set(delta, linear)"), points),
              matrix_of(Kernel::parse("bow"), points));
  expect_near(matrix_of(Kernel::parse("general_set(delta, intersection)"), points),
              matrix_of(Kernel::parse("intersection"), points));
  expect_near(matrix_of(Kernel::parse("general_set(delta, 1)"), points),
              matrix_of(Kernel::parse("bow(weight=binary)"), points));
}

TEST(GeneralSet, ComparesWordsOfTextsInLowerCase) {
  const auto K = matrix_of(Kernel::parse("general_set(spectrum(k=3), linear)"),
                           texts_of({"Colour! colour", "the color"}, Domain::text));
  EXPECT_EQ(K[1], 4) << "col and olo, twice";
}

TEST(GeneralSet, IsPositiveSemidefinite) {
  const Points points = texts_of(random_symbols(40, 5), Domain::symbols);
  for (const char* text :
       {"general_set(spectrum(k=2), linear)", "general_set(normalize(spectrum(k=2)), intersection)",
        "normalize(general_set(delta, jaccard))"}) {
    const Kernel k = Kernel::parse(text);
    EXPECT_TRUE(k.properties().psd) << text;
    EXPECT_GE(least_eigenvalue(matrix_of(k, points), 40), -1e-9) << text;
  }
}

TEST(GeneralSet, ReadsPrintsAndResolvesItsParts) {
  const Kernel k = Kernel::parse("general_set(spectrum(k=2), rbf(gamma=scale))");
  EXPECT_EQ(k.text(), "general_set(spectrum(k=2, reverse_complement=no), rbf(gamma=scale))");
  EXPECT_FALSE(k.resolved());
  // The counts are 2, 1, 1 and 3: their variance is 11/16.
  EXPECT_EQ(k.resolve(texts_of({"a a b", "b c c c"}, Domain::symbols)).text(),
            fmt::format("general_set(spectrum(k=2, reverse_complement=no), rbf(gamma={}))", 16 / 11.0));
  EXPECT_EQ(general_set_kernel(delta(), linear()).text(), "general_set(delta, linear)");
  EXPECT_EQ(Kernel::parse(k.text()).text(), k.text());
  EXPECT_EQ(k.node().with_parts(k.parts()).text(), k.text());
  EXPECT_EQ(general_set_kernel(delta(), sigmoid()).prove().because,
            "sigmoid is not positive semidefinite in general");
}

TEST(GeneralSet, RefusesWhatCannotBe) {
  const auto parsed = [](const std::string& text) {
    return refusal(ErrorKind::usage, [&] { Kernel::parse(text); });
  };
  EXPECT_NE(
      parsed("general_set(delta)").find("general_set takes two kernels, of symbols and of counts, not 1"),
      std::string::npos);
  EXPECT_NE(parsed("general_set(delta, linear, linear)").find("not 3"), std::string::npos);
  EXPECT_NE(parsed("general_set(delta, center(linear))").find("center depends on all points"),
            std::string::npos);
  EXPECT_NE(refusal(ErrorKind::usage,
                    [] { matrix_of(general_set_kernel(delta(), linear()), bags_of({{{1.0}}}, 1)); })
                .find("general_set compares sets of symbols or texts"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer

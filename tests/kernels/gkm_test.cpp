#include "mercer/kernels/gkm.hpp"

#include <bit>
#include <map>

#include "kernels/sequences.hpp"

namespace mercer {
namespace {

using namespace testing;

double power(double base, int exponent) { return std::pow(base, exponent); }

/// Counts of the gapped k-mers of the words of a text: the letters outside k chosen places are replaced by
/// dots.
std::map<std::string, double> gapped(const std::string& text, int l, int k) {
  std::map<std::string, double> found;
  for (const auto& word : words_of(text, std::size_t(l))) {
    if (!only(word, "ACGT")) continue;
    for (unsigned places = 0; places < 1u << l; ++places) {
      if (std::popcount(places) != k) continue;
      std::string pattern = word;
      for (int i = 0; i < l; ++i)
        if (!(places >> i & 1)) pattern[std::size_t(i)] = '.';
      found[pattern] += 1;
    }
  }
  return found;
}
double shared(const std::map<std::string, double>& p, const std::map<std::string, double>& q) {
  double sum = 0;
  for (const auto& [pattern, count] : p)
    if (q.contains(pattern)) sum += count * q.at(pattern);
  return sum;
}

TEST(Gkm, CountsTheGappedWordsTwoSequencesShare) {
  const Strings x = random_strings(8, 25, "ACGTacgtN", 1), z = random_strings(3, 40, "ACGT", 2);
  for (const auto& [l, k] : {std::pair{1, 1}, {3, 2}, {4, 4}, {6, 4}, {10, 6}}) {
    const std::string parameters = "l=" + std::to_string(l) + ", k=" + std::to_string(k);
    expect_definition("gkm(" + parameters + ", reverse_complement=no)", x, z,
                      [&](const std::string& a, const std::string& b) {
                        return shared(gapped(upper_case(a), l, k), gapped(upper_case(b), l, k));
                      });
    expect_definition("gkm(" + parameters + ")", x, z, [&](const std::string& a, const std::string& b) {
      const auto own = gapped(upper_case(a), l, k);
      return shared(own, gapped(upper_case(b), l, k)) +
             shared(own, gapped(reversed_complement(upper_case(b)), l, k));
    });
  }
}

TEST(Gkm, LeavesOutWordsThatDifferInMoreThanDLetters) {
  const Strings x = random_strings(8, 25, "ACGT", 3), z = random_strings(3, 40, "ACGT", 4);
  const double h[] = {20, 10, 4, 0, 0, 0, 0};  // C(6 − m, 3), and 1 for m = 3
  expect_definition("gkm(l=6, k=3, d=2, reverse_complement=no)", x, z,
                    [&](const std::string& a, const std::string& b) {
                      double sum = 0;
                      for (const auto& u : words_of(a, 6))
                        for (const auto& v : words_of(b, 6)) sum += h[differing(u, v)];
                      return sum;
                    });
}

/// The words of l letters in order.
std::string word_at(std::size_t number, int l) {
  std::string word;
  for (int i = 0; i < l; ++i, number /= 4) word += "ACGT"[number % 4];
  return word;
}

// The estimate by its own definition: counts of all words x̂ = W⁺Wx, W the 0/1 matrix of which word has which
// gapped k-mer.
TEST(Gkm, FiltersAreTheLeastSquaresEstimateOfTheWordsCounts) {
  const int l = 3, k = 2;
  const std::size_t words = 64;
  std::vector<std::map<std::string, double>> rows;
  for (std::size_t u = 0; u < words; ++u) rows.push_back(gapped(word_at(u, l), l, k));
  std::vector<double> WtW(words * words);
  for (std::size_t u = 0; u < words; ++u)
    for (std::size_t v = 0; v < words; ++v) WtW[u * words + v] = shared(rows[u], rows[v]);
  const Eigen eigen = symmetric_eigen(WtW, words, true);
  std::vector<double> g(4);  // the projection on the range, by the letters that differ
  for (int m = 0; m <= l; ++m) {
    std::size_t other = 0;
    for (int i = 0; i < m; ++i) other = 4 * other + 1;
    for (std::size_t e = 0; e < words; ++e)
      if (eigen.values[e] > 1e-9) g[std::size_t(m)] += eigen.vectors[e] * eigen.vectors[other * words + e];
  }
  for (const bool truncated : {false, true}) {
    std::vector<double> cut = g;
    for (std::size_t m = 0, positive = 1; truncated && m < cut.size(); ++m) {
      positive = positive && cut[m] > 0;
      if (!positive) cut[m] = 0;
    }
    Gkm kernel{.l = l, .k = k, .filter = truncated ? "truncated" : "full"};
    kernel.prepare();
    for (int m = 0; m <= l; ++m) {
      std::size_t other = 0;
      for (int i = 0; i < m; ++i) other = 4 * other + 1;
      double sum = 0;
      for (std::size_t w = 0; w < words; ++w)
        sum +=
            cut[differing(word_at(w, l), word_at(0, l))] * cut[differing(word_at(w, l), word_at(other, l))];
      EXPECT_NEAR(kernel.weights()[std::size_t(m)], sum, 1e-12) << m << truncated;
    }
    EXPECT_EQ(cut[2] == 0, truncated);  // there is something to cut off
  }
}

TEST(Gkm, OfLongSequencesIsTheSameByTransform) {
  // l = 4: beyond 20,480 pairs.
  const std::string a = long_dna(200, 5) + "NNN" + long_dna(50, 6), b = long_dna(150, 7);
  for (const std::string filter : {"none", "truncated"}) {
    Gkm kernel{.l = 4, .k = 2, .filter = filter};
    kernel.prepare();
    const std::vector<double> h = kernel.weights();
    double sum = 0;
    for (const std::string& strand : {b, reversed_complement(b)})
      for (const auto& u : words_of(a, 4))
        for (const auto& v : words_of(strand, 4))
          if (only(u, "ACGT")) sum += h[differing(u, v)];
    EXPECT_NEAR(value("gkm(l=4, k=2, filter=" + filter + ")", a, b), sum, 1e-11 * sum);
  }
}

TEST(Gkm, TakesASequenceOfAMillionLetters) {
  const std::string text = long_dna(1'000'000, 8);
  // Words agree by chance; a shared word adds little.
  const double expected = 2 * 1e12 * power(0.25, 6) * 210;
  EXPECT_NEAR(value("gkm(l=10, k=6)", text, text) / expected, 1, 0.01);
}

TEST(Gkm, KnowsWhereItIsPositiveSemidefinite) {
  for (const std::string text : {"gkm(l=6, k=3)", "gkm(l=11, k=7)", "gkm(l=6, k=3, filter=full)",
                                 "gkm(l=6, k=3, filter=truncated)", "gkm(l=4, k=4)"}) {
    EXPECT_TRUE(Kernel::parse(text).properties().psd) << text;
    EXPECT_GE(least_eigenvalue(text, random_strings(40, 30, "ACGT", 9)), -1e-11) << text;
  }
  EXPECT_FALSE(Kernel::parse("gkm(l=6, k=3, d=1, reverse_complement=no)").properties().psd);
  Strings words;
  for (std::size_t w = 0; w < 64; ++w) words.push_back(word_at(w, 3));
  EXPECT_LT(least_eigenvalue("gkm(l=3, k=1, d=1, reverse_complement=no)", words), -0.01);
}

TEST(Gkm, IsZeroWhereThereIsNoWord) {
  EXPECT_EQ(value("gkm(l=4, k=2)", "", "ACGT"), 0);
  EXPECT_EQ(value("gkm(l=4, k=2)", "ACG", "ACGT"), 0);
  EXPECT_EQ(value("normalize(gkm(l=4, k=2))", "ACGNACG", "ACGT"), 0);
}

TEST(Gkm, IsTheSameForAnyNumberOfThreads) {
  const Strings x = random_strings(300, 60, "ACGT", 10);
  EXPECT_EQ(values("normalize(gkm(l=6, k=4, filter=truncated))", x, 1),
            values("normalize(gkm(l=6, k=4, filter=truncated))", x, 3));
}

TEST(Gkm, RefusesWhatCannotBe) {
  EXPECT_EQ(complaint("gkm(l=5, k=6)"), "gkm: k must be at most l, but is 6 with l=5");
  EXPECT_EQ(complaint("gkm(l=13)"), "gkm: l must be a whole number from 1 to 12, not 13");
  EXPECT_EQ(complaint("gkm(filter=some)"), "gkm: filter must be none or full or truncated, not some");
  EXPECT_EQ(Kernel::parse("gkm(l=10, k=6)").text(),
            "gkm(l=10, k=6, d=4, reverse_complement=yes, filter=none)");
}

}  // namespace
}  // namespace mercer

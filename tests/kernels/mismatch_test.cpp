#include "mercer/kernels/mismatch.hpp"

#include "kernels/sequences.hpp"

namespace mercer {
namespace {

using namespace testing;

/// Every word of k letters.
Strings all_words(std::string_view letters, std::size_t k) {
  Strings words{""};
  for (std::size_t place = 0; place < k; ++place) {
    Strings longer;
    for (const auto& word : words)
      for (const char letter : letters) longer.push_back(word + letter);
    words = longer;
  }
  return words;
}

double by_definition(const std::string& a, const std::string& b, std::string_view letters, std::size_t k,
                     std::size_t m) {
  const auto near = [&](const std::string& text, const std::string& w) {
    double count = 0;
    for (const auto& u : words_of(upper_case(text), k)) count += only(u, letters) && differing(u, w) <= m;
    return count;
  };
  double sum = 0;
  for (const auto& w : all_words(letters, k)) sum += near(a, w) * near(b, w);
  return sum;
}

TEST(Mismatch, EqualsTheSumOverAllWords) {
  const Strings x = random_strings(8, 25, "ACGTacgN", 1), z = random_strings(3, 25, "ACGT", 2);
  for (const auto& [k, m] : {std::pair{1, 0}, {1, 1}, {3, 0}, {3, 1}, {3, 2}, {4, 2}, {2, 5}})
    expect_definition("mismatch(k=" + std::to_string(k) + ", m=" + std::to_string(m) + ")", x, z,
                      [&](const std::string& a, const std::string& b) {
                        return by_definition(a, b, "ACGT", std::size_t(k), std::size_t(m));
                      });
}

TEST(Mismatch, TakesAnyAlphabet) {
  const Strings x = random_strings(8, 15, "HPOhp", 3), z = random_strings(3, 25, "HPQ", 4);
  for (const auto& [k, m] : {std::pair{4, 1}, {3, 2}})
    expect_definition("mismatch(k=" + std::to_string(k) + ", m=" + std::to_string(m) + ", alphabet=hPq)", x,
                      z, [&](const std::string& a, const std::string& b) {
                        return by_definition(a, b, "HPQ", std::size_t(k), std::size_t(m));
                      });
}

// A long sequence has more neighbours than there are words.
TEST(Mismatch, IsTheSameWithATableOfAllWordsAndWithout) {
  const std::string text = long_dna(300, 5), other = long_dna(200, 6);
  double sum = 0;  // Σ over pairs of words at distance t: how many words are near both, found by counting
                   // once for each t
  const Strings words = all_words("ACGT", 4);
  double common[5] = {};
  for (std::size_t t = 0; t <= 4; ++t)
    for (const auto& w : words)
      common[t] +=
          differing(w, "AAAA") <= 1 && differing(w, std::string(t, 'C') + std::string(4 - t, 'A')) <= 1;
  for (const auto& u : words_of(text, 4))
    for (const auto& v : words_of(other, 4)) sum += common[differing(u, v)];
  EXPECT_EQ(value("mismatch(k=4, m=1)", text, other), sum);
}

TEST(Mismatch, SaysWhereAFeatureStands) {
  FeatureRow row(true);
  mismatch({.k = 2, .m = 1});  // checked
  Mismatch{.k = 2, .m = 1}.features(Objects("s", Domain::sequence, Strings{"NACN"}), 0, row);
  ASSERT_EQ(row.entries().size(), 7u);
  for (const auto& entry : row.entries()) EXPECT_TRUE(entry.part.begin == 1 && entry.part.end == 3);
}

TEST(Mismatch, IsPositiveSemidefiniteAndZeroWhereThereIsNoWord) {
  EXPECT_GE(least_eigenvalue("mismatch(k=3, m=1)", random_strings(40, 20, "ACGT", 7)), -1e-12);
  EXPECT_EQ(value("mismatch(k=3)", "", "AC"), 0);
  EXPECT_EQ(value("normalize(mismatch(k=2))", "NN", "ACGT"), 0);
}

TEST(Mismatch, TakesASequenceOfAMillionLetters) {
  const std::string text = long_dna(1'000'000, 8);
  EXPECT_GT(value("mismatch(k=6, m=1)", text, text), 1e12 / 4096 * 19 * 19);  // at least that of even counts
}

TEST(Mismatch, RefusesWhatCannotBe) {
  EXPECT_EQ(complaint("mismatch(alphabet=A)"),
            "mismatch: alphabet must be two letters at least, each once, such as ACGT, not A");
  EXPECT_EQ(complaint("mismatch(alphabet=ACa)"),
            "mismatch: alphabet must be two letters at least, each once, such as ACGT, not ACa");
  EXPECT_EQ(complaint("mismatch(k=40)"),
            "mismatch: k must be at most 31 with an alphabet of 4 letters, not 40");
  EXPECT_EQ(complaint("mismatch(k=20, m=6)"),
            "mismatch: m=6 gives each word 3.2e+07 neighbours; at most 1e+05 are taken, so lower m or k");
}

}  // namespace
}  // namespace mercer

#include "mercer/kernels/spectrum.hpp"

#include "kernels/sequences.hpp"

namespace mercer {
namespace {

using namespace testing;

TEST(Spectrum, CountsTheWordsTwoSequencesShare) {
  const Strings x = random_strings(12, 30, "abAB", 1), z = random_strings(5, 30, "abc", 2);
  for (const std::size_t k : {1, 2, 3, 9}) {
    const auto definition = [&](const std::string& a, const std::string& b) {
      double sum = 0;
      for (const auto& u : words_of(a, k))
        for (const auto& v : words_of(b, k)) sum += u == v;
      return sum;
    };
    expect_definition("spectrum(k=" + std::to_string(k) + ")", x, z, definition);
  }
}

TEST(Spectrum, TakesAWordOfDnaForItsReverseComplement) {
  const Strings x = random_strings(12, 30, "ACGTacgtN", 3), z = random_strings(5, 30, "ACGT", 4);
  for (const std::size_t k : {1, 2, 3, 4}) {
    const auto definition = [&](const std::string& a, const std::string& b) {
      double sum = 0;
      for (const auto& u : words_of(upper_case(a), k))
        for (const auto& v : words_of(upper_case(b), k))
          sum += only(u, "ACGT") && (u == v || u == reversed_complement(v));
      return sum;
    };
    expect_definition("spectrum(k=" + std::to_string(k) + ", reverse_complement=yes)", x, z, definition);
  }
  EXPECT_EQ(value("spectrum(k=31, reverse_complement=yes)", std::string(40, 'A'), std::string(50, 'T')),
            10 * 20);
  EXPECT_EQ(value("spectrum(k=3, reverse_complement=yes)", "GAU", "gat"), 1);
  EXPECT_EQ(complaint("spectrum(k=32, reverse_complement=yes)"),
            "spectrum: k must be at most 31 with reverse_complement=yes, not 32");
  EXPECT_EQ(complaint("spectrum(reverse_complement=maybe)"),
            "spectrum: reverse_complement must be no or yes, not maybe");
}

TEST(Spectrum, IsZeroWhereThereIsNoWord) {
  EXPECT_EQ(value("spectrum(k=3)", "", ""), 0);
  EXPECT_EQ(value("spectrum(k=3)", "AC", "AC"), 0);
  EXPECT_EQ(value("normalize(spectrum(k=3))", "", "ACGT"), 0);
  EXPECT_EQ(value("spectrum(k=1, reverse_complement=yes)", "NNN", "ACGT"), 0);
}

TEST(Spectrum, TakesASequenceOfAMillionLetters) {
  const std::string text = long_dna(1'000'000, 5);
  EXPECT_EQ(value("spectrum(k=1000)", text, text.substr(7)), 1'000'000 - 999 - 7);  // no word twice
  EXPECT_EQ(value("spectrum(k=30, reverse_complement=yes)", text, reversed_complement(text)), 1'000'000 - 29);
}

}  // namespace
}  // namespace mercer

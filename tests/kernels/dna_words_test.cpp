#include "kernels/dna_words.hpp"

#include "kernels/sequences.hpp"

namespace mercer {
namespace {

using namespace testing;

TEST(Nucleotides, AreNumbersOfEitherCaseAndUIsT) {
  EXPECT_EQ(nucleotides("ACGTUacgtu"), (std::vector<std::uint8_t>{0, 1, 2, 3, 3, 0, 1, 2, 3, 3}));
  EXPECT_EQ(nucleotides("N-*\xff"), (std::vector<std::uint8_t>(4, no_nucleotide)));
  EXPECT_TRUE(nucleotides("").empty());
}

TEST(Nucleotides, OfTheOtherStrandComeBackwards) {
  EXPECT_EQ(reverse_complement(nucleotides("AACGNT")), nucleotides("ANCGTT"));
  EXPECT_EQ(reverse_complement(reverse_complement(nucleotides("GATTACA"))), nucleotides("GATTACA"));
}

PairCounts by_loops(const std::string& x, const std::string& z, std::size_t l, std::size_t d) {
  PairCounts counts{};
  for (const auto& u : words_of(x, l))
    for (const auto& v : words_of(z, l))
      if (only(u, "ACGT") && only(v, "ACGT") && differing(u, v) <= d) ++counts[differing(u, v)];
  return counts;
}

TEST(WordPairs, AreCountedByHowManyLettersDiffer) {
  for (const std::size_t l : {1, 2, 5, 8, 11, 12})
    for (std::size_t d = 0; d <= l; ++d) {
      const Strings x = random_strings(4, 90, "ACGTACGTACGTN", 10 * l + d),
                    z = random_strings(4, 200, "ACGTACGTACGTACGTN", 1000 + 10 * l + d);
      for (const auto& a : x)
        for (const auto& b : z)
          EXPECT_EQ(count_pairs(nucleotides(a), Tracks(nucleotides(b)), int(l), int(d)), by_loops(a, b, l, d))
              << a << " " << b << " " << l;
    }
}

TEST(WordPairs, OfLettersThatAreNoneAreNotCounted) {
  const std::string none(40, 'N'), some(40, 'A');
  for (const int l : {1, 7, 12})
    for (const auto& [a, b] :
         {std::pair{none, none}, {none, some}, {some, none}, {std::string(), some}, {some, std::string("A")}})
      if (l > 1) {
        EXPECT_EQ(count_pairs(nucleotides(a), Tracks(nucleotides(b)), l, l), PairCounts{});
      }
}

// Every pair of words is equal: more than bytes and sums of them hold.
TEST(WordPairs, AreManyWithoutOverflow) {
  const std::size_t n = 20000;
  PairCounts expected{};
  expected[0] = (n - 9) * (n - 9);
  EXPECT_EQ(count_pairs(nucleotides(std::string(n, 'A')), Tracks(nucleotides(std::string(n, 'a'))), 10, 4),
            expected);
}

}  // namespace
}  // namespace mercer

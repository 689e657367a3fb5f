#include "kernels/nucleotides.hpp"

#include <gtest/gtest.h>

namespace mercer {
namespace {

TEST(Nucleotides, AreNumbersOfEitherCaseAndUIsT) {
  EXPECT_EQ(nucleotides("ACGTUacgtu"), (std::vector<std::uint8_t>{0, 1, 2, 3, 3, 0, 1, 2, 3, 3}));
  EXPECT_EQ(nucleotides("N-*\xff"), (std::vector<std::uint8_t>(4, no_nucleotide)));
  EXPECT_TRUE(nucleotides("").empty());
}

TEST(Nucleotides, OfTheOtherStrandComeBackwards) {
  EXPECT_EQ(reverse_complement(nucleotides("AACGNT")), nucleotides("ANCGTT"));
  EXPECT_EQ(reverse_complement(reverse_complement(nucleotides("GATTACA"))), nucleotides("GATTACA"));
}

}  // namespace
}  // namespace mercer

#include "kernels/simd/diagonals.hpp"

#include "base/simd/targets.hpp"
#include "kernels/dna_words.hpp"
#include "kernels/sequences.hpp"

namespace mercer {
namespace {

using namespace testing;

TEST(Diagonals, AreCountedAlikeByEveryInstructionSet) {
  for (const std::string& set : simd::instruction_sets())
    for (const auto& [l, d] : {std::pair{1, 1}, {3, 2}, {7, 3}, {10, 4}, {12, 5}, {12, 12}, {11, 6}}) {
      const Strings x = random_strings(3, 150, "ACGTACGTACGTACGTACGTN", std::uint64_t(l)),
                    z = random_strings(3, 150, "AACCGTACGTACGTNACGTA", std::uint64_t(d + 50));
      for (const auto& a : x)
        for (const auto& b : z) {
          PairCounts expected{};
          for (const auto& u : words_of(a, std::size_t(l)))
            for (const auto& v : words_of(b, std::size_t(l)))
              if (only(u, "ACGT") && only(v, "ACGT") && differing(u, v) <= std::size_t(d))
                ++expected[differing(u, v)];
          EXPECT_EQ(count_pairs(nucleotides(a), Tracks(nucleotides(b)), l, d, simd::count_diagonals(set)),
                    expected)
              << set << " " << l << " " << d << " " << a << " " << b;
        }
    }
}

TEST(Diagonals, RefuseAnUnknownInstructionSet) {
  EXPECT_NE(refusal(ErrorKind::usage, [] { simd::count_diagonals("mmx"); }).find("mmx"), std::string::npos);
}

}  // namespace
}  // namespace mercer

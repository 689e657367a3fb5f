#include "mercer/kernels/edit.hpp"

#include "base/refusal.hpp"
#include "kernels/sequences.hpp"

namespace mercer {
namespace {

using namespace testing;

/// The table of Wagner & Fischer 1974.
double edits(const std::string& a, const std::string& b) {
  std::vector<std::vector<int>> table(a.size() + 1, std::vector<int>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0)
        table[i][j] = int(i + j);
      else
        table[i][j] = std::min(
            {table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] != b[j - 1])});
    }
  return table[a.size()][b.size()];
}

TEST(Edit, EqualsTheTableOfDistances) {
  const Strings x = random_strings(8, 12, "abc", 1), z = random_strings(3, 12, "abcd", 2);
  expect_definition("edit(gamma=0.3)", x, z,
                    [](const std::string& a, const std::string& b) { return std::exp(-0.3 * edits(a, b)); });
  Strings lengths;  // around the ends of words of 64 bits
  for (const std::size_t letters : {0, 1, 63, 64, 65, 127, 128, 129, 200})
    lengths.push_back(long_dna(letters, letters + 1));
  expect_definition("edit(gamma=0.01)", lengths, random_strings(4, 300, "ACGT", 3),
                    [](const std::string& a, const std::string& b) { return std::exp(-0.01 * edits(a, b)); });
}

TEST(Edit, SaysThatItIsNotPositiveSemidefinite) {
  EXPECT_FALSE(Kernel::parse("edit").properties().psd);
  EXPECT_EQ(value("edit", "", ""), 1);
}

TEST(Edit, RefusesSequencesThatWouldTakeHours) {
  EXPECT_EQ(refusal(ErrorKind::budget,
                    [] { value("edit", std::string(1'000'000, 'A'), std::string(1'000'000, 'C')); }),
            "edit of sequences of 1000000 and 1000000 letters takes a table of 1e+12 cells; at most 1e+11 "
            "are computed, so cut them or use spectrum, mismatch or gkm");
}

}  // namespace
}  // namespace mercer

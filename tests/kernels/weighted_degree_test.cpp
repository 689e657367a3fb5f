#include "mercer/kernels/weighted_degree.hpp"

#include "kernels/sequences.hpp"

namespace mercer {
namespace {

using namespace testing;

TEST(WeightedDegree, EqualsItsFormula) {
  const Strings x = random_strings(8, 14, "ACGT", 1), z = random_strings(3, 20, "ACg", 2);
  for (const auto& [degree, shift] : {std::pair{1, 0}, {3, 0}, {4, 2}, {20, 1}})
    expect_definition(
        "weighted_degree(degree=" + std::to_string(degree) + ", shift=" + std::to_string(shift) + ")", x, z,
        [&](const std::string& a, const std::string& b) {
          double sum = 0;
          for (int e = 1; e <= degree; ++e)
            for (int i = 0; i + e <= int(a.size()); ++i)
              for (int j = std::max(0, i - shift); j <= i + shift && j + e <= int(b.size()); ++j)
                if (a.compare(std::size_t(i), std::size_t(e), b, std::size_t(j), std::size_t(e)) == 0)
                  sum += 2.0 * (degree - e + 1) / (degree * (degree + 1)) *
                         (1 - std::abs(i - j) / double(shift + 1));
          return sum;
        });
}

TEST(WeightedDegree, IsZeroOfNothingAndPositiveSemidefinite) {
  EXPECT_EQ(value("weighted_degree", "", "ACGT"), 0);
  EXPECT_EQ(value("normalize(weighted_degree)", "", ""), 0);
  EXPECT_NEAR(value("weighted_degree(degree=1)", "A", "A"), 1, 1e-15);
  EXPECT_GE(least_eigenvalue("weighted_degree(degree=3, shift=2)", random_strings(40, 20, "ACGT", 3)),
            -1e-12);
}

}  // namespace
}  // namespace mercer

#include "mercer/kernels/subsequence.hpp"

#include <map>

#include "base/refusal.hpp"
#include "kernels/sequences.hpp"

namespace mercer {
namespace {

using namespace testing;

/// The features of a text: for each word, Σ over the ascending places where it stands of decay^span.
std::map<std::string, double> features(const std::string& text, int length, double decay) {
  std::map<std::string, double> found;
  for (unsigned places = 0; places < 1u << text.size(); ++places) {
    if (std::popcount(places) != length) continue;
    std::string word;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (places >> i & 1) word += text[i];
    found[word] += std::pow(decay, 32 - std::countl_zero(places) - std::countr_zero(places));
  }
  return found;
}

TEST(Subsequence, EqualsTheSumOverAllChoicesOfPlaces) {
  const Strings x = random_strings(7, 9, "abc", 1), z = random_strings(3, 9, "ab", 2);
  for (const auto& [length, decay] : {std::pair{1, 0.5}, {2, 0.5}, {3, 0.9}, {4, 1.0}, {12, 0.3}})
    expect_definition(
        "subsequence(length=" + std::to_string(length) + ", decay=" + std::to_string(decay) + ")", x, z,
        [&](const std::string& a, const std::string& b) {
          const auto p = features(a, length, decay), q = features(b, length, decay);
          double sum = 0;
          for (const auto& [word, weight] : p)
            if (q.contains(word)) sum += weight * q.at(word);
          return sum;
        });
}

// "cat" and "car" share c-a alone: λ⁴; "cat" with itself: c-a, a-t and c-t.
TEST(Subsequence, IsTheExampleOfThePaper) {
  const double d = 0.7;
  EXPECT_NEAR(value("subsequence(length=2, decay=0.7)", "cat", "car"), std::pow(d, 4), 1e-15);
  EXPECT_NEAR(value("subsequence(length=2, decay=0.7)", "cat", "cat"), 2 * std::pow(d, 4) + std::pow(d, 6),
              1e-15);
}

TEST(Subsequence, IsPositiveSemidefiniteAndZeroOfShortOnes) {
  EXPECT_GE(least_eigenvalue("subsequence(length=3, decay=0.6)", random_strings(40, 20, "ACGT", 3)), -1e-12);
  EXPECT_EQ(value("subsequence(length=3)", "", ""), 0);
  EXPECT_EQ(value("normalize(subsequence(length=3))", "AC", "ACGT"), 0);
}

TEST(Subsequence, RefusesSequencesThatWouldTakeHours) {
  EXPECT_EQ(refusal(ErrorKind::budget,
                    [] { value("subsequence", std::string(1'000'000, 'A'), std::string(1'000'000, 'A')); }),
            "subsequence(length=3) of sequences of 1000000 and 1000000 letters takes 3e+12 steps; at most "
            "1e+10 are taken, so cut them or use spectrum, mismatch or gkm");
}

}  // namespace
}  // namespace mercer

#include "mercer/spelling.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mercer {
namespace {

const std::vector<std::string> kernels{"linear",  "poly",       "rbf",
                                       "laplace", "polynomial", "rational_quadratic"};

TEST(NearestWord, UndoesOneInsertDeleteReplaceOrSwap) {
  EXPECT_EQ(nearest_word("rbff", kernels), "rbf");
  EXPECT_EQ(nearest_word("linar", kernels), "linear");
  EXPECT_EQ(nearest_word("lineor", kernels), "linear");
  EXPECT_EQ(nearest_word("bref", std::vector<std::string>{"brfe"}), "brfe");
  EXPECT_EQ(nearest_word("ab", std::vector<std::string>{"ba"}), "ba") << "a swap is one edit, not two";
}

TEST(NearestWord, AllowsAThirdOfTheLetters) {
  EXPECT_EQ(nearest_word("laplca", kernels), "laplace");
  EXPECT_EQ(nearest_word("rational_qadratik", kernels), "rational_quadratic");
  EXPECT_EQ(nearest_word("rxx", kernels), "");
  EXPECT_EQ(nearest_word("xyz", kernels), "");
  EXPECT_EQ(nearest_word("", kernels), "");
  EXPECT_EQ(nearest_word("rbf", std::vector<std::string>{}), "");
}

TEST(NearestWord, LeavesAtLeastOneLetterInPlace) {
  const std::vector<std::string> columns{"x", "y", "xy"};
  EXPECT_EQ(nearest_word("z", columns), "");
  EXPECT_EQ(nearest_word("", columns), "");
  EXPECT_EQ(nearest_word("x", columns), "x");
  EXPECT_EQ(nearest_word("xz", columns), "x");
}

TEST(NearestWord, PrefersTheNearerAndThenTheFirst) {
  EXPECT_EQ(nearest_word("poly", kernels), "poly");
  EXPECT_EQ(nearest_word("polly", kernels), "poly");
  EXPECT_EQ(nearest_word("gamm", std::vector<std::string>{"gamme", "gamma"}), "gamme");
  EXPECT_EQ(nearest_word("gamma", std::vector<std::string>{"gamme", "gamma"}), "gamma");
}

TEST(NearestWord, CompletesAnAbbreviationOfThreeLetters) {
  EXPECT_EQ(nearest_word("rat", kernels), "rational_quadratic");
  EXPECT_EQ(nearest_word("ra", kernels), "");
}

TEST(NearestWord, GivesUpOnWordsThatAreNoWords) {
  const std::string endless(65, 'a');
  EXPECT_EQ(nearest_word(endless, std::vector{endless}), "");
  EXPECT_EQ(nearest_word(endless.substr(1), std::vector{endless}), endless);
}

TEST(Suggestion, IsTheNearestWordOrAllOfThem) {
  EXPECT_EQ(suggestion("rbff", kernels), "did you mean 'rbf'?");
  EXPECT_EQ(suggestion("xyz", std::vector<std::string>{"linear", "poly"}), "choose from linear, poly");
}

}  // namespace
}  // namespace mercer

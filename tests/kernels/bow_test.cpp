#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "base/refusal.hpp"
#include "kernels/set_samples.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

using Weights = std::map<std::string, double>;

/// Runs of up to `longest` words that are separated by spaces.
Weights counts_of(const std::string& text, std::size_t longest = 1) {
  std::vector<std::string> words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  Weights counts;
  for (std::size_t first = 0; first < words.size(); ++first) {
    std::string run;
    for (std::size_t k = first; k < std::min(words.size(), first + longest); ++k)
      counts[run += words[k] + " "] += 1;
  }
  return counts;
}

double dot(const Weights& x, const Weights& z) {
  double sum = 0;
  for (const auto& [word, weight] : x)
    if (const auto other = z.find(word); other != z.end()) sum += weight * other->second;
  return sum;
}

template <class WeightsOf>
void expect_dots(const std::string& kernel, const std::vector<std::string>& x,
                 const std::vector<std::string>& z, WeightsOf weights) {
  const auto K = matrix_of(Kernel::parse(kernel), texts_of(x, Domain::text), texts_of(z, Domain::text));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < z.size(); ++j)
      EXPECT_NEAR(K[i * z.size() + j], dot(weights(x[i]), weights(z[j])), 1e-12) << kernel;
}

TEST(Bow, IsTheDotProductOfWeightsOfWords) {
  const auto x = random_symbols(12, 1), z = random_symbols(9, 2);
  expect_dots("bow", x, z, [](const std::string& text) { return counts_of(text); });
  expect_dots("bow(ngrams=3)", x, z, [](const std::string& text) { return counts_of(text, 3); });
  expect_dots("bow(weight=binary)", x, z, [](const std::string& text) {
    Weights weights = counts_of(text);
    for (auto& [word, weight] : weights) weight = 1;
    return weights;
  });
  expect_dots("bow(weight=log, ngrams=2)", x, z, [](const std::string& text) {
    Weights weights = counts_of(text, 2);
    for (auto& [word, weight] : weights) weight = 1 + std::log(weight);
    return weights;
  });
}

TEST(Bow, WeighsByRarityAmongTheReferenceTexts) {
  const auto x = random_symbols(12, 1), z = random_symbols(9, 2);
  Weights df;
  for (const auto& text : z)
    for (const auto& [word, count] : counts_of(text)) df[word] += 1;
  expect_dots("bow(weight=tfidf)", x, z, [&](const std::string& text) {
    Weights weights = counts_of(text);
    for (auto& [word, weight] : weights) weight *= std::log((1 + double(z.size())) / (1 + df[word])) + 1;
    return weights;
  });
}

TEST(Bow, FoldsLettersOfTextsUnlessAskedNotTo) {
  const Points texts = texts_of({"Win a PRIZE", "a prize!"}, Domain::text);
  EXPECT_EQ(matrix_of(Kernel::parse("bow"), texts)[1], 2);
  EXPECT_EQ(matrix_of(Kernel::parse("bow(letters=as_written)"), texts)[1], 1);
  EXPECT_EQ(matrix_of(Kernel::parse("bow"), texts_of({"A b", "a b"}, Domain::symbols))[1], 1)
      << "symbols are as they are written";
}

TEST(Bow, OfAnEmptyTextIsZeroAlsoWhenNormalised) {
  const Points texts = texts_of({"", "?!", "a"}, Domain::text);
  for (const char* weight : {"count", "binary", "log", "tfidf"}) {
    const auto K = matrix_of(Kernel::parse(std::string("normalize(bow(weight=") + weight + "))"), texts);
    for (std::size_t e = 0; e < 8; ++e) EXPECT_EQ(K[e], 0);
    EXPECT_NEAR(K[8], 1, 1e-15);
  }
}

TEST(Bow, KeepsTheOrderOfWordsInARun) {
  const auto K = matrix_of(Kernel::parse("bow(ngrams=2)"), texts_of({"not good", "good not"}, Domain::text));
  EXPECT_EQ(K, (std::vector<double>{3, 2, 2, 3}));
}

TEST(Bow, TellsWhereWordsAreAndHowTheyShareAWeight) {
  const Objects column("text", Domain::text, std::vector<std::string>{"Yes no yes"});
  for (const char* weight : {"count", "binary", "log"}) {
    FeatureRow parts(true), plain;
    const Bow kernel{.weight = weight, .ngrams = 1};
    kernel.features(column, 0, parts);
    kernel.features(column, 0, plain);
    ASSERT_EQ(parts.entries().size(), 3u);
    EXPECT_EQ(parts.entries()[2].part.begin, 7u);
    EXPECT_EQ(parts.entries()[2].part.end, 10u);
    for (const auto& whole : plain.entries()) {
      double sum = 0;
      for (const auto& entry : parts.entries()) sum += entry.key == whole.key ? entry.value : 0;
      EXPECT_NEAR(sum, whole.value, 1e-15) << weight;
    }
  }
}

TEST(Bow, RefusesWhatCannotBe) {
  const auto parsed = [](const std::string& text) {
    return refusal(ErrorKind::usage, [&] { Kernel::parse(text); });
  };
  EXPECT_NE(parsed("bow(weight=idf)").find("weight must be count or binary or log or tfidf, not idf"),
            std::string::npos);
  EXPECT_NE(parsed("bow(ngrams=0)").find("ngrams must be a whole number from 1 to 10, not 0"),
            std::string::npos);
  EXPECT_EQ(Kernel::parse("bow(ngrams=2)").text(), "bow(weight=count, ngrams=2, letters=lower)");
}

TEST(SetsOfSymbols, AreComparedByWhatTheyShare) {
  const Points sets = texts_of({"", "a b c", "b c d e", "b b c"}, Domain::symbols);
  EXPECT_EQ(matrix_of(Kernel::parse("intersection"), sets),
            (std::vector<double>{0, 0, 0, 0, 0, 3, 2, 2, 0, 2, 4, 2, 0, 2, 2, 3}));
  const auto K = matrix_of(Kernel::parse("jaccard"), sets);
  EXPECT_EQ(K[0], 0) << "0/0";
  EXPECT_DOUBLE_EQ(K[1 * 4 + 2], 2 / 5.0);
  EXPECT_DOUBLE_EQ(K[2 * 4 + 3], 2 / 5.0) << "of multisets by the smaller and the larger count";
  EXPECT_DOUBLE_EQ(K[1 * 4 + 1], 1);
  const auto e = matrix_of(Kernel::parse("exp(intersection)"), sets);
  EXPECT_NEAR(e[1 * 4 + 2], std::exp(2), 1e-12);
}

TEST(Jaccard, EqualsItsDefinitionOnHistogramsAndIsPositiveSemidefinite) {
  Random random(3);
  std::vector<std::vector<double>> rows(30, std::vector<double>(4));
  for (auto& row : rows)
    for (double& value : row) value = random.uniform() < 0.3 ? 0 : random.uniform();
  const auto K = matrix_of(jaccard(), Points(rows));
  const auto sparse = matrix_of(jaccard(), Points(rows).to_sparse());
  for (std::size_t i = 0; i < 30; ++i)
    for (std::size_t j = 0; j < 30; ++j) {
      double least = 0, most = 0;
      for (std::size_t k = 0; k < 4; ++k) {
        least += std::min(rows[i][k], rows[j][k]);
        most += std::max(rows[i][k], rows[j][k]);
      }
      EXPECT_NEAR(K[i * 30 + j], most > 0 ? least / most : 0, 1e-13);
      EXPECT_NEAR(sparse[i * 30 + j], K[i * 30 + j], 1e-13);
    }
  EXPECT_GE(least_eigenvalue(K, 30), -1e-9);
  EXPECT_NE(refusal(ErrorKind::data,
                    [] {
                      matrix_of(jaccard(), Points({{-1, 2}}));
                    })
                .find("jaccard is defined for values ≥ 0 only"),
            std::string::npos);
}

TEST(SetsOfSymbols, OfAMillionMembersAreCompared) {
  std::string even, all;
  for (int i = 0; i < 1'000'000; ++i) {
    all += std::to_string(i) + " ";
    if (i % 2 == 0) even += std::to_string(i) + " ";
  }
  std::vector<std::string> texts(40, "1 2");  // most sets are small, so that rows stay sparse
  texts[0] = even;
  texts[1] = all;
  const Points sets = texts_of(texts, Domain::symbols);
  EXPECT_EQ(matrix_of(Kernel::parse("intersection"), sets)[1], 500'000);
  EXPECT_EQ(matrix_of(Kernel::parse("jaccard"), sets)[1], 0.5);
  EXPECT_EQ(matrix_of(Kernel::parse("bow(weight=binary)"), sets)[1], 500'000);
}

}  // namespace
}  // namespace mercer

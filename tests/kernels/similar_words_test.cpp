// bow(similarity=…) against sums over all pairs of words.
#include "kernels/similar_words.hpp"

#include <gtest/gtest.h>

#include <set>

#include "base/refusal.hpp"
#include "kernels/set_samples.hpp"
#include "kernels/word_samples.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

constexpr std::size_t known = 5;  // words that have a similarity; two have none

struct Given {
  SharedWords words;
  Similarity similarity;
};

Given vectors_given(std::size_t dimensions) {
  const auto vectors = random_vectors(known, dimensions, 3);
  const std::vector<std::string> words(sample_words().begin(), sample_words().begin() + known);
  return {word_vectors(words, vectors, dimensions), dots_of(vectors, known, dimensions)};
}

Given pairs_given() {
  const std::vector<WordPair> pairs{{"ab", "ba", 0.5}, {"ab", "abb", -0.3}, {"bab", "cab", 0.9}};
  Given given{word_similarities(pairs), {}};
  for (const WordPair& pair : pairs)
    given.similarity[{pair.first, pair.second}] = given.similarity[{pair.second, pair.first}] =
        pair.similarity;
  for (std::size_t w = 0; w < known; ++w) given.similarity[{sample_words()[w], sample_words()[w]}] = 1;
  return given;
}

WordWeights weights_of(const std::string& text, const std::string& weight,
                       const std::vector<std::string>& all) {
  WordWeights weights = word_counts(text);
  for (auto& [word, value] : weights) {
    if (weight == "binary") value = 1;
    if (weight == "log") value = 1 + std::log(value);
    if (weight != "tfidf") continue;
    double df = 0;
    for (const std::string& other : all) df += double(word_counts(other).count(word));
    value *= std::log((1 + double(all.size())) / (1 + df)) + 1;
  }
  return weights;
}

void expect_soft_dots(const Given& given, const std::string& weight, const std::string& missing) {
  const auto x = random_symbols(40, 1), z = random_symbols(9, 2);  // x has words that z does not
  Similarity similarity = given.similarity;
  if (missing == "own")
    for (const std::string& word : sample_words()) similarity.try_emplace({word, word}, 1);
  const Kernel k = bow({.weight = weight, .similarity = {given.words, "w"}, .missing = missing});
  const auto K = matrix_of(k, texts_of(x, Domain::text), texts_of(z, Domain::text));
  const auto N = matrix_of(normalize(k), texts_of(x, Domain::text), texts_of(z, Domain::text), 2);
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t j = 0; j < z.size(); ++j) {
      const WordWeights a = weights_of(x[i], weight, z), b = weights_of(z[j], weight, z);
      const double value = soft_dot(a, b, similarity),
                   lengths = soft_dot(a, a, similarity) * soft_dot(b, b, similarity);
      EXPECT_NEAR(K[i * z.size() + j], value, 1e-11) << weight << " " << missing;
      EXPECT_NEAR(N[i * z.size() + j], lengths > 1e-12 ? value / std::sqrt(lengths) : 0, 1e-7) << weight;
    }
}

TEST(SimilarWords, AreASumOverAllPairsOfWords) {
  for (const Given& given : {vectors_given(1), vectors_given(3), vectors_given(12), pairs_given()})
    for (const char* weight : {"count", "binary", "log", "tfidf"})
      for (const char* missing : {"own", "ignore"}) expect_soft_dots(given, weight, missing);
}

TEST(SimilarWords, OfTheIdentityAreTheBagOfWords) {
  std::vector<double> identity(49);
  for (std::size_t w = 0; w < 7; ++w) identity[8 * w] = 1;
  const auto texts = texts_of(random_symbols(12, 1), Domain::symbols);
  const Kernel alike = bow({.similarity = {word_vectors(sample_words(), identity, 7)}});
  EXPECT_EQ(matrix_of(alike, texts), matrix_of(bow(), texts));
}

TEST(SimilarWords, AreAlsoAKernelOfTheSymbolsOfMultisets) {
  const Given given = vectors_given(3);
  const auto texts = texts_of(random_symbols(12, 1), Domain::symbols);
  const Kernel k = bow({.similarity = {given.words}, .missing = "ignore"});
  const auto wanted = matrix_of(k, texts);
  for (const Kernel& sum : {general_set_kernel(k, linear()), set_kernel(k)}) {
    const auto K = matrix_of(sum, texts);
    for (std::size_t e = 0; e < K.size(); ++e) EXPECT_NEAR(K[e], wanted[e], 1e-11);
  }
}

TEST(SimilarWords, LendTheirFeaturesToOtherKernels) {
  const Given given = vectors_given(3);
  const auto texts = texts_of(random_symbols(12, 1), Domain::text);
  const Kernel k = bow({.similarity = {given.words, "w"}, .missing = "ignore"});
  const auto dots = matrix_of(k, texts);
  const auto K = matrix_of(mapped(rbf({.gamma = 0.1}), k.text()), texts);
  for (std::size_t i = 0; i < 12; ++i)
    for (std::size_t j = 0; j < 12; ++j)
      EXPECT_NEAR(K[i * 12 + j], std::exp(-0.1 * (dots[i * 13] + dots[j * 13] - 2 * dots[i * 12 + j])),
                  1e-11);
}

TEST(SimilarWords, TakeRunsOfWordsAsPhrases) {
  const SharedWords words = word_vectors(std::vector<std::string>{"new", "york", "new_york", "city"},
                                         std::vector<double>{1, 0, 0, 0, 1, 0, 0, 0, 2, 0.5, 0.5, 0}, 3);
  const Points texts = texts_of({"New York city", "york new"}, Domain::text);
  const auto K = matrix_of(bow({.ngrams = 2, .similarity = {words}, .missing = "ignore"}), texts);
  EXPECT_EQ(K[0], 1.5 * 1.5 * 2 + 4) << "new + york + city + new_york";
  EXPECT_EQ(K[1], 3);
  EXPECT_EQ(K[3], 2);
}

TEST(SimilarWords, HaveTheSameBitsForAnyNumberOfThreads) {
  for (const Given& given : {vectors_given(12), pairs_given()}) {
    const auto texts = texts_of(random_symbols(200, 1), Domain::text);
    const Kernel k = bow({.weight = "tfidf", .similarity = {given.words}, .missing = "own"});
    EXPECT_EQ(matrix_of(k, texts, 1), matrix_of(k, texts, 3));
    EXPECT_GT(least_eigenvalue(matrix_of(k, texts), 200), -1e-12);
  }
}

TEST(SimilarWords, ThatAreMissingAreRefusedByRowAndWord) {
  const Given given = vectors_given(3);
  const Kernel k = bow({.similarity = {given.words, "w"}});
  const Points texts = texts_of({"ab ba", "ab Zebra ba"}, Domain::text);
  EXPECT_EQ(refusal(ErrorKind::data, [&] { k.resolve(texts); }),
            "bow: row 2 of column 'words' has the word 'zebra', which is not in the file of similarities: "
            "'ab Zebra ba'; "
            "missing=own makes such words alike to themselves only, missing=ignore leaves them out");
  EXPECT_EQ(
      refusal(ErrorKind::usage, [] { Kernel::parse("bow(missing=own)"); }).find("bow: missing is about"), 0u);
  EXPECT_EQ(refusal(ErrorKind::usage, [] { Kernel::parse("bow(similarity=3)"); })
                .find("bow: similarity must be the name of a file, or none, not 3"),
            0u);
  EXPECT_EQ(Kernel::parse("bow(similarity=none, missing=refuse)").text(),
            "bow(weight=count, ngrams=1, letters=lower)");
}

TEST(SimilarWords, SpreadWhatTheVocabularyDoesNotKnowBehindIt) {
  const SharedWords words = word_vectors(std::vector<std::string>{"a"}, std::vector{2.0}, 1);
  std::vector<std::uint64_t> keys{key_of("a"), key_of("b"), key_of("c")};
  std::ranges::sort(keys);
  FeatureTable table;
  for (const std::uint64_t key : keys) table.keys.push_back(key), table.values.push_back(3);
  table.starts.push_back(3);
  const Vocabulary vocabulary{.keys = {key_of("b")}, .weights = {5}};
  const Points rows = spread_over_vectors(table, *words, vocabulary, 7, 1);
  EXPECT_EQ(rows.row(0), (std::vector<double>{3 * 7 * 2, 3 * 5, 3 * 7}));
}

}  // namespace
}  // namespace mercer

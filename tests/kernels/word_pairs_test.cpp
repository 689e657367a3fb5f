#include <gtest/gtest.h>

#include <numeric>

#include "base/refusal.hpp"
#include "kernels/set_samples.hpp"
#include "kernels/word_samples.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

/// The similarity that the vectors stand for.
double similarity_of(const WordVectors& words, const std::string& v, const std::string& w) {
  const std::size_t i = *words.find(key_of(v)), j = *words.find(key_of(w));
  std::vector<double> x(words.dimensions()), z(words.dimensions());
  std::ranges::copy(words.vector(i), x.begin() + std::ptrdiff_t(words.first(i)));
  std::ranges::copy(words.vector(j), z.begin() + std::ptrdiff_t(words.first(j)));
  return std::inner_product(x.begin(), x.end(), z.begin(), 0.0);
}

TEST(WordPairs, AreTheTableThatTheyGive) {
  const std::vector<WordPair> pairs{{"cat", "kitten", 0.8}, {"kitten", "cat", 0.8}, {"cat", "dog", 0.3},
                                    {"car", "truck", 0.9},  {"car", "car", 2},      {"alone", "alone", 0.5},
                                    {"far", "cat", 0}};
  const SharedWords words = word_similarities(pairs);
  EXPECT_EQ(words->rows(), 7u);
  EXPECT_FALSE(words->whole());
  std::map<std::pair<std::string, std::string>, double> wanted;
  for (const WordPair& pair : pairs)
    wanted[{pair.first, pair.second}] = wanted[{pair.second, pair.first}] = pair.similarity;
  for (const char* word : {"cat", "kitten", "dog", "truck", "far"}) wanted[{word, word}] = 1;
  for (const char* v : {"cat", "kitten", "dog", "car", "truck", "alone", "far"})
    for (const char* w : {"cat", "kitten", "dog", "car", "truck", "alone", "far"})
      EXPECT_NEAR(similarity_of(*words, v, w), (wanted[{v, w}]), 1e-12) << v << " " << w;
}

TEST(WordPairs, OfARandomTableGiveItsEntries) {
  for (const std::size_t rank : {1, 3, 7}) {
    const auto vectors = random_vectors(7, rank, rank);
    Similarity wanted = dots_of(vectors, 7, rank);
    std::vector<WordPair> pairs;
    for (const auto& [words, similarity] : wanted)
      if (words.first <= words.second) pairs.push_back({words.first, words.second, similarity});
    const SharedWords words = word_similarities(pairs);
    EXPECT_EQ(words->dimensions(), rank);
    for (const auto& [both, similarity] : wanted)
      EXPECT_NEAR(similarity_of(*words, both.first, both.second), similarity, 1e-12);
  }
}

TEST(WordPairs, ThatAreNoKernelAreRefusedWithTheWordsAtFault) {
  const std::vector<WordPair> pairs{{"a", "b", 0.9}, {"b", "c", 0.9}, {"a", "c", -0.9}, {"d", "e", 0.5}};
  const std::string said = refusal(ErrorKind::data, [&] { word_similarities(pairs); });
  EXPECT_NE(said.find("not positive semidefinite: the smallest eigenvalue is -0.8, with the weights"),
            std::string::npos)
      << said;
  for (const char* word : {"'a' (", "'b' (", "'c' ("}) EXPECT_NE(said.find(word), std::string::npos) << said;
  EXPECT_EQ(said.find("'d'"), std::string::npos) << said;
  EXPECT_NE(said.find("that of every word with itself greater by 0.8"), std::string::npos) << said;
  // What the message says is right: so much more on the diagonal is enough, and a little less is not.
  const auto with_diagonal = [&](double itself) {
    std::vector<WordPair> more = pairs;
    for (const char* word : {"a", "b", "c"}) more.push_back({word, word, itself});
    return refusal(ErrorKind::data, [&] { word_similarities(more); });
  };
  EXPECT_EQ(with_diagonal(1.8), "no error");
  EXPECT_NE(with_diagonal(1.799).find("not positive semidefinite"), std::string::npos);
}

TEST(WordPairs, RefuseContradictionsAndWhatIsNoNumber) {
  const auto said = [](std::vector<WordPair> pairs) {
    return refusal(ErrorKind::data, [&] { word_similarities(pairs); });
  };
  EXPECT_NE(said({{"a", "b", 0.5}, {"b", "a", 0.4}}).find("'b' and 'a' have the similarity 0.5 and also 0.4"),
            std::string::npos);
  EXPECT_NE(said({{"a", "b", NAN}}).find("the similarity of 'a' and 'b' is not finite"), std::string::npos);
  EXPECT_NE(said({{"a", "", 1}}).find("a word of a pair is empty"), std::string::npos);
  EXPECT_NE(said({}).find("there are none"), std::string::npos);
}

}  // namespace
}  // namespace mercer

#include "mercer/word_vectors.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "kernels/set_samples.hpp"
#include "kernels/word_samples.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

using Words = std::vector<std::string>;

Kernel bow_with(SharedWords words, std::string weight = "count") {
  return bow({.weight = std::move(weight), .similarity = {std::move(words), "w"}, .missing = "ignore"});
}

TEST(WordVectors, FindWordsByTheirKeys) {
  const SharedWords words = word_vectors(Words{"cat", "dog"}, std::vector{1.0, 2.0, 3.0, 4.0}, 2);
  EXPECT_EQ(words->rows(), 2u);
  EXPECT_EQ(words->dimensions(), 2u);
  EXPECT_TRUE(words->whole());
  EXPECT_EQ(words->find(key_of("dog")), 1u);
  EXPECT_EQ(words->find(key_of("cow")), std::nullopt);
  EXPECT_EQ(words->word(1), "dog");
  EXPECT_EQ(words->vector(1)[0], 3);
}

TEST(WordVectors, AreKnownByWhatTheyHold) {
  const std::vector values{1.0, 2.0};
  const SharedWords words = word_vectors(Words{"cat", "dog"}, values, 1);
  EXPECT_EQ(word_vectors(Words{"cat", "dog"}, values, 1), words) << "equal vectors are held once";
  EXPECT_NE(word_vectors(Words{"cat", "cow"}, values, 1)->checksum(), words->checksum());
  EXPECT_NE(word_vectors(Words{"cat", "dog"}, std::vector{1.0, 3.0}, 1)->checksum(), words->checksum());
  EXPECT_NE(word_vectors(Words{"ca", "tdog"}, values, 1)->checksum(), words->checksum());
}

TEST(WordVectors, AreFoundAgainWhenTheTextIsParsed) {
  std::string text;
  {
    const Kernel k = 2 * bow_with(word_vectors(Words{"a", "b"}, std::vector{1.0, 2.0}, 1));
    text = k.text();
    EXPECT_TRUE(Kernel::parse(text).resolved());
    EXPECT_EQ(Kernel::parse(text), k);
    EXPECT_EQ(word_vectors_in(k + k).size(), 1u);
  }
  EXPECT_FALSE(Kernel::parse(text).resolved()) << "nobody holds them any more";
  EXPECT_TRUE(word_vectors_in(Kernel::parse("bow + rbf(gamma=1)")).empty());
}

TEST(WordVectors, RefuseWhatContradictsItself) {
  const auto said = [](WordVectors::Storage storage) {
    return refusal(ErrorKind::data, [&] { WordVectors vectors(std::move(storage)); });
  };
  EXPECT_EQ(said({}), "word vectors: there are none");
  const WordVectors::Storage good{{0, 1, 2}, "ab", {0, 1, 2}, {0, 0}, {1, 2}};
  EXPECT_EQ(said(good), "no error");
  for (auto change : std::vector<std::function<void(WordVectors::Storage&)>>{
           [](auto& s) {
             s.words = {0, 3, 2};
           },
           [](auto& s) {
             s.words = {0, 1};
           },
           [](auto& s) {
             s.starts = {1, 1, 2};
           },
           [](auto& s) { s.values.pop_back(); }, [](auto& s) { s.bytes += "c"; },
           [](auto& s) { s.starts = {}; }}) {
    WordVectors::Storage bad = good;
    change(bad);
    EXPECT_EQ(said(bad),
              "word vectors: the places where words and their numbers begin contradict each other");
  }
  WordVectors::Storage bad = good;
  bad.first[0] = SIZE_MAX;
  EXPECT_EQ(said(bad), "word vectors: 'a' has a coordinate beyond 2147483648");
  bad = good, bad.bytes = "aa";
  EXPECT_EQ(said(bad), "word vectors: 'a' comes twice");
  bad = good, bad.values[1] = NAN;
  EXPECT_EQ(said(bad), "word vectors: that of 'b' has a number that is not finite");
  bad = good, bad.words = {0, 2, 2};
  EXPECT_EQ(said(bad), "word vectors: word 2 is empty");
  EXPECT_EQ(refusal(ErrorKind::data, [] { word_vectors(Words{"a"}, std::vector{1.0}, 2); }),
            "word vectors: 1 words need 1 × 2 numbers, at least one each, not 1");
}

}  // namespace
}  // namespace mercer

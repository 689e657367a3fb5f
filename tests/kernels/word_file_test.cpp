#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

class WordFile : public testing::Test {
 protected:
  SharedWords read(const std::string& text) {
    std::ofstream(folder_ / "w.txt", std::ios::binary) << text;
    return read_word_vectors(folder_ / "w.txt");
  }
  /// What is said of the file, without its path.
  std::string refused(const std::string& text) {
    const std::string said = refusal(ErrorKind::data, [&] { read(text); });
    return said.find(folder_ / "") == 0 ? said.substr((folder_ / "").size()) : said;
  }
  ScratchFolder folder_;
};

TEST_F(WordFile, OfVectorsIsAWordAndItsNumbersInEachLine) {
  for (const char* text : {"cat 1 2\ndog -3 4e-1\n", "2 2\ncat 1 2\ndog -3 0.4\n",
                           "\xef\xbb\xbf"
                           "cat\t1\t2\r\ndog\t-3\t0.4\r\n",
                           "  cat  1 \t 2  \n\n\ndog -3 .4", "cat 1 2\ndog -3 0.4\ncat 1 2\n"}) {
    const SharedWords words = read(text);
    ASSERT_EQ(words->rows(), 2u) << text;
    EXPECT_EQ(words->word(0), "cat");
    EXPECT_EQ(words->vector(0)[1], 2);
    EXPECT_EQ(words->vector(1)[0], -3);
    EXPECT_EQ(words->vector(1)[1], 0.4);
  }
  EXPECT_EQ(read("2 1\n")->word(0), "2") << "a word that is a number, not a first line of word2vec's";
  EXPECT_EQ(read("naïve 1\n100 2\n")->rows(), 2u);
}

TEST_F(WordFile, OfPairsIsAWordAWordAndANumberBetweenTabs) {
  const SharedWords words = read("cat\tkitten\t0.5\nnew york\tcat\t0.25\nkitten\tcat\t0.5\n");
  EXPECT_EQ(words->rows(), 3u);
  EXPECT_TRUE(words->find(key_of("new york")));
}

TEST_F(WordFile, IsRefusedWithTheLineAtFault) {
  EXPECT_EQ(
      refused("cat 1 2\ndog 3\n"),
      "w.txt:2:1: the vector of 'dog' has 1 numbers, but others have 2; write a word and its vector in each "
      "line, or word, tab, word, tab, similarity");
  EXPECT_EQ(refused("cat 1 2\ndog 3 x\n"), "w.txt:2:7: 'x' is not a number; write a number such as 0.5");
  EXPECT_EQ(refused("cat 1 nan\n"), "w.txt:1:7: 'nan' is not finite; write a number such as 0.5");
  EXPECT_EQ(refused("cat 1 1e999\n"), "w.txt:1:7: '1e999' is not finite; write a number such as 0.5");
  EXPECT_EQ(refused("cat 1 2\ncow 1 1\ncat 1 3\n"),
            "w.txt:3:1: 'cat' has another vector in line 1; give each word once");
  EXPECT_EQ(refused("3 2\ncat 1 2\ndog 3 4\n"),
            "w.txt: the first line says 3 words, but there are 2; is the file complete?");
  EXPECT_NE(refused("cat\n").find("w.txt:1:1: the word 'cat' has no numbers"), std::string::npos);
  EXPECT_EQ(
      refused("cat\tdog\t0.5\ndog\tcat\t0.4\n"),
      "w.txt:2:9: 'dog' and 'cat' have the similarity 0.4 here and 0.5 in line 1; a similarity is the same "
      "both ways: give each pair once");
  EXPECT_EQ(refused("cat\tdog\tmuch\n"), "w.txt:1:9: 'much' is not a number; write a number such as 0.5");
  EXPECT_EQ(
      refused("cat\tdog\t0.5\ncat dog 0.5\n"),
      "w.txt:2:1: this line is no pair of words with their similarity; write word, tab, word, tab, number");
  EXPECT_EQ(refused("cat\tdog\t2\n").rfind("w.txt: the similarities are not positive semidefinite", 0), 0u);
  EXPECT_NE(refused("").find("empty"), std::string::npos);
  EXPECT_NE(
      refusal(ErrorKind::data, [&] { read_word_vectors(folder_ / "nothing.txt"); }).find("cannot be opened"),
      std::string::npos);
}

TEST_F(WordFile, IsReadWhenTheKernelIsResolvedAndMustNotChange) {
  read("a 1\nb 2\n");
  const std::string path = folder_ / "w.txt";
  const Kernel k = Kernel::parse("bow(similarity=\"" + path + "\")");
  EXPECT_FALSE(k.resolved());
  EXPECT_EQ(Kernel::parse("bow(similarity=" + path + ")"), k) << "no quotes are needed";
  const Points texts(Objects("t", Domain::text, std::vector<std::string>{"a b"}));
  const std::string text = k.resolve(texts).text();
  EXPECT_EQ(Kernel::parse(text).resolve(texts).text(), text);
  read("a 1\nb 3\n");
  EXPECT_NE(refusal(ErrorKind::data, [&] { Kernel::parse(text).resolve(texts); })
                .find("the word vectors are not those that the kernel names"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer

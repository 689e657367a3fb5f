#include "model/word_tensors.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "mercer/fit.hpp"
#include "mercer/kernel.hpp"
#include "mercer/methods/svm.hpp"

namespace mercer {
namespace {

const std::vector<WordPair> some_pairs{{"cat", "kitten", 0.5}, {"car", "truck", 0.75}};

class WordTensors : public ::testing::Test {
 protected:
  /// What is said when the file has these tensors for the words and their numbers.
  std::string refused(const std::vector<std::int64_t>& starts, const std::string& checksum) {
    const std::vector<std::int64_t> words{0, 1, 2}, first{0, 0};
    const std::vector<double> values{1, 2};
    const std::string bytes = "ab";
    write_safetensors(folder_ / "w", {},
                      {{"words.0.words", Dtype::i64, {3}, words.data()},
                       {"words.0.starts", Dtype::i64, {starts.size()}, starts.data()},
                       {"words.0.first", Dtype::i64, {2}, first.data()},
                       {"words.0.bytes", Dtype::u8, {2}, bytes.data()},
                       {"words.0.values", Dtype::f64, {2}, values.data()}});
    return refusal(ErrorKind::data, [&] { read_words(Safetensors(folder_ / "w"), {checksum}); });
  }
  ScratchFolder folder_;
};

TEST_F(WordTensors, KeepWordVectorsToTheBit) {
  const std::vector<SharedWords> words{
      word_similarities(some_pairs),
      word_vectors(std::vector<std::string>{"a", "bc"}, std::vector{0.1, 1e-300, -3.0, 0.3}, 2)};
  std::vector<TensorView> tensors;
  std::deque<std::vector<std::int64_t>> kept;
  add_words(tensors, words, kept);
  write_safetensors(folder_ / "w", {}, tensors);
  EXPECT_EQ(read_words(Safetensors(folder_ / "w"), {words[0]->checksum(), words[1]->checksum()}), words)
      << "equal vectors are held once";
}

TEST_F(WordTensors, ThatContradictThemselvesAreRefusedByName) {
  const std::string right =
      word_vectors(std::vector<std::string>{"a", "b"}, std::vector{1.0, 2.0}, 1)->checksum();
  EXPECT_EQ(refused({0, 1, 2}, right), "no error");
  EXPECT_NE(refused({0, -1, 2}, right).find("words.0.starts': holds a number below 0"), std::string::npos);
  EXPECT_NE(refused({0, 3, 2}, right).find("words.0': word vectors: the places where"), std::string::npos);
  EXPECT_NE(
      refused({0, 1, 2}, "0123456789abcdef").find("has the checksum " + right + ", not 0123456789abcdef"),
      std::string::npos);
}

TEST_F(WordTensors, MakeModelsThatDoNotNeedTheFile) {
  std::ofstream(folder_ / "pairs.tsv") << "cat\tkitten\t0.5\ncar\ttruck\t0.75\n";
  const Objects texts("text", Domain::text,
                      std::vector<std::string>{"a cat", "the car", "my kitten", "a truck"});
  Dataset data;
  data.points = Points(texts);
  data.target.task = Task::classification;
  data.target.codes = {0, 1, 0, 1};
  data.target.labels = {"pet", "car"};
  const std::string leaf = "bow(similarity=" + (folder_ / "pairs.tsv") + ", missing=own)";
  int number = 0;
  for (const std::string& kernel :
       {leaf, "mapped(rbf(gamma=1), by=\"" + leaf + "\")", "normalize(" + leaf + ")"}) {
    const std::string path = folder_ / fmt::format("{}.mercer", ++number);
    std::vector<double> scores;
    {
      const Model model = fit(Svm{}, Kernel::parse(kernel), data);
      model.save(path);
      scores = model.predict(data.points).scores;
    }
    std::filesystem::rename(folder_ / "pairs.tsv", folder_ / "away");
    EXPECT_EQ(Model::load(path).predict(data.points).scores, scores) << kernel;
    std::filesystem::rename(folder_ / "away", folder_ / "pairs.tsv");
  }
}

}  // namespace
}  // namespace mercer

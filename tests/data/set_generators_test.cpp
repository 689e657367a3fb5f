#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "data/words.hpp"
#include "mercer/generate.hpp"

namespace mercer {
namespace {

TEST(GeneratedSets, HaveTheSameMeanAndSpreadButAnotherShape) {
  const Dataset data = generate("sets", {.n = 400, .noise = 0.0, .dim = 3});
  const Bags& bags = data.points.objects().at(0).bags();
  double squares[2] = {}, fourths[2] = {}, members[2] = {};
  for (std::size_t i = 0; i < 400; ++i) {
    ASSERT_GE(bags.size(i), 10u);
    ASSERT_LE(bags.size(i), 30u);
    const auto label = std::size_t(data.target.codes[i]);
    for (std::size_t k = 0; k < 3; ++k) {
      double mean = 0;
      const auto at = [&](std::size_t m) { return bags.values[m * 3 + k]; };
      for (std::size_t m = bags.starts[i]; m < bags.starts[i + 1]; ++m) mean += at(m) / double(bags.size(i));
      for (std::size_t m = bags.starts[i]; m < bags.starts[i + 1]; ++m) {
        squares[label] += std::pow(at(m) - mean, 2);
        fourths[label] += std::pow(at(m) - mean, 4);
        members[label] += 1;
      }
    }
  }
  EXPECT_NEAR(squares[0] / members[0], squares[1] / members[1], 0.03);
  EXPECT_NEAR(fourths[0] / members[0], 3 * 0.9, 0.25) << "a Gaussian";
  EXPECT_LT(fourths[1] / members[1], 2) << "a sphere";
}

TEST(GeneratedWords, AreOfTheClassMostOfTheTime) {
  const Dataset data = generate("words", {.n = 300, .noise = 0.0});
  std::set<std::string> vocabulary[2];
  for (std::size_t i = 0; i < 300; ++i)
    each_word(data.points.objects().at(0).texts()[i], Domain::text,
              [&](std::string_view word, std::size_t, std::size_t) {
                vocabulary[data.target.codes[i]].emplace(word);
              });
  EXPECT_EQ(vocabulary[0].count("prize"), 0u);
  EXPECT_EQ(vocabulary[1].count("prize"), 1u);
  EXPECT_EQ(vocabulary[0].count("lunch"), 1u);
  EXPECT_EQ(vocabulary[0].count("the"), 1u);
  EXPECT_EQ(vocabulary[1].count("the"), 1u);
  const Dataset mixed = generate("words", {.n = 300});
  bool strange = false;
  for (std::size_t i = 0; i < 300; i += 2)
    strange |= mixed.points.objects()[0].texts()[i].find("prize") != std::string_view::npos;
  EXPECT_TRUE(strange) << "with noise a word may be of the other class";
}

}  // namespace
}  // namespace mercer

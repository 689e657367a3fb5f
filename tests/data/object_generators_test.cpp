#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "data/scratch.hpp"
#include "data/words.hpp"
#include "mercer/generate.hpp"

namespace mercer {
namespace {

/// Takes nodes of one neighbour away until none is left: what stays are the rings, none in a tree.
std::size_t nodes_in_rings(const Graphs& graphs, std::size_t i) {
  const std::size_t n = graphs.size(i);
  std::vector<bool> gone(n);
  for (bool more = true; more;) {
    more = false;
    for (std::size_t v = 0; v < n; ++v) {
      std::size_t degree = 0;
      for (std::size_t e = graphs.edges[i]; e < graphs.edges[i + 1]; ++e) {
        const auto a = std::size_t(graphs.from[e]), b = std::size_t(graphs.to[e]);
        degree += (a == v || b == v) && !gone[a] && !gone[b];
      }
      if (gone[v] || degree > 1) continue;
      gone[v] = more = true;
    }
  }
  return std::size_t(std::count(gone.begin(), gone.end(), false));
}

TEST(RingGraphs, HaveARingOfTheLengthAskedForInOneClass) {
  for (const std::size_t length : {3, 6, 9}) {
    const Dataset data = generate("ring_graphs", {.n = 40, .noise = 0.0, .dim = length});
    const Graphs& graphs = data.points.objects().at(0).graphs();
    for (std::size_t i = 0; i < 40; ++i) {
      EXPECT_EQ(nodes_in_rings(graphs, i), data.target.codes[i] == 1 ? length : 0u);
      EXPECT_EQ(graphs.edges[i + 1] - graphs.edges[i], graphs.size(i) - (data.target.codes[i] == 1 ? 0u : 1u))
          << "connected";
      EXPECT_GE(graphs.size(i), length + 6);
    }
  }
}

TEST(RingGraphs, GetMoreEdgesWithMoreNoise) {
  const auto edges = [](double noise) {
    const Dataset data = generate("ring_graphs", {.n = 50, .noise = noise});
    return data.points.objects()[0].graphs().from.size();
  };
  EXPECT_LT(edges(0), edges(3));
  EXPECT_LT(edges(3), edges(1e100));
}

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

using namespace testing;

bool has_motif(std::string_view text) {
  return text.find("TGCTGAGTCA") != text.npos || text.find("TGACTCAGCA") != text.npos;
}

TEST(DnaMotif, StandsInTheSequencesOfOneClass) {
  const Dataset data = generate("dna_motif", {.n = 200, .noise = 0});
  ASSERT_EQ(data.points.objects().size(), 1u);
  const Objects& column = data.points.objects()[0];
  EXPECT_EQ(column.domain(), Domain::sequence);
  EXPECT_EQ(column.name(), "sequence");
  std::size_t forward = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    const std::string_view text = column.texts()[i];
    EXPECT_EQ(text.size(), 100u);
    EXPECT_EQ(text.find_first_not_of("ACGT"), text.npos);
    EXPECT_EQ(has_motif(text), data.target.codes[i] == 1);
    forward += text.find("TGCTGAGTCA") != text.npos;
  }
  EXPECT_TRUE(forward > 30 && forward < 70) << forward;  // of 100, on either strand
}

TEST(DnaMotif, MutatesByTheNoise) {
  const auto whole = [](double noise) {
    const Dataset data = generate("dna_motif", {.n = 400, .noise = noise, .dim = 30});
    std::size_t count = 0;
    for (std::size_t i = 0; i < data.rows(); ++i) count += has_motif(data.points.objects()[0].texts()[i]);
    return count;
  };
  EXPECT_EQ(whole(0), 200u);
  // A letter that mutates stays the same once in four times.
  EXPECT_NEAR(double(whole(0.2)), 200 * std::pow(0.85, 10), 20);
  EXPECT_LE(whole(1), 1u);
}

TEST(DnaMotif, DrawsARowWhateverFollows) {
  const Dataset few = generate("dna_motif", {.n = 3, .seed = 7}),
                many = generate("dna_motif", {.n = 50, .seed = 7});
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(few.points.objects()[0].texts()[i], many.points.objects()[0].texts()[i]);
  EXPECT_EQ(generate("dna_motif", {.n = 1, .dim = 10}).points.objects()[0].texts()[0].size(), 10u);
}

TEST(DnaMotif, IsRefusedWhereItCannotBe) {
  EXPECT_EQ(refusal([] { generate("dna_motif", {.dim = 9}); }),
            "dim 9 is too small for dna_motif; it must be at least 10");
}

TEST(ColourImages, ShareMoreColoursWithinAClassThanBetweenClasses) {
  const Dataset data = generate("colour_images", {.n = 140});
  const Images& images = data.points.objects()[0].images();
  EXPECT_EQ(images.channels, 3u);
  std::vector<std::set<int>> colours(data.rows());  // in 8 levels
  for (std::size_t i = 0; i < data.rows(); ++i) {
    EXPECT_EQ(images.heights[i], 32u);
    for (std::size_t at = images.starts[i]; at < images.starts[i + 1]; at += 3)
      colours[i].insert((images.pixels[at] / 32 * 8 + images.pixels[at + 1] / 32) * 8 +
                        images.pixels[at + 2] / 32);
  }
  double within = 0, between = 0, pairs_within = 0, pairs_between = 0;
  for (std::size_t i = 0; i < data.rows(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const auto shared =
          double(std::ranges::count_if(colours[i], [&](int colour) { return colours[j].contains(colour); }));
      const bool same = data.target.codes[i] == data.target.codes[j];
      (same ? within : between) += shared;
      (same ? pairs_within : pairs_between) += 1;
    }
  EXPECT_GT(within / pairs_within, 1.5 * between / pairs_between);
}

TEST(DigitImages, AreDigitsOnBlack) {
  const Dataset data = generate("digit_images", {.n = 10, .noise = 0.0});
  const Images& images = data.points.objects()[0].images();
  EXPECT_EQ(images.channels, 1u);
  std::vector<double> ink(10);
  for (std::size_t i = 0; i < 10; ++i)
    for (std::size_t at = images.starts[i]; at < images.starts[i + 1]; ++at)
      ink[i] += images.pixels[at] / 255.0;
  for (std::size_t i = 0; i < 10; ++i) {
    EXPECT_GT(ink[i], 15) << i;
    EXPECT_LT(ink[i], 80) << i;
    EXPECT_GT(ink[8] + 8, ink[i]) << "an eight has much ink; " << i;
  }
}

}  // namespace
}  // namespace mercer

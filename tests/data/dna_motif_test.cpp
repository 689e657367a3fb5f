#include "data/scratch.hpp"
#include "mercer/generate.hpp"

namespace mercer {
namespace {

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

}  // namespace
}  // namespace mercer

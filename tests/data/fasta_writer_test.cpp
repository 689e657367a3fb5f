#include "data/scratch.hpp"
#include "data/writers.hpp"

namespace mercer {
namespace {

using namespace testing;

Dataset sequences(std::vector<std::string> texts, Target target = {}, Domain domain = Domain::sequence) {
  Dataset data;
  data.points = Points(Objects("sequence", domain, texts));
  data.target = std::move(target);
  return data;
}

TEST(FastaWriter, WritesWhatReadsBack) {
  const Scratch scratch;
  const Dataset data = sequences({"ACGT", std::string(61, 'a'), std::string(60, 'N')},
                                 classes({"off", "on"}, {1, 0, 1}, "label"));
  write(scratch.path("x.fa"), data);
  EXPECT_EQ(Scratch::read(scratch.path("x.fa")), ">1 label=on\nACGT\n>2 label=off\n" + std::string(60, 'a') +
                                                     "\na\n>3 label=on\n" + std::string(60, 'N') + "\n");
  const Dataset back = read(scratch.path("x.fa"));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(back.points.objects()[0].texts()[i], data.points.objects()[0].texts()[i]);
  EXPECT_EQ(back.target.codes, data.target.codes);
  write(scratch.path("y.fa"), sequences({"A", "C"}, real({0.1, 2})));
  EXPECT_EQ(read(scratch.path("y.fa")).target.values, (std::vector<double>{0.1, 2}));
  write(scratch.path("z.fa"), sequences({"A"}));
  EXPECT_EQ(Scratch::read(scratch.path("z.fa")), ">1\nA\n");
}

TEST(FastaWriter, RefusesWhatAHeaderOrASequenceCannotHold) {
  const Scratch scratch;
  const std::string path = scratch.path("x.fa");
  const auto said = [&](const Dataset& data) {
    return refusal([&] { write(path, data); }).substr(path.size() + 2);
  };
  EXPECT_EQ(said({.points = Points({{1, 2}})}),
            "FASTA holds one column of sequences and nothing beside it; write .csv or .tsv");
  EXPECT_EQ(said(sequences({"A"}, {}, Domain::text)),
            "FASTA holds one column of sequences and nothing beside it; write .csv or .tsv");
  EXPECT_EQ(said(sequences({"A"}, outputs({1, 2}, 2))),
            "FASTA holds no weights, queries or targets of several numbers; write .csv or .tsv");
  EXPECT_EQ(said(sequences({"A"}, classes({"a b"}, {0}))),
            "label 'a b' has a blank, which a header of FASTA cannot hold; write .csv or .tsv");
  EXPECT_EQ(said(sequences({"A", ""})), "sequence 2, '', is not of letters alone; write .csv or .tsv");
  EXPECT_EQ(said(sequences({"A1"})), "sequence 1, 'A1', is not of letters alone; write .csv or .tsv");
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace mercer

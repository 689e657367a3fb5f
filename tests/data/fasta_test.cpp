#include "data/formats.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using namespace testing;

Dataset fasta(std::string_view text, const ReadOptions& options = {}) {
  return read_fasta(TextSource("f.fa", text), options);
}
std::string fasta_refusal(std::string_view text, const ReadOptions& options = {}) {
  return refusal([&] { fasta(text, options); });
}
std::vector<std::string> sequences_of(const Dataset& data) {
  std::vector<std::string> list;
  for (std::size_t i = 0; i < data.rows(); ++i) list.emplace_back(data.points.objects().at(0).texts()[i]);
  return list;
}

TEST(FastaReader, JoinsTheLinesUnderAHeader) {
  const Dataset data =
      fasta("; a comment\n\n>one\nACGT\nacg\r\n\n  tt NN\n>two words here\r\n; another\nM*-.\n");
  EXPECT_EQ(sequences_of(data), (std::vector<std::string>{"ACGTacgttNN", "M*-."}));
  EXPECT_EQ(data.points.cols(), 0u);
  EXPECT_EQ(data.points.objects()[0].name(), "sequence");
  EXPECT_EQ(data.points.objects()[0].domain(), Domain::sequence);
  ASSERT_EQ(data.schema.columns.size(), 1u);
  EXPECT_EQ(data.schema.columns[0].name, "sequence");
  EXPECT_EQ(data.schema.columns[0].objects, Domain::sequence);
  EXPECT_EQ(data.target.task, Task::none);
  EXPECT_EQ(sequences_of(fasta(">x\nA")), std::vector<std::string>{"A"});
  EXPECT_EQ(sequences_of(fasta(">\nA\n>\nC")), (std::vector<std::string>{"A", "C"}));
}

TEST(FastaReader, FindsTheTargetInTheHeader) {
  const Dataset named = fasta(">a chr1 label=on\nA\n>b label=off x=3 y\nC\n>label=on\nG");
  EXPECT_EQ(named.target.labels, (std::vector<std::string>{"off", "on"}));
  EXPECT_EQ(named.target.codes, (std::vector<std::int32_t>{1, 0, 1}));
  EXPECT_EQ(named.schema.target, "label");
  const Dataset second = fasta(">a 1\nA\n>b 0\nC");
  EXPECT_EQ(second.target.labels, (std::vector<std::string>{"0", "1"}));
  const Dataset numbers = fasta(">a y=0.5 z=1\nA\n>b y=0.25 z=2\nC", {.target = "y"});
  EXPECT_EQ(numbers.target.task, Task::regression);
  EXPECT_EQ(numbers.target.values, (std::vector<double>{0.5, 0.25}));
  EXPECT_EQ(numbers.target.name, "y");
  EXPECT_EQ(fasta(">a 1\nA\n>b\nC").target.task, Task::none);  // not every header has a second word
  EXPECT_EQ(fasta(">a 1 x\nA\n>b 0 x\nC").target.task, Task::none);
  EXPECT_EQ(fasta(">a label=1\nA\n>b label=0\nC", {.target = "none"}).target.task, Task::none);
}

TEST(FastaReader, NamesThePlaceOfWhatIsWrong) {
  EXPECT_EQ(fasta_refusal("ACGT\nACGT"),
            "f.fa:1:1: the sequence has no header; FASTA has a line >name above each sequence");
  EXPECT_EQ(fasta_refusal(">a\nACGT\n>b\n>c\nA"),
            "f.fa:3:1: the sequence has no letters; leave the header out, or write them below it");
  EXPECT_EQ(fasta_refusal(">a\nACGT\n  >b"),
            "f.fa:3:3: the sequence has no letters; leave the header out, or write them below it");
  EXPECT_EQ(fasta_refusal(">a\n1 ACGT"),
            "f.fa:2:1: '1' is no letter of a sequence; a sequence has letters, *, - and .");
  EXPECT_EQ(fasta_refusal(">a\nAC>GT"),
            "f.fa:2:3: '>' is no letter of a sequence; a sequence has letters, *, - and .");
  EXPECT_EQ(fasta_refusal("; nothing\n ;\n"),
            "f.fa:1:1: the file has no sequences; only comments or blank lines");
  EXPECT_EQ(fasta_refusal(""), "f.fa:1:1: the file is empty; rows of data are needed");
  EXPECT_EQ(fasta_refusal(">a label=1\nA\n>b\nC"),
            "f.fa:3:1: the header has no label=…, though others have; write label=… behind each name, or set "
            "the target to none");
  EXPECT_EQ(fasta_refusal(">a label=\nA"), "no error");  // an empty one is none
  EXPECT_EQ(fasta_refusal(">a label=1\nA", {.target = "y"}),
            "f.fa:1:1: the header has no y=…; write y=… behind each name, or set the target to none");
  EXPECT_EQ(fasta_refusal(">a\nA", {.weights = "w"}),
            "f.fa: weights 'w' were asked for, but FASTA has none; use .csv");
  EXPECT_EQ(fasta_refusal(std::string(">a\n") + std::string(1 << 17, 'A') + '\0' + "C"),
            "f.fa:2:131073: '\\x00' is no letter of a sequence; a sequence has letters, *, - and .");
}

TEST(FastaReader, TakesLinesOfAnyLength) {
  const std::string letters(3'000'000, 'c');
  EXPECT_EQ(sequences_of(fasta(">a\n" + letters + "\n>b\nA")), (std::vector<std::string>{letters, "A"}));
}

TEST(FastaReader, FillsTheColumnOfATableThatIsKnown) {
  Schema schema;
  schema.columns.push_back({.name = "dna", .categories = {}, .objects = Domain::sequence});
  schema.target = "class";
  const Dataset data = fasta(">a b\nACGT", {.target = "class", .schema = &schema});
  EXPECT_EQ(data.points.objects()[0].name(), "dna");
  EXPECT_EQ(data.target.task, Task::none);
  schema.columns.push_back({.name = "mass", .categories = {}});
  EXPECT_EQ(fasta_refusal(">a\nA", {.schema = &schema}),
            "f.fa: FASTA holds one column of sequences, but a table of 2 columns is known; give a table with "
            "the same columns");
  schema.columns.erase(schema.columns.begin());
  EXPECT_EQ(fasta_refusal(">a\nA", {.schema = &schema}),
            "f.fa: FASTA holds one column of sequences, but column 'mass' is known; give a table with the "
            "same columns");
}

TEST(FastaReader, IsChosenByTheNameAndTheContent) {
  const Scratch scratch;
  for (const std::string name : {"x.fa", "x.FASTA", "x.fna", "x.ffn", "x.faa", "x.txt"})
    EXPECT_EQ(sequences_of(read(scratch.write(name, ">a\nAC\nGT\n"))), std::vector<std::string>{"ACGT"})
        << name;
}

TEST(FastaReader, SurvivesDamage) {
  Random random(1);
  const std::string whole = ">a label=1\nACGT\nACG\n;c\n>b label=2\nTTT\n\n>c label=1\nGGG\n";
  for (int round = 0; round < 2000; ++round) {
    std::string text = whole;
    damage(text, ">;=\n\r A1", random);
    try {
      const Dataset data = fasta(text);
      EXPECT_GT(data.rows(), 0u);
    } catch (const Error& error) {
      EXPECT_TRUE(std::string(error.what()).starts_with("f.fa")) << error.what();
    }
  }
}

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

#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "data/formats.hpp"
#include "mercer/dataset.hpp"
#include "mercer/generate.hpp"

namespace mercer {
namespace {

Dataset sets(std::string_view text, const ReadOptions& options = {}) {
  return read_sets(TextSource("f.sets", text), options);
}
std::string refused(std::string_view text, const ReadOptions& options = {},
                    ErrorKind kind = ErrorKind::data) {
  return refusal(kind, [&] { sets(text, options); });
}

TEST(SetsReader, ReadsALabelledSetALine) {
  const Dataset data = sets("fruit\tapple pear apple\nnone\t\r\n\nfruit\tfig\n");
  ASSERT_EQ(data.rows(), 3u);
  const Objects& column = data.points.objects().at(0);
  EXPECT_EQ(column.name(), "set");
  EXPECT_EQ(column.domain(), Domain::symbols);
  EXPECT_EQ(column.texts()[0], "apple pear apple");
  EXPECT_EQ(column.texts()[1], "") << "an empty set";
  EXPECT_EQ(data.target.labels, (std::vector<std::string>{"fruit", "none"}));
  EXPECT_EQ(data.target.codes, (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(data.schema.target, "label");
}

TEST(SetsReader, ReadsSetsWithoutLabels) {
  const Dataset data = sets("a b\n\nc");
  EXPECT_EQ(data.rows(), 2u);
  EXPECT_EQ(data.target.task, Task::none);
  EXPECT_EQ(sets("x\ta\ny\tb", {.target = "none"}).target.task, Task::none);
}

TEST(SetsReader, ReadsVectorsWhereTheFirstMemberIsOne) {
  const Dataset data = sets("1\t\n1\t1.5,-2 0,3e1\n-1\t 7,8 \n");
  const Objects& column = data.points.objects().at(0);
  ASSERT_EQ(column.domain(), Domain::vectors);
  const Bags& bags = column.bags();
  EXPECT_EQ(bags.columns, 2u);
  EXPECT_EQ(bags.size(0), 0u);
  EXPECT_EQ(bags.size(1), 2u);
  EXPECT_EQ((std::vector<double>(bags.values.begin(), bags.values.end())),
            (std::vector<double>{1.5, -2, 0, 30, 7, 8}));
  EXPECT_EQ(sets("12 17 3").points.objects()[0].domain(), Domain::symbols)
      << "numbers without commas are symbols";
  EXPECT_EQ(sets("1,x 2,3").points.objects()[0].domain(), Domain::symbols);
}

TEST(SetsReader, ReadsWhatItIsToldTo) {
  const Dataset data = sets("1 2 3\n4", {.objects = {{"", Domain::vectors}}});
  EXPECT_EQ(data.points.objects()[0].bags().columns, 1u);
  EXPECT_EQ(sets("1,2 3,4", {.objects = {{"", Domain::symbols}}}).points.objects()[0].domain(),
            Domain::symbols);
  EXPECT_EQ(sets("ab cd", {.objects = {{"", Domain::text}}}).points.objects()[0].domain(), Domain::text);
  EXPECT_EQ(refused("a", {.objects = {{"", Domain::image}}}, ErrorKind::usage),
            "f.sets: a file of sets holds no images");
}

TEST(SetsReader, ReadsNewSetsAsTheFirstOnes) {
  const Schema schema = sets("a\t1,2\nb\t").schema;
  const Dataset data = sets("a\t\n", {.schema = &schema});
  EXPECT_EQ(data.points.objects()[0].domain(), Domain::vectors)
      << "though there is no member that could tell";
  Schema table;
  table.columns = {{.name = "x", .categories = {}}};
  EXPECT_EQ(refused("a\tb", {.schema = &table}, ErrorKind::usage),
            "f.sets: the model learned from the columns of a table, and a file of sets has none of them");
}

TEST(SetsReader, SaysWhereAFileIsWrong) {
  EXPECT_EQ(
      refused("a\tb\nc d"),
      "f.sets:2:1: this line has no tab behind a label, but those before it have; write label, tab, members");
  EXPECT_EQ(refused("b c\na\tb"),
            "f.sets:2:1: this line has a tab behind a label, but those before it have none; label every "
            "line, or none");
  EXPECT_EQ(refused("a\t1,2 3,4\na\t5,x"),
            "f.sets:2:3: '5,x' is not a vector: numbers joined by commas, such as 1.5,-2");
  EXPECT_EQ(refused("a\t1,2 3,4\na\t5"),
            "f.sets:2:3: '5' has 1 number, but the first member of the file has 2; all must have as many");
  EXPECT_EQ(refused("1,2 inf,3"),
            "f.sets:1:5: 'inf,3' is not a vector: numbers joined by commas, such as 1.5,-2");
  EXPECT_EQ(refused("  "),
            "f.sets:1:1: there are no sets; write one a line, its members separated by spaces");
  EXPECT_EQ(refused(""), "f.sets:1:1: the file is empty; rows of data are needed");
  EXPECT_NE(refused("\ta\nx\tb").find("f.sets:1:1: label '' is missing"), std::string::npos);
}

TEST(SetsReader, LeavesOutSetsWithoutALabelWhereAsked) {
  const Dataset data = sets("\ta\nx\tb\ny\tc\n", {.missing = Missing::drop});
  ASSERT_EQ(data.rows(), 2u);
  EXPECT_EQ(data.points.objects()[0].texts()[0], "b");
  EXPECT_EQ(data.target.codes, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(said(data.notes), (std::vector<std::string>{"dropped 1 of 3 rows: no target"}));
  EXPECT_EQ(refused("\ta\n\tb", {.missing = Missing::drop}),
            "f.sets:1:1: every line lacks a label; fill them in, or set the target to none");
}

TEST(SetsReader, RefusesOptionsOfTables) {
  EXPECT_NE(refused("a\tb", {.target = "kind"}, ErrorKind::usage)
                .find("a file of sets has its target in front of every line"),
            std::string::npos);
  EXPECT_EQ(refused("a\tb", {.weights = "w"}, ErrorKind::usage),
            "f.sets: a file of sets has no weights; leave them out");
  EXPECT_NE(refused("a\tb", {.bag = "id"}, ErrorKind::usage).find("a file of sets has a set a line"),
            std::string::npos);
}

TEST(SetsReader, TakesASetOfAMillion) {
  std::string text = "x\t";
  for (int i = 0; i < 1'000'000; ++i) text += std::to_string(i) + ",1 ";
  EXPECT_EQ(sets(text).points.objects()[0].bags().size(0), 1'000'000u);
}

void write_text(const std::string& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

TEST(SetsWriter, WritesWhatIsReadBack) {
  const ScratchFolder folder;
  for (const std::string text :
       {"fruit\tapple pear apple\nnone\t\n", "1.5\t1,2 3,4.25\n2.5\t\n", "a b\nc\n", "1,2\n3,4 5,6\n"}) {
    write_text(folder / "in.sets", text);
    write(folder / "out.sets", read(folder / "in.sets"));
    EXPECT_EQ(mercer::bytes_of(folder / "out.sets"), text);
  }
}

TEST(SetsWriter, RefusesWhatWouldNotReadBack) {
  const ScratchFolder folder;
  const auto refused = [&](const Dataset& data) {
    return refusal(ErrorKind::data, [&] { write(folder / "out.sets", data); });
  };
  Dataset data;
  data.points = Points(Objects("set", Domain::symbols, std::vector<std::string>{"a", ""}));
  EXPECT_NE(refused(data).find("set 2 is empty"), std::string::npos);
  data.target = {.task = Task::classification, .name = "y", .labels = {"a\tb", "NA"}, .codes = {0, 1}};
  EXPECT_NE(refused(data).find("would not read back from a file of sets"), std::string::npos);
  data.target = {};
  data.weights = {1, 2};
  EXPECT_NE(refused(data).find("holds no weights"), std::string::npos);
  EXPECT_NE(refused(generate("moons", {.n = 4})).find("holds one column of sets and nothing else"),
            std::string::npos);
  EXPECT_EQ(folder.entries(), 0u) << "nothing is left behind";
}

TEST(SetsWriter, ATableOfSetsHasARowForEachMember) {
  const ScratchFolder folder;
  const Dataset data = generate("sets", {.n = 4});
  write(folder / "sets.csv", data);
  const std::string text = mercer::bytes_of(folder / "sets.csv");
  EXPECT_EQ(text.substr(0, text.find('\n')), "bag,x1,x2,y");
  EXPECT_EQ(std::size_t(std::count(text.begin(), text.end(), '\n')),
            1 + data.points.objects()[0].bags().starts[4]);
}

}  // namespace
}  // namespace mercer

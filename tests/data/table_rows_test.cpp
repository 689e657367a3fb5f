#include <fmt/format.h>
#include <gtest/gtest.h>

#include "data/scratch.hpp"
#include "data/table_rows.hpp"

namespace mercer {
namespace {

using testing::csv;
using testing::csv_refusal;

void expect_row_refusal(std::string_view text, const std::string& message, const ReadOptions& options = {}) {
  for (const std::size_t chunk : {std::size_t(1), std::size_t(9), default_chunk_bytes})
    for (const int threads : {1, 3}) {
      ReadOptions chosen = options;
      chosen.threads = threads;
      EXPECT_EQ(csv_refusal(text, chosen, chunk), message) << text;
    }
}

TEST(TableRows, RowsAreAsLongAsTheHeader) {
  expect_row_refusal("a,b,c\n1,2,3\n4,5\n", "f:3:1: the row has 2 fields; the header has 3");
  expect_row_refusal("a,b,c\n1,2,3\n4,5,6,7\n", "f:3:1: the row has 4 fields; the header has 3");
  expect_row_refusal("1,2\n3,4\n5,6,\n", "f:3:1: the row has 3 fields; the first row has 2");
  expect_row_refusal("a,b\n1,2\n5,\"6\n7\",8\n", "f:3:1: the row has 3 fields; the header has 2");
}

TEST(TableRows, CellsThatAreNoNumbers) {
  std::string text = "a,b\n";
  for (int i = 0; i < 1000; ++i) text += "1,2\n";
  expect_row_refusal(text + "3, x\n",
                     "f:1002:4: 'x' is not a number; column 'b' holds numbers; a missing one is left empty");
  expect_row_refusal("a,b\n1,2\n3,NA\n",
                     "f:3:3: 'NA' is a missing value; fill it in, or set missing to mean or drop");
  expect_row_refusal("a,b\n1,2\n,3\n",
                     "f:3:1: '' is a missing value; fill it in, or set missing to mean or drop");
  expect_row_refusal("a,b\n1,2\ninf,3\n",
                     "f:3:1: 'inf' is not finite; use a finite number, or set missing to mean or drop");
  expect_row_refusal("a,b\n1,2\n1e400,3\n",
                     "f:3:1: '1e400' is too large for a double; the largest is 1.7976931348623157e+308");
  expect_row_refusal("a,b\n1,2\n1e39,3\n", "f:3:1: '1e39' is too large for a float32; use float64",
                     {.precision = Precision::float32});
}

TEST(TableRows, QuotesOutOfPlace) {
  expect_row_refusal(
      "a,b\n1,2\n3,4\"\n5,6\n",
      "f:3:4: a quote inside a field; put the whole field between quotes and double the quote in it");
  expect_row_refusal("a,b\n1,2\n3,\"4\n5,6\n",
                     "f:3:3: a quote is opened and never closed; close it, or double a quote that is text");
}

TEST(TableRows, WeightsAreNumbersFromZero) {
  expect_row_refusal("a,w\n1,2\n3,-4\n", "f:3:3: weight '-4' is negative; weights are 0 or more",
                     {.weights = "w"});
  expect_row_refusal("a,w\n1,2\n3,x\n", "f:3:3: 'x' is not a number; a weight is a number, 0 or more",
                     {.weights = "w"});
  expect_row_refusal("a,w\n1,2\n3,\n",
                     "f:3:3: '' is a missing value; fill it in, or set missing to mean or drop",
                     {.weights = "w", .missing = Missing::mean});
  EXPECT_EQ(csv("a,w\n1,2\n3,\n", {.weights = "w", .missing = Missing::drop}).weights,
            std::vector<double>{2});
}

TEST(TableRows, LabelsMayHoldQuotesAndLineEnds) {
  const Dataset data = csv("x,y\n1,\"a \"\"b\"\"\nc\"\n2,d\n", {}, 3);
  EXPECT_EQ(data.target.labels, (std::vector<std::string>{"a \"b\"\nc", "d"}));
}

TEST(TableRows, RecordsAreCountedAsTheyAreParsed) {
  EXPECT_EQ(count_records("1,2\n\n3,4\n", false), 2u);
  EXPECT_EQ(count_records("1\n\n3", true), 3u);
  EXPECT_EQ(count_records("\"a\nb\",1\r\n\r\n\"\"\"\",2", false), 2u);
  EXPECT_EQ(count_records("", false), 0u);
}

TableLayout layout_of(std::size_t columns, TableColumn::Role role) {
  TableLayout layout;
  for (std::size_t j = 0; j < columns; ++j) {
    layout.columns.emplace_back().name = fmt::format("c{}", j);
    layout.columns.back().role = role;
  }
  return layout;
}

TEST(CellNotes, TheExampleIsTheFirstOfTheFile) {
  CellsOfColumns later, earlier;
  later[0].add_strange("late");
  later[0].add_strange("later");
  earlier[0].add_strange("early");
  const std::vector<CellsOfColumns> pieces{{}, earlier, {{0, {.missing = 4}}}, later};
  EXPECT_EQ(
      cell_notes(pieces, layout_of(1, TableColumn::Role::numeric), false),
      std::vector<std::string>{"column 'c0': 3 cells are no number, such as 'early': taken as missing"});
  EXPECT_EQ(cell_notes(pieces, layout_of(1, TableColumn::Role::numeric), true).back(),
            "missing numbers take the mean of their column: 'c0' (4)");
}

TEST(CellNotes, MissingTextsHaveACategoryOrNone) {
  TableLayout layout = layout_of(2, TableColumn::Role::categorical);
  layout.columns[1].category_number.emplace(missing_category, 0);
  EXPECT_EQ(cell_notes({{{0, {.missing = 1}}, {1, {.missing = 2}}}}, layout, true),
            (std::vector<std::string>{
                "missing texts are a category of their own: 'c1' (2)",
                "missing texts in columns that had none before are no known category: 'c0' (1)"}));
}

TEST(CellNotes, ManyColumnsAreNotAllNamed) {
  CellsOfColumns found;
  for (std::size_t j = 0; j < 30; ++j) {
    found[j].missing = 1;
    found[j].add_strange("x");
  }
  const std::vector<std::string> sentences =
      cell_notes({found}, layout_of(30, TableColumn::Role::date), true);
  ASSERT_EQ(sentences.size(), 22u);
  EXPECT_EQ(sentences[0], "column 'c0': 1 cell is no date, such as 'x': taken as missing");
  EXPECT_EQ(sentences[20], "10 more columns hold such cells");
  EXPECT_EQ(sentences[21].substr(sentences[21].size() - 20), "'c9' (1) and 20 more");
}

TEST(CellNotes, NothingFoundNothingSaid) { EXPECT_TRUE(cell_notes({}, {}, true).empty()); }

}  // namespace
}  // namespace mercer

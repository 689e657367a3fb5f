#include <fmt/format.h>

#include "data/scratch.hpp"
#include "data/table_kinds.hpp"

namespace mercer {
namespace {

using testing::csv;
using testing::csv_refusal;
using testing::refusal;

std::vector<ColumnSurvey> survey_of(std::string_view text, std::size_t chunk = default_chunk_bytes,
                                    int threads = 1) {
  const TextSource source("f", text);
  TableLayout layout = lay_out(source, {.target = "none", .tolerant = true}, ',');
  return survey(source, cut_at_records(source, layout.body, chunk, threads), threads, layout,
                std::vector<char>(layout.columns.size(), 1));
}

TEST(TableSurvey, CountsWhatTheCellsAre) {
  const auto columns = survey_of(
      "a,b,c,d\n1,x y,2024-01-31,\n2,\"p \"\"q\"\" r\",2024-02-01,NA\ninf,x y,,?\n 4 ,5,2024-02-01,null\n");
  EXPECT_EQ(columns[0].numbers, 3u);
  EXPECT_EQ(columns[0].missing, 1u);
  EXPECT_EQ(columns[0].least, 1);
  EXPECT_EQ(columns[0].greatest, 4);
  EXPECT_TRUE(columns[0].whole);
  EXPECT_FALSE(columns[0].counts_up);
  EXPECT_FALSE(columns[0].repeats);
  EXPECT_EQ(columns[1].texts, 3u);
  EXPECT_EQ(columns[1].numbers, 1u);
  EXPECT_EQ(columns[1].words, 7u);
  EXPECT_EQ(columns[1].bytes, 13u);
  EXPECT_EQ(std::vector(columns[1].different.begin(), columns[1].different.end()),
            (std::vector<std::string>{"p \"q\" r", "x y"}));
  EXPECT_EQ(columns[2].dates.order(columns[2].texts), Schema::Dates::year_first);
  EXPECT_EQ(columns[3].missing, 4u);
}

TEST(TableSurvey, NumbersThatRepeatOrCountUp) {
  const auto columns = survey_of("a,b,c\n5,1,0\n6,3,-0\n7,1,2\n");
  EXPECT_TRUE(columns[0].counts_up);
  EXPECT_EQ(columns[0].first, 5);
  EXPECT_FALSE(columns[0].repeats);
  EXPECT_TRUE(columns[1].repeats);
  EXPECT_TRUE(columns[2].repeats);
}

TEST(TableSurvey, PiecesAddUpToTheWhole) {
  Random random(4);
  for (int round = 0; round < 30; ++round) {
    std::string text = "id,x,word,when\n";
    const std::size_t rows = 1 + random.below(150);
    for (std::size_t i = 0; i < rows; ++i)
      text += fmt::format("{},{},w{},{}\n", i + random.below(round % 3 + 1),
                          random.below(5) ? fmt::format("{}", random.normal()) : "", random.below(9),
                          random.below(7) ? "2024-01-31" : "soon");
    const auto whole = survey_of(text);
    for (const std::size_t chunk : {1, 40, 300})
      for (const int threads : {1, 3}) {
        const auto parts = survey_of(text, chunk, threads);
        for (std::size_t j = 0; j < whole.size(); ++j) {
          const ColumnSurvey &a = whole[j], &b = parts[j];
          EXPECT_EQ(std::tuple(a.missing, a.numbers, a.texts, a.least, a.greatest, a.first, a.last, a.words),
                    std::tuple(b.missing, b.numbers, b.texts, b.least, b.greatest, b.first, b.last, b.words));
          EXPECT_EQ(std::tuple(a.counts_up, a.whole, a.repeats, a.different),
                    std::tuple(b.counts_up, b.whole, b.repeats, b.different));
          EXPECT_EQ(a.dates.order(a.texts), b.dates.order(b.texts));
        }
      }
  }
}

const ReadOptions tolerant{.target = "y", .missing = Missing::automatic, .tolerant = true};

std::vector<std::string> names_in(const Schema& schema) {
  std::vector<std::string> names;
  for (const Schema::Column& column : schema.columns) names.push_back(column.name);
  return names;
}

/// A table of 20 rows from a cell for each row.
std::string table(const std::string& header, const std::function<std::string(int)>& row, int rows = 20) {
  std::string text = header + "\n";
  for (int i = 0; i < rows; ++i) text += row(i) + "\n";
  return text;
}

/// Reads columns x (numbers), c (the cells given) and y, and gives the notes.
Dataset with_column(const std::function<std::string(int)>& cell, const std::string& name = "c",
                    ReadOptions options = tolerant, int rows = 20) {
  return csv(
      table(
          "x," + name + ",y", [&](int i) { return fmt::format("{}.5,{},{}", i * i, cell(i), i % 2); }, rows),
      options, 100);
}

std::string note_of(const Dataset& data) { return data.notes.empty() ? "" : data.notes.front().said(); }

TEST(TableKinds, ColumnsThatTellNothingAreLeftOut) {
  const auto expect = [](const Dataset& data, const std::string& note) {
    EXPECT_EQ(said(data.notes), std::vector<std::string>{note});
    EXPECT_EQ(names_in(data.schema), std::vector<std::string>{"x"});
    EXPECT_EQ(data.schema.left_out, std::vector<std::string>{"c"});
    EXPECT_EQ(data.points.cols(), 1u);
  };
  expect(with_column([](int) { return ""; }), "column 'c' is dropped: it has no values");
  expect(with_column([](int i) { return i % 2 ? "NA" : "?"; }), "column 'c' is dropped: it has no values");
  expect(with_column([](int) { return "7"; }), "column 'c' is dropped: it has the same value in every row");
  expect(with_column([](int i) { return i % 3 ? "7.0" : ""; }),
         "column 'c' is dropped: it has the same value in every row");
  expect(with_column([](int) { return "red"; }), "column 'c' is dropped: it has the same value in every row");
  expect(with_column([](int) { return "2024-01-31"; }),
         "column 'c' is dropped: it has the same value in every row");
  expect(with_column([](int i) { return fmt::format("{}", i); }),
         "column 'c' is dropped: it numbers the rows; ask for it to be kept");
  expect(with_column([](int i) { return fmt::format("{}", i + 1); }),
         "column 'c' is dropped: it numbers the rows; ask for it to be kept");
  for (const char* name : {"user", "Smith Mr. John Henry "})
    expect(with_column([&](int i) { return fmt::format("{}{}", name, i); }),
           "column 'c' is dropped: it looks like an ID, with texts that differ from row to row");
  expect(with_column([](int i) { return fmt::format("this is the review of number {}", i); }),
         "column 'c' is dropped: it holds prose; a kernel of texts can use it, as in normalize(bow)@COLUMN");
  expect(with_column([](int i) { return std::string(20, 'a') + fmt::format("cgt{:04}", i); }),
         "column 'c' is dropped: it holds long texts that differ from row to row; if they are sequences, "
         "such as DNA, a kernel of sequences can use it, as in normalize(spectrum(k=4))@COLUMN");
  expect(with_column([](int i) { return fmt::format("{:02}/02/2024", 1 + i % 5); }),
         "column 'c' is dropped: its dates may have the day or the month first; write 2024-01-31");
  expect(with_column([](int i) { return fmt::format("c{}", i % 1100); }, "c", tolerant, 4400),
         "column 'c' is dropped: it holds more than 1000 different texts");
}

TEST(TableKinds, ColumnsThatTellSomethingAreKept) {
  const auto columns = [](const std::function<std::string(int)>& cell, const std::string& name = "c",
                          int rows = 20) {
    const Dataset data = with_column(cell, name, tolerant, rows);
    EXPECT_TRUE(data.notes.empty()) << note_of(data);
    return data.points.cols();
  };
  EXPECT_EQ(columns([](int i) { return i % 3 ? "yes" : "no"; }), 3u);
  EXPECT_EQ(columns([](int i) { return i % 3 ? "true" : "false"; }), 3u);
  // In order, but not from 0 or 1.
  EXPECT_EQ(columns([](int i) { return fmt::format("{}", 1990 + i); }, "year"), 2u);
  // All different, but not in order.
  EXPECT_EQ(columns([](int i) { return fmt::format("{}", i * 7 % 20); }), 2u);
  EXPECT_EQ(columns([](int i) { return fmt::format("{}", i); }, "c", 9), 2u);  // too few rows to tell
  EXPECT_EQ(columns([](int i) { return fmt::format("n{}", i); }, "c", 10), 11u);
  EXPECT_EQ(columns([](int i) { return fmt::format("n{}", i % 12); }, "c", 24), 13u);  // each text twice
  EXPECT_EQ(columns([](int) { return "7"; }, "c", 1), 2u);
}

TEST(TableKinds, IdentifiersByNameNeedNotCount) {
  const auto cell = [](int i) { return fmt::format("{}", 1000 + i * 7 % 20); };
  for (const char* name : {"id", "ID", "Index", "user_id", "PassengerId", "customerID", "Unnamed: 0"})
    EXPECT_EQ(note_of(with_column(cell, name)),
              fmt::format("column '{}' is dropped: it looks like an ID, with a different number in each row; "
                          "ask for it to be kept",
                          name));
  for (const char* name : {"humid", "paid", "ACID", "size", "i"})
    EXPECT_TRUE(with_column(cell, name).notes.empty()) << name;
  EXPECT_TRUE(with_column([](int i) { return fmt::format("{}", i % 5); }, "id").notes.empty());
  EXPECT_TRUE(with_column([](int i) { return fmt::format("{}.5", i); }, "id").notes.empty());
  EXPECT_TRUE(names_an_identifier("row_id"));
  EXPECT_FALSE(names_an_identifier(""));
  EXPECT_FALSE(names_an_identifier("x"));
}

TEST(TableKinds, NumbersThatCountTheRowsAreTheXOfACurve) {
  const Dataset curve =
      csv(table("t,y", [](int i) { return fmt::format("{},{}", i, i * i * 0.5); }), tolerant);
  EXPECT_EQ(curve.points.cols(), 1u);
  EXPECT_TRUE(curve.notes.empty());
}

TEST(TableKinds, DatesAreDays) {
  const Dataset data = with_column([](int i) { return fmt::format("1970-01-{:02}", 1 + i); });
  EXPECT_EQ(said(data.notes),
            std::vector<std::string>{"column 'c' holds dates: days since 1970-01-01 are learned from"});
  EXPECT_EQ(data.points.names(), (std::vector<std::string>{"x", "c"}));
  EXPECT_EQ(data.points.row(3)[1], 3);
  EXPECT_EQ(data.schema.columns[1].dates, Schema::Dates::year_first);
  EXPECT_EQ(data.schema.columns[1].mean, 9.5);
  const Dataset german = with_column([](int i) { return fmt::format("{:02}.01.1970", 1 + i); });
  EXPECT_EQ(german.points.row(3)[1], 3);
  EXPECT_EQ(german.schema.columns[1].dates, Schema::Dates::day_first);
  const Dataset later = csv("c,x\n05.01.1970,1\n,2\nsoon,3\n2024-01-31,4\n",
                            {.missing = Missing::automatic, .tolerant = true, .schema = &german.schema});
  EXPECT_EQ(later.points.row(0), (std::vector<double>{1, 4}));
  for (const std::size_t row : {1, 2, 3}) EXPECT_EQ(later.points.row(row)[1], 9.5);
  EXPECT_EQ(said(later.notes),
            (std::vector<std::string>{"column 'c': 2 cells are no date, such as 'soon': taken as missing",
                                      "missing numbers take the mean of their column: 'c' (1)"}));
  EXPECT_EQ(csv_refusal("c,x\nsoon,1\n", {.schema = &german.schema}),
            "f:2:1: 'soon' is not a date; column 'c' holds dates; a missing one is left empty");
  EXPECT_EQ(csv_refusal("c,x\n,1\n", {.schema = &german.schema}),
            "f:2:1: '' is a missing value; fill it in, or set missing to mean or drop");
  const Dataset dropped =
      csv("c,x\n05.01.1970,1\n,2\n", {.missing = Missing::drop, .schema = &german.schema});
  EXPECT_EQ(dropped.rows(), 1u);
}

TEST(TableKinds, AFewTextsAmongNumbersAreMissing) {
  const auto unknown = [](int i) { return i % 4 == 1 ? "unknown" : fmt::format("{}", i * i); };
  const Dataset data = with_column(unknown);
  EXPECT_EQ(said(data.notes), std::vector<std::string>{
                                  "column 'c': 5 cells are no number, such as 'unknown': taken as missing"});
  EXPECT_EQ(data.points.row(1)[1], data.schema.columns[1].mean);
  ReadOptions refuse = tolerant;
  refuse.missing = Missing::refuse;
  EXPECT_EQ(refusal([&] { with_column(unknown, "c", refuse); }),
            "f:3:5: 'unknown' is not a number; column 'c' holds numbers; a missing one is left empty");
  // Many kinds of texts: a code that is a number at times.
  EXPECT_EQ(
      note_of(with_column([](int i) { return i % 3 ? fmt::format("{}", i * i) : fmt::format("A/{}", i); },
                          "c", tolerant, 60)),
      "column 'c' is dropped: it looks like an ID, with texts that differ from row to row");
}

TEST(TableKinds, KeepAndDropDecide) {
  ReadOptions options = tolerant;
  options.keep = {"c"};
  const Dataset kept = with_column([](int i) { return fmt::format("{}", i); }, "c", options);
  EXPECT_TRUE(kept.notes.empty());
  EXPECT_EQ(kept.points.cols(), 2u);
  EXPECT_EQ(note_of(with_column([](int) { return ""; }, "c", options)),
            "column 'c' is dropped: it has no values");
  options.keep = {};
  for (const char* choice : {"c", "2", "-2"}) {
    options.drop = {choice};
    const Dataset dropped = with_column([](int i) { return fmt::format("{}", i % 3); }, "c", options);
    EXPECT_EQ(dropped.points.names(), std::vector<std::string>{"x"});
    EXPECT_EQ(dropped.schema.left_out, std::vector<std::string>{"c"});
    EXPECT_TRUE(dropped.notes.empty());
  }
}

TEST(TableKinds, ManyColumnsShareANote) {
  std::string header = "x,y", row;
  for (int j = 0; j < 15; ++j) header += fmt::format(",e{}", j);
  const Dataset data =
      csv(table(header, [](int i) { return fmt::format("{}.5,{}", i * i, i % 2) + std::string(15, ','); }),
          tolerant);
  EXPECT_EQ(said(data.notes),
            std::vector<std::string>{"columns 'e0', 'e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8', 'e9' and "
                                     "5 more are dropped: they have no values"});
}

TEST(TableKinds, SomethingMustBeLeft) {
  EXPECT_EQ(
      csv_refusal(table("name,empty,y", [](int i) { return fmt::format("n{},,{}", i, i % 2); }), tolerant),
      "f:1:1: there is no column to learn from: column 'empty' is dropped: it has no values; column 'name' "
      "is dropped: it looks like an ID, with texts that differ "
      "from row to row; add one, or keep one of them");
  EXPECT_EQ(csv_refusal("y\n1\n2\n", tolerant),
            "f:1:1: there is no column to learn from; add one, or keep one of them");
}

}  // namespace
}  // namespace mercer

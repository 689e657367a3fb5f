#include <fmt/format.h>

#include <sstream>

#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::csv;
using testing::csv_refusal;
using testing::damage;
using testing::expect_same;

/// A table of numbers with a categorical column, some cells quoted, some lines blank.
std::string random_table(Random& random, std::size_t rows, std::size_t cols) {
  std::string text;
  for (std::size_t j = 0; j < cols; ++j) text += fmt::format("x{},", j);
  text += "color,y\n";
  const char* const line_end = random.below(2) ? "\n" : "\r\n";
  for (std::size_t i = 0; i < rows; ++i) {
    if (random.below(9) == 0) text += line_end;
    for (std::size_t j = 0; j < cols; ++j) {
      const std::string number =
          random.below(2) ? fmt::format("{}", random.normal()) : fmt::format("{:.3e}", random.normal());
      switch (random.below(8)) {
        case 0:
          text += "\"" + number + "\",";
          break;
        case 1:
          text += " " + number + " ,";
          break;
        default:
          text += number + ",";
          break;
      }
    }
    static constexpr const char* colors[] = {"red", "\"dark, blue\"", "\"a\nb\"", "\"\"\"q\"\"\""};
    text += colors[i < 4 ? i : random.below(4)];
    text += fmt::format(",{}", random.below(3)) + line_end;
  }
  return text;
}

TEST(TableReader, ChunksAndThreadsDoNotShow) {
  Random random(9);
  for (int round = 0; round < 100; ++round) {
    const std::string text = random_table(random, 1 + random.below(30), 1 + random.below(5));
    const ReadOptions options{.task = Task::classification, .threads = 1};
    const Dataset whole = csv(text, options);
    for (const std::size_t chunk : {1, 13, 100})
      for (const int threads : {1, 2, 4}) {
        ReadOptions chosen = options;
        chosen.threads = threads;
        const Dataset data = csv(text, chosen, chunk);
        expect_same(data, whole);
        EXPECT_EQ(data.points.names(), whole.points.names());
        for (std::size_t j = 0; j < whole.schema.columns.size(); ++j)
          EXPECT_EQ(data.schema.columns[j].mean, whole.schema.columns[j].mean);
      }
  }
}

TEST(TableReader, AgreesWithANaiveReader) {
  Random random(10);
  for (int round = 0; round < 100; ++round) {
    const std::size_t rows = 1 + random.below(200), cols = 1 + random.below(6);
    std::string text;
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < cols; ++j)
        text += fmt::format("{}{}", random.normal() * std::pow(10, double(random.below(30)) - 15),
                            j + 1 < cols ? "," : "\n");
    const Dataset data = csv(text, {}, 50);
    ASSERT_EQ(data.rows(), rows);
    std::istringstream lines(text);
    std::string line;
    for (std::size_t i = 0; std::getline(lines, line); ++i) {
      std::istringstream cells(line);
      std::vector<double> expected;
      for (std::string cell; std::getline(cells, cell, ',');)
        expected.push_back(std::strtod(cell.c_str(), nullptr));
      ASSERT_EQ(data.points.row(i), expected);
    }
  }
}

TEST(TableReader, MissingValuesAreFilledWithTheMeanOrDropped) {
  const std::string text = "a,b,y\n1,2,0\n,4,1\n3,?,0\n8,inf,1\n";
  const Dataset filled = csv(text, {.missing = Missing::mean}, 8);
  EXPECT_EQ(filled.points.row(1), (std::vector<double>{4, 4}));
  EXPECT_EQ(filled.points.row(2), (std::vector<double>{3, 3}));
  EXPECT_EQ(filled.points.row(3), (std::vector<double>{8, 3}));
  EXPECT_EQ(filled.schema.columns[0].mean, 4);
  const Dataset later = csv("a,b\n,\n", {.missing = Missing::mean, .schema = &filled.schema});
  EXPECT_EQ(later.points.row(0), (std::vector<double>{4, 3}));
  const Dataset kept = csv(text, {.missing = Missing::drop}, 8);
  EXPECT_EQ(kept.points.row(0), (std::vector<double>{1, 2}));
  EXPECT_EQ(kept.target.size(), 1u);
  EXPECT_EQ(csv_refusal("a,b\n1,\n2,\n", {.missing = Missing::mean}),
            "f: column 'b' has no values, so no mean; remove the column");
}

TEST(TableReader, MissingValuesByTheKindOfTheirColumn) {
  const std::string text = "a,b,c,y\n1,red,p,0\n,?,q,1\n3,,p,\n8,blue,q,1\n";
  const ReadOptions options{.missing = Missing::automatic};
  for (const std::size_t chunk : {5, 1000}) {
    const Dataset data = csv(text, options, chunk);
    EXPECT_EQ(data.points.names(), (std::vector<std::string>{"a", "b=?", "b=blue", "b=red", "c=p", "c=q"}));
    ASSERT_EQ(data.rows(), 3u);
    EXPECT_EQ(data.points.row(1), (std::vector<double>{4, 1, 0, 0, 0, 1}));
    EXPECT_EQ(data.points.row(2), (std::vector<double>{8, 0, 1, 0, 0, 1}));
    EXPECT_EQ(data.target.codes, (std::vector<std::int32_t>{0, 1, 1}));
    EXPECT_EQ(said(data.notes),
              (std::vector<std::string>{"missing numbers take the mean of their column: 'a' (1)",
                                        "missing texts are a category of their own: 'b' (2)",
                                        "dropped 1 of 4 rows: no target"}));
    const Dataset later = csv("c,b,a\n,,\n", {.missing = Missing::automatic, .schema = &data.schema});
    EXPECT_EQ(later.points.row(0), (std::vector<double>{4, 1, 0, 0, 0, 0}));
  }
  EXPECT_EQ(
      said(csv("a,w,y\n1,2,0\n3,,1\n5,1,\n7,1,1\n", {.weights = "w", .missing = Missing::automatic}).notes),
      std::vector<std::string>{"dropped 2 of 4 rows: no target or weight"});
  EXPECT_EQ(csv_refusal("a,y\n1,\n2,\n", options), "f: every row lacks a target; fill it in");
  EXPECT_EQ(csv_refusal("a,b,y\n1,,2\n2,,3\n", options),
            "f: column 'b' has no values, so no mean; remove the column");
}

TEST(TableReader, ATenThousandColumnTableIsReadWithoutLookingEachNameUpInAll) {
  constexpr std::size_t columns = 10000;
  std::string text;
  for (std::size_t j = 0; j < columns; ++j)
    text += fmt::format("{}x{}", j ? "," : "", j % 5000);  // half of the names twice
  for (int i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < columns; ++j)
      text += fmt::format("{}{}", j ? "," : "\n", j * (std::size_t(i) + 1));
  const Dataset data = csv(text, {.target = "x3", .tolerant = true});
  EXPECT_EQ(data.points.cols(), columns - 2);  // without the target and the first, which is 0 in every row
  EXPECT_EQ(data.points.name(columns - 3), "x4999.2");
  const Dataset again = csv(text, {.tolerant = true, .schema = &data.schema});
  expect_same(again, data);
}

TEST(TableReader, MeansAreRememberedOfCompleteTablesToo) {
  const Dataset data = csv("a,b\n1,5\n3,6\n");
  EXPECT_EQ(data.schema.columns[0].mean, 2);
  EXPECT_EQ(data.schema.columns[1].mean, 5.5);
}

TEST(TableReader, ABlankLineOfOneColumnIsAMissingCell) {
  EXPECT_EQ(csv_refusal("a\n1\n\n3\n"),
            "f:3:1: '' is a missing value; fill it in, or set missing to mean or drop");
  EXPECT_EQ(csv("a\n1\n\n3\n\n\n", {.missing = Missing::mean}, 2).points.row(1), std::vector<double>{2});
  EXPECT_EQ(csv("a,b\n\n1,2\n\r\n\n3,4\n", {}, 3).rows(), 2u);
}

TEST(TableReader, ThereMustBeAColumnToLearnFrom) {
  EXPECT_EQ(csv_refusal("y\n1\n2\n"), "f:1:1: there is no column beside the target and the weights; add one");
}

TEST(TableReader, TabsSeparateAsCommasDo) {
  const Dataset data = read_table(TextSource("f", "a\tname\n1\tx y\n2\t\"p\tq\"\n3\tx y"), {}, '\t');
  EXPECT_EQ(data.points.names(), (std::vector<std::string>{"a", "name=p\tq", "name=x y"}));
}

TEST(TableReader, FloatsOnDemand) {
  const Dataset data = csv("a\n0.1\n", {.precision = Precision::float32});
  EXPECT_EQ(std::get<Dense<float>>(data.points.storage()).values[0], 0.1f);
}

TEST(TableReader, DamagedTablesAreReadOrRefusedButNeverCrash) {
  Random random(11);
  static constexpr std::string_view bytes = "0123456789.,-+e\n\r\t\"\" ?x";
  for (int round = 0; round < 4000; ++round) {
    std::string text = random_table(random, 1 + random.below(8), 1 + random.below(3));
    damage(text, bytes, random);
    const ReadOptions options{.missing = Missing(random.below(4)),
                              .tolerant = random.below(2) == 1,
                              .precision = Precision(random.below(2))};
    std::string first;
    for (const auto& [chunk, threads] :
         {std::pair{default_chunk_bytes, 1}, {std::size_t(20), 1}, {std::size_t(7), 2}}) {
      ReadOptions chosen = options;
      chosen.threads = threads;
      std::string notes;
      const std::string message = testing::refusal([&] {
                                    for (const std::string& note : said(csv(text, chosen, chunk).notes))
                                      notes += "; " + note;
                                  }) +
                                  notes;
      if (first.empty()) first = message;
      ASSERT_EQ(message, first) << text;
    }
  }
}

TEST(TableReader, DamagedTablesFitASchemaOrAreRefused) {
  Random random(12);
  std::string training = "when,x,color,y\n";
  for (int i = 0; i < 12; ++i)
    training += fmt::format("{}.02.2024,{},{},{}\n", i + 1, i % 3 ? fmt::format("{}", i * i) : "",
                            i % 2 ? "red" : "", i % 2);
  const Schema schema = csv(training, {.missing = Missing::automatic, .tolerant = true}).schema;
  ASSERT_EQ(schema.columns[0].dates, Schema::Dates::day_first);
  for (int round = 0; round < 4000; ++round) {
    std::string text = training;
    damage(text, "0123456789.,-+e\n\r\t\"\" ?x", random);
    const ReadOptions options{
        .missing = Missing(random.below(4)), .tolerant = random.below(2) == 1, .schema = &schema};
    const std::string whole = csv_refusal(text, options), pieces = csv_refusal(text, options, 9);
    ASSERT_EQ(whole, pieces) << text;
    ASSERT_TRUE(whole != "no error" || csv(text, options).points.cols() == 4) << text;
  }
}

TEST(TableReader, ReadsPublicData) {
  const auto folder = testing::public_data();
  if (folder.empty()) GTEST_SKIP() << "the folder of public data is missing; set MERCER_DATA";
  const Dataset data = read((folder / "mil_musk1" / "musk1.csv").string(), {.target = "2"});
  EXPECT_EQ(data.rows(), 476u);
  EXPECT_EQ(data.points.cols(), 167u);
  EXPECT_EQ(data.target.labels.size(), 2u);
}

TEST(TableCategories, OneColumnPerCategoryNumbersFirst) {
  for (const std::size_t chunk : {1, 6, 100000}) {
    const Dataset data = csv("a,code\n1,x\n2,10\n3,\"b\"\"q\"\"\"\n4,9\n5,x\n6,b\n", {}, chunk);
    EXPECT_EQ(data.points.names(),
              (std::vector<std::string>{"a", "code=9", "code=10", "code=b", "code=b\"q\"", "code=x"}));
    EXPECT_EQ(data.points.row(0), (std::vector<double>{1, 0, 0, 0, 0, 1}));
    EXPECT_EQ(data.points.row(2), (std::vector<double>{3, 0, 0, 0, 1, 0}));
    EXPECT_EQ(data.schema.columns[1].categories, (std::vector<std::string>{"9", "10", "b", "b\"q\"", "x"}));
  }
}

TEST(TableCategories, UnknownCategoriesAreNamed) {
  const Schema schema = csv("a,color\n1,red\n2,green\n").schema;
  EXPECT_EQ(csv_refusal("a,color\n1,red\n2,purple\n", {.schema = &schema}),
            "f:3:3: unknown category 'purple' in column 'color'; known are 'green', 'red'");
}

TEST(TableCategories, MissingCategories) {
  const std::string text = "a,color\n1,red\n2,\n3,NA\n4,blue\n";
  EXPECT_EQ(csv_refusal(text), "f:3:3: '' is a missing value; fill it in, or set missing to mean or drop");
  const Dataset filled = csv(text, {.missing = Missing::mean});
  EXPECT_EQ(filled.points.row(1), (std::vector<double>{2, 0, 0}));
  const Dataset kept = csv(text, {.missing = Missing::drop});
  EXPECT_EQ(kept.rows(), 2u);
  EXPECT_EQ(kept.points.row(1), (std::vector<double>{4, 1, 0}));
}

TEST(TableCategories, AThousandAreTheMost) {
  std::string text = "a,id\n";
  for (int i = 0; i < 1000; ++i) text += fmt::format("1,t{}\n1,t{}\n", i, i);
  EXPECT_EQ(csv(text, {}, 500).points.cols(), 1001u);
  text += "1,one more\n";
  for (const std::size_t chunk : {std::size_t(300), default_chunk_bytes})
    EXPECT_EQ(csv_refusal(text, {}, chunk),
              "f:1:3: column 'id' holds more than 1000 different texts; remove it, or make it the target");
}

}  // namespace
}  // namespace mercer

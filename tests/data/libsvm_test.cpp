// Every refusal of LIBSVM text, with its place, whatever the size of the chunks.
#include <fmt/format.h>

#include <map>
#include <sstream>

#include "data/formats.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::damage;
using testing::expect_same;
using testing::libsvm;
using testing::libsvm_refusal;
using testing::refusal;
using testing::same_points;
using testing::Scratch;

struct NaiveRow {
  std::string label;
  std::map<long, double> entries;
};

/// An independent reader: streams and strtod, no chunks, no fast paths.
std::vector<NaiveRow> naive_rows(const std::string& text, bool& zero_based) {
  std::vector<NaiveRow> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream fields(line.substr(0, line.find('#')));
    NaiveRow row;
    if (!(fields >> row.label)) continue;
    for (std::string field; fields >> field;) {
      const std::size_t colon = field.find(':');
      const double value = std::strtod(field.c_str() + colon + 1, nullptr);
      zero_based |= std::stol(field) == 0;
      if (value != 0) row.entries[std::stol(field)] = value;
    }
    rows.push_back(row);
  }
  return rows;
}

std::string random_value(Random& random) {
  static constexpr const char* zeros[] = {"0", "0.0", "-0", "0e5", ".0", "+0"};
  switch (random.below(7)) {
    case 0:
      return zeros[random.below(6)];
    case 1:
      return std::to_string(random.below(10));
    case 2:
      return fmt::format("{}", random.normal());
    case 3:
      return fmt::format("{:.4f}", random.normal());
    case 4:
      return fmt::format("{:e}", random.normal() * 1e-20);
    case 5:
      return fmt::format("+{}", random.below(1000));
    default:
      return fmt::format("{}.", random.below(100));
  }
}

std::string random_text(Random& random, std::size_t rows, bool zero_based) {
  std::string text;
  const auto space = [&] { return std::string(1 + random.below(2), random.below(5) ? ' ' : '\t'); };
  for (std::size_t i = 0; i < rows; ++i) {
    if (random.below(12) == 0) text += random.below(2) ? "\n" : " \t\n";
    if (random.below(12) == 0) text += "# 1:2 a comment\n";
    if (random.below(12) == 0) text += space();
    text += fmt::format("{}", int(random.below(3)) - 1);
    std::uint64_t index = zero_based ? random.below(2) : 1 + random.below(3);
    for (std::uint64_t k = 0; k < random.below(12); ++k, index += 1 + random.below(9))
      text += space() + fmt::format("{}:{}", index, random_value(random));
    if (random.below(8) == 0) text += space();
    if (random.below(8) == 0) text += " # note 3:4 d:0 ";
    text += random.below(8) ? "\n" : "\r\n";
  }
  if (random.below(2) && !text.empty()) text.pop_back();
  return text;
}

void compare(const Dataset& data, const std::vector<NaiveRow>& rows, bool zero_based,
             const std::string& text) {
  ASSERT_EQ(data.rows(), rows.size()) << text;
  const Points points = data.points.to_sparse();  // those that are mostly non-zero are dense
  const auto& sparse = std::get<Sparse<double>>(points.storage());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(std::stod(data.target.labels[std::size_t(data.target.codes[i])]), std::stod(rows[i].label));
    ASSERT_EQ(sparse.starts[i + 1] - sparse.starts[i], rows[i].entries.size()) << text;
    std::size_t k = sparse.starts[i];
    for (const auto& [index, value] : rows[i].entries) {
      ASSERT_EQ(sparse.indices[k] + (zero_based ? 0 : 1), index) << text;
      ASSERT_EQ(sparse.values[k++], value) << text;
    }
  }
}

TEST(LibsvmReader, AgreesWithANaiveReaderOnRandomTexts) {
  Random random(7);
  for (int round = 0; round < 400; ++round) {
    const std::string text = random_text(random, 1 + random.below(40), round % 3 == 0);
    bool zero_based = false;
    const std::vector<NaiveRow> rows = naive_rows(text, zero_based);
    if (rows.empty()) continue;
    const Dataset whole = libsvm(text, {.task = Task::classification, .threads = 1});
    compare(whole, rows, zero_based, text);
    if (::testing::Test::HasFailure()) return;
    for (const std::size_t chunk : {1, 7, 64, 300})
      expect_same(libsvm(text, {.task = Task::classification, .threads = 1 + round % 3}, chunk), whole);
  }
}

TEST(LibsvmReader, AnIndexZeroAnywhereMakesAllCountFromZero) {
  EXPECT_EQ(libsvm("1 1:5\n1 2:6").points.row(0), (std::vector<double>{5, 0}));
  EXPECT_EQ(libsvm("1 1:5\n1 0:6", {}, 4).points.row(0), (std::vector<double>{0, 5}));
  EXPECT_EQ(libsvm("1 1:5\n1 0:0", {}, 4).points.row(0), (std::vector<double>{0, 5}));
  EXPECT_EQ(libsvm("1 1:5\n1 00:6", {}, 4).points.row(1), (std::vector<double>{6, 0}));
}

TEST(LibsvmReader, RowsMostlyNonZeroAreDense) {
  EXPECT_FALSE(libsvm("1 1:5 2:6\n1 2:7\n").points.sparse());
  EXPECT_TRUE(libsvm("1 1:5\n1 2:7\n").points.sparse());
  EXPECT_TRUE(libsvm("1 1:5 2:6\n1 2:0 3:0\n").points.sparse());  // a 0 that is written is a 0
  EXPECT_TRUE(libsvm("1 1:5 2:6\n1 2:7\n", {.columns = 4}).points.sparse());
  EXPECT_EQ(libsvm("1 1:5 2:6\n1 2:7\n", {.precision = Precision::float32}).points.row(1),
            (std::vector<double>{0, 7}));
}

TEST(LibsvmReader, WidthIsTheLargestIndexOrMore) {
  EXPECT_EQ(libsvm("1 4:1").points.cols(), 4u);
  EXPECT_EQ(libsvm("1 4:0").points.cols(), 4u);
  EXPECT_EQ(libsvm("1").points.cols(), 0u);
  EXPECT_EQ(libsvm("1 4:1", {.columns = 9}).points.cols(), 9u);
  EXPECT_EQ(libsvm("1 4:1", {.columns = 2}).points.cols(), 4u);
}

TEST(LibsvmReader, MissingValuesAreFilledOrTheirRowsDropped) {
  const std::string text = "1 1:4 2:nan\n2 1:inf\n1 1:2 2:6\n2 2:3";
  const Dataset filled = libsvm(text, {.missing = Missing::mean}, 8);
  EXPECT_EQ(filled.points.row(0), (std::vector<double>{4, 3}));  // 2: mean of 0, 6, 3
  EXPECT_EQ(filled.points.row(1), (std::vector<double>{2, 0}));  // 1: mean of 4, 2, 0
  const Dataset kept = libsvm(text, {.missing = Missing::drop}, 8);
  EXPECT_EQ(kept.rows(), 2u);
  EXPECT_EQ(kept.points.row(1), (std::vector<double>{0, 3}));
  EXPECT_EQ(libsvm_refusal("1 1:nan\n2 1:nan", {.missing = Missing::drop}),
            "f: every row has a missing value; set missing to mean");
  EXPECT_EQ(libsvm_refusal("1 1:nan\n2 1:nan", {.missing = Missing::mean}),
            "f: column 1 has no values, so no mean; remove the column");
}

TEST(LibsvmReader, RefusesOptionsThatLibsvmTextCannotMeet) {
  EXPECT_EQ(libsvm_refusal("1 1:1", {.target = "y"}),
            "f: target 'y' was asked for, but LIBSVM text has its target in front of every line; leave the "
            "target out, or "
            "set it to none");
  EXPECT_EQ(libsvm_refusal("1 1:1", {.weights = "w"}),
            "f: weights 'w' were asked for, but LIBSVM text has none; use .csv or .npz");
  EXPECT_EQ(libsvm_refusal("# only\n \n"), "f:1:1: the file has no rows; only comments or blank lines");
}

TEST(LibsvmReader, DamagedTextsAreReadOrRefusedButNeverCrash) {
  Random random(8);
  static constexpr std::string_view bytes = "0123456789:.-+e #\n\r\tqidnax\"";
  for (int round = 0; round < 4000; ++round) {
    std::string text = random_text(random, 1 + random.below(10), round % 2 == 0);
    damage(text, bytes, random);
    const auto missing = Missing(random.below(3));
    const auto precision = Precision(random.below(2));
    std::string first;
    for (const auto& [chunk, threads] :
         {std::pair{default_chunk_bytes, 1}, {std::size_t(20), 1}, {std::size_t(7), 2}}) {
      const std::string message =
          libsvm_refusal(text, {.missing = missing, .precision = precision, .threads = threads}, chunk);
      if (first.empty()) first = message;
      ASSERT_EQ(message, first) << text;
    }
  }
}

TEST(LibsvmReader, MissingValuesTakeTheMeanAutomatically) {
  const Dataset data = libsvm("1 1:nan 2:1\n2 1:4\n1 1:2 2:inf\n", {.missing = Missing::automatic});
  EXPECT_EQ(data.points.row(0), (std::vector<double>{3, 1}));
  EXPECT_EQ(data.points.row(2), (std::vector<double>{2, 0.5}));
}

TEST(LibsvmReader, ReadsPublicData) {
  const auto folder = testing::public_data();
  if (folder.empty()) GTEST_SKIP() << "the folder of public data is missing; set MERCER_DATA";
  const Dataset data = read((folder / "a9a" / "a9a.train.svm").string());
  EXPECT_EQ(data.rows(), 32561u);
  EXPECT_EQ(data.points.cols(), 123u);
  EXPECT_EQ(data.target.labels, (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(std::count(data.target.codes.begin(), data.target.codes.end(), 1), 7841);
  const Dataset housing = read((folder / "reg_cadata" / "cadata.svm").string());
  EXPECT_EQ(housing.target.task, Task::regression);
  EXPECT_EQ(housing.points.row(0)[1], 37.88);
}

TEST(LibsvmReader, SaysWhereItsIndicesStart) {
  const testing::Scratch scratch;
  const std::string one = scratch.write("one.svm", "1 1:5 3:7\n"),
                    zero = scratch.write("zero.svm", "1 0:5 2:7\n");
  EXPECT_EQ(read(one).schema.first_index, 1);
  EXPECT_EQ(read(zero).schema.first_index, 0);
  EXPECT_EQ(read(one).points.row(0), (std::vector<double>{5, 0, 7}));
  EXPECT_EQ(read(zero).points.row(0), (std::vector<double>{5, 0, 7}));
  const Dataset asked = read(one, {.from_zero = true});
  EXPECT_EQ(asked.schema.first_index, 0);
  EXPECT_EQ(asked.points.row(0), (std::vector<double>{0, 5, 0, 7}));
  // An index 0 that was not asked for is a column in front of those that were.
  EXPECT_EQ(read(zero, {.columns = 3}).points.cols(), 4u);
  EXPECT_EQ(read(zero, {.columns = 3, .from_zero = true}).points.cols(), 3u);
}

void expect_refusal(std::string_view text, const std::string& message, const ReadOptions& options = {}) {
  for (const std::size_t chunk : {std::size_t(1), std::size_t(5), default_chunk_bytes})
    for (const int threads : {1, 3}) {
      ReadOptions chosen = options;
      chosen.threads = threads;
      EXPECT_EQ(libsvm_refusal(text, chosen, chunk), message) << text;
    }
}

TEST(LibsvmChunk, FieldsThatAreNoEntries) {
  expect_refusal("1 1:2\n1 2", "f:2:3: '2' is not index:value; write for example 3:0.5");
  expect_refusal("1 1:2 x:3", "f:1:7: 'x' is not an index; indices are whole numbers from 1, or from 0");
  expect_refusal("1 :3", "f:1:3: '' is not an index; indices are whole numbers from 1, or from 0");
  expect_refusal("1 1.5:3", "f:1:3: '1.5' is not an index; indices are whole numbers from 1, or from 0");
  expect_refusal("1 -4:3", "f:1:3: index '-4' is negative; indices count from 1, or from 0");
  expect_refusal("1 1:\n", "f:1:5: '' is a missing value; fill it in, or set missing to mean or drop");
  expect_refusal("1 1:x", "f:1:5: 'x' is not a number; write a number such as 1.5");
  expect_refusal("1 1:2:3", "f:1:5: '2:3' is not a number; write a number such as 1.5");
  expect_refusal("1 1:1 2:5,6", "f:1:9: '5,6' is not a number; write a number such as 1.5");
  expect_refusal("1 1:1 2:0x1F", "f:1:9: '0x1F' is not a number; write a number such as 1.5");
}

TEST(LibsvmChunk, IndicesOutOfOrder) {
  expect_refusal("1 1:1\n1 3:1 2:1", "f:2:7: index '2' follows 3; indices must ascend within a line");
  expect_refusal("1 3:1 3:2", "f:1:7: index '3' appears twice in the line; give each index once");
  expect_refusal("1 3:0 3:2", "f:1:7: index '3' appears twice in the line; give each index once");
  expect_refusal("1 2147483647:1", "f:1:3: index '2147483647' is too large; the largest is 2147483646");
  expect_refusal("1 99999999999:1", "f:1:3: index '99999999999' is too large; the largest is 2147483646");
  expect_refusal("1 999999999999999999999:1",
                 "f:1:3: index '999999999999999999999' is too large; the largest is 2147483646");
  EXPECT_EQ(libsvm("1 2147483646:1").points.cols(), 2147483646u);
}

TEST(LibsvmChunk, NumbersThatCannotBeHeld) {
  expect_refusal("1 1:1e400",
                 "f:1:5: '1e400' is too large for a double; the largest is 1.7976931348623157e+308");
  expect_refusal("1 1:nan", "f:1:5: 'nan' is a missing value; fill it in, or set missing to mean or drop");
  expect_refusal("1 1:-inf",
                 "f:1:5: '-inf' is not finite; use a finite number, or set missing to mean or drop");
  expect_refusal("1 1:1e39", "f:1:5: '1e39' is too large for a float32; use float64",
                 {.precision = Precision::float32});
  expect_refusal("1 1:1e400",
                 "f:1:5: '1e400' is too large for a double; the largest is 1.7976931348623157e+308",
                 {.missing = Missing::mean});
  EXPECT_EQ(libsvm("1 1:1e-400 2:1").points.stored(), 1u);
}

TEST(LibsvmChunk, LinesWithoutALabel) {
  expect_refusal("1 1:1\n1:1 2:1",
                 "f:2:1: the line starts with '1:1', not with a label; write label index:value …, or set "
                 "target to none");
  const Dataset data = libsvm("1:1 2:5\n7 1:2\n# none\n3:1", {.target = "none"}, 4);
  EXPECT_EQ(data.rows(), 3u);
  EXPECT_EQ(data.target.task, Task::none);
  EXPECT_EQ(data.points.row(1), (std::vector<double>{2, 0, 0}));
}

TEST(LibsvmChunk, QueriesStandBehindTheLabelOfEveryLine) {
  const Dataset data = libsvm("3 qid:7 1:0.5\n2 qid:7 2:1 # d:e f:0\n1 qid:-8\n", {}, 10);
  EXPECT_EQ(data.queries, (std::vector<std::int64_t>{7, 7, -8}));
  EXPECT_EQ(data.points.cols(), 2u);
  EXPECT_EQ(libsvm("1 qid:0 1:0 2:0\n1 qid:0 1:0 3:0\n").queries, (std::vector<std::int64_t>{0, 0}));
  expect_refusal("1 qid:x 1:1", "f:1:3: 'qid:x' is not a query number; write for example qid:12");
  expect_refusal("1 qid:99999999999999999999 1:1",
                 "f:1:3: 'qid:99999999999999999999' is not a query number; write for example qid:12");
  expect_refusal("1 qid:1 qid:2 1:1", "f:1:9: 'qid:2' is the second qid of the line; write one");
  expect_refusal("1 1:1 qid:2", "f:1:7: 'qid:2' stands behind an entry; write it right behind the label");
  expect_refusal("1 qid:1 1:1\n1 1:1\n1 qid:2 1:1",
                 "f:2:1: the line has no qid, though others have; give every line one, or none");
  EXPECT_TRUE(libsvm("1 1:1 # qid:3\n1 2:1").queries.empty());
}

TEST(LibsvmWriter, ZerosAreLeftOutAndIndicesCountFromOne) {
  const Scratch scratch;
  const std::string path = scratch.path("d.svm");
  Dataset data{.points = Points({{0.1, 0, -3}, {0, 0, 0}})};
  data.target = testing::classes({"-1", "cat"}, {1, 0});
  data.queries = {4, 5};
  write(path, data);
  EXPECT_EQ(Scratch::read(path), "cat qid:4 1:0.1 3:-3\n-1 qid:5\n");
  EXPECT_EQ(read(path).queries, data.queries);
  write(path, {.points = data.points});
  EXPECT_EQ(Scratch::read(path), "0 1:0.1 3:-3\n0\n");
}

TEST(LibsvmWriter, RefusesWhatTheTextCannotHold) {
  Dataset data{.points = Points({{1, 2}}), .weights = {1}};
  EXPECT_EQ(refusal([&] { write("d.svm", data); }),
            "d.svm: LIBSVM text cannot hold weights; write .csv or .npz");
  data.weights.clear();
  for (const char* label : {"two words", "a:b", "#x", "", "NA"}) {
    data.target = testing::classes({label}, {0});
    EXPECT_EQ(refusal([&] { write("d.svm", data); }),
              "d.svm: label '" + std::string(label) +
                  "' cannot stand in LIBSVM text, which has no spaces, colons or missing labels; write .csv "
                  "or .npz");
  }
}

}  // namespace
}  // namespace mercer

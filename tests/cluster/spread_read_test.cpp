#include "cluster/spread_read.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "cluster/spread_points.hpp"

namespace mercer::cluster {
namespace {

class SpreadRead : public testing::Test {
 protected:
  // Written by rank 0.
  std::string file(const std::string& name, const std::string& text) {
    const std::string path = fmt::format("/tmp/mercer_spread_read_{}_{}", first_process(), name);
    if (ranks.first()) std::ofstream(path) << text;
    ranks.sum(1.0);
    return path;
  }
  void TearDown() override {
    const std::string start = fmt::format("mercer_spread_read_{}_", first_process());  // by all ranks
    ranks.sum(1.0);
    if (!ranks.first()) return;
    for (const auto& entry : std::filesystem::directory_iterator("/tmp"))
      if (entry.path().filename().string().starts_with(start)) std::filesystem::remove_all(entry.path());
  }
  long first_process() {
    long id = ::getpid();
    ranks.broadcast(id);
    return id;
  }

  static void expect_equal(const Dataset& found, const Dataset& expected) {
    EXPECT_EQ(found.points.storage().index(), expected.points.storage().index());
    EXPECT_EQ(found.points.cols(), expected.points.cols());
    EXPECT_EQ(found.points.names(), expected.points.names());
    EXPECT_EQ(bytes_of(found.points), bytes_of(expected.points));
    EXPECT_EQ(found.target.task, expected.target.task);
    EXPECT_EQ(found.target.name, expected.target.name);
    EXPECT_EQ(found.target.labels, expected.target.labels);
    EXPECT_EQ(found.target.codes, expected.target.codes);
    EXPECT_EQ(found.target.values, expected.target.values);
    EXPECT_EQ(found.target.outputs, expected.target.outputs);
    EXPECT_EQ(found.weights, expected.weights);
    EXPECT_EQ(found.schema.first_index, expected.schema.first_index);
    EXPECT_EQ(found.schema.target, expected.schema.target);
    EXPECT_EQ(found.schema.left_out, expected.schema.left_out);
    ASSERT_EQ(found.schema.columns.size(), expected.schema.columns.size());
    for (std::size_t j = 0; j < found.schema.columns.size(); ++j) {
      const auto &a = found.schema.columns[j], &b = expected.schema.columns[j];
      EXPECT_EQ(a.name, b.name);
      EXPECT_EQ(a.categories, b.categories);
      EXPECT_EQ(a.mean, b.mean);
      EXPECT_EQ(a.dates, b.dates);
    }
    ASSERT_EQ(found.notes.size(), expected.notes.size());
    for (std::size_t i = 0; i < found.notes.size(); ++i)
      EXPECT_EQ(found.notes[i].text, expected.notes[i].text);
  }

  // Whether the ranks read it, and what read() gives: the same rows, or the same message.
  bool expect_same(const std::string& path, const ReadOptions& options = {}) {
    bool spread = false;
    std::string refusal, said;
    std::optional<Dataset> expected;
    try {
      expected = mercer::read(path, options);
    } catch (const Error& error) {
      refusal = error.what();
    }
    ReadingRanks readers(ranks, 1);
    try {
      readers.run([&] {
        const std::optional<Dataset> found = readers.read(path, options);
        spread = found.has_value();
        if (found && expected) expect_equal(*found, *expected);
      });
      EXPECT_TRUE(refusal.empty() || !ranks.any(spread)) << "not refused: " << refusal;
    } catch (const AgreedError& error) {
      said = error.what();
      EXPECT_FALSE(refusal.empty()) << said;
      // The message of another rank has that rank in front of it.
      EXPECT_NE(said.find(refusal), std::string::npos) << said << "\n" << refusal;
    }
    return ranks.any(spread);
  }

  // A file for each rank, and what read() gives of all of them one after the other.
  bool expect_same_of_files(const std::vector<std::string>& texts, const std::string& whole,
                            const std::string& ending, const ReadOptions& options = {}) {
    const std::string all = file("whole" + ending, whole);
    std::string pattern;
    for (int r = 0; r < ranks.size(); ++r)
      file(fmt::format("part.{}{}", r, ending), texts.at(std::size_t(r)));
    pattern = fmt::format("/tmp/mercer_spread_read_{}_part.%r{}", first_process(), ending);
    ReadingRanks readers(ranks, 1);
    bool spread = false;
    readers.run([&] {
      const Dataset expected = mercer::read(all, options);
      const std::optional<Dataset> found = readers.read(pattern, options);
      spread = found.has_value();
      if (found) expect_equal(*found, expected);
    });
    return ranks.any(spread);
  }

  const Communicator ranks{MPI_COMM_WORLD};
};

TEST_F(SpreadRead, LinesBelongToOneRankEach) {
  for (const std::string text :
       {"", "a", "a\n", "a\nbb\nccc\n", "\n\n\n", "abcdefghij\nk\nl", "a\nbcdefghijklmnop"})
    for (int size = 1; size <= 7; ++size) {
      std::string all;
      for (int r = 0; r < size; ++r) {
        const std::string part(lines_of_rank(text, r, size));
        const bool last = all.size() + part.size() == text.size();
        EXPECT_TRUE(part.empty() || last || part.back() == '\n');
        all += part;
      }
      EXPECT_EQ(all, text) << size;
    }
}

TEST_F(SpreadRead, GivesWhatReadGives) {
  const bool several = ranks.size() > 1;
  std::string classes, numbers, dense, sparse_from_zero;
  for (int i = 0; i < 50; ++i) {
    classes += fmt::format("{} {}:{} {}:0.1\n", i % 3 - 1, i % 5 + 1, i * 0.37, 20 + i);
    numbers += fmt::format("{} 1:{} 7:2 # row {}\n\n", i * 0.1, i, i);
    dense += fmt::format("{} 1:{} 2:{}\n", i % 2 ? "+1" : "-1", i + 0.25, 1.0 / (i + 1));
    sparse_from_zero +=
        fmt::format("{} {}:1 9:3\n", i % 2, i == 49 ? 0 : 2);  // index 0 in the last rank alone
  }
  EXPECT_EQ(expect_same(file("classes.svm", classes)), several);
  EXPECT_EQ(expect_same(file("numbers.svm", numbers)), several);
  EXPECT_EQ(expect_same(file("dense.svm", dense)), several);
  EXPECT_EQ(expect_same(file("zero.svm", sparse_from_zero)), several);
  EXPECT_EQ(expect_same(file("single.svm", dense), {.precision = Precision::float32}), several);
  EXPECT_EQ(expect_same(file("none.svm", dense), {.target = "none"}), several);
  EXPECT_EQ(expect_same(file("task.svm", dense), {.task = Task::regression}), several);
  EXPECT_EQ(expect_same(file("one.svm", "1 1:2\n")), several);
  EXPECT_EQ(expect_same(file("no_end.svm", "1 1:2\n2 3:4")), several);
}

TEST_F(SpreadRead, LeavesTheUnusualToRead) {
  EXPECT_FALSE(expect_same(file("query.svm", "1 qid:1 1:2\n2 qid:2 1:3\n")));
  EXPECT_FALSE(expect_same(file("missing.svm", "1 1:2\n2 1:nan\n"), {.missing = Missing::mean}));
  EXPECT_FALSE(expect_same(file("texts.csv", "text,y\nsome words,1\nother words,2\nmore of them,1\n"),
                           {.objects = {{"text", Domain::text}}}));
}

TEST_F(SpreadRead, GivesWhatReadGivesOfTables) {
  const bool several = ranks.size() > 1;
  const ReadOptions tolerant{.missing = Missing::automatic, .tolerant = true};
  std::string numbers = "a,b,y\n", mixed = "id,when,color,size,w,y\n", crlf = "a,b,y\r\n", blank = "a,b,y\n";
  for (int i = 0; i < 60; ++i) {
    numbers += fmt::format("{},{},{}\n", i * 0.37, 1.0 / (i + 1), i * 0.1);
    crlf += fmt::format("{},\"{}\",{}\r\n", i, i * 0.5, i % 3);
    blank += fmt::format("{},{},{}\n{}", i, i * i, i % 2, i % 7 ? "" : "\n\n");
    static const char* const colors[] = {"red", "\"dark, blue\"", "\"two\nlines\"", "\"a \"\"quote\"\"\"",
                                         ""};
    mixed += fmt::format("{},2024-{:02}-{:02},{},{},{},{}\n", i + 1, i % 12 + 1, i % 28 + 1, colors[i % 5],
                         i % 9 == 4 ? "" : fmt::format("{}", i * 1.25), 1 + i % 2, i % 3 ? "yes" : "no");
  }
  EXPECT_EQ(expect_same(file("numbers.csv", numbers)), several);
  EXPECT_EQ(expect_same(file("single.csv", numbers), {.precision = Precision::float32}), several);
  EXPECT_EQ(expect_same(file("none.csv", numbers), {.target = "none"}), several);
  EXPECT_EQ(expect_same(file("two.csv", numbers), {.target = "b,y"}), several);
  EXPECT_EQ(expect_same(file("crlf.csv", crlf)), several);
  EXPECT_EQ(expect_same(file("blank.csv", blank)), several);
  EXPECT_EQ(expect_same(file("mixed.csv", mixed), tolerant), several);
  ReadOptions weighted = tolerant;
  weighted.weights = "w";
  weighted.drop = {"id"};
  EXPECT_EQ(expect_same(file("weighted.csv", mixed), weighted), several);
  ReadOptions dropping = tolerant;
  dropping.missing = Missing::drop;
  EXPECT_EQ(expect_same(file("dropping.csv", mixed), dropping), several);
  EXPECT_EQ(expect_same(file("classes.csv", mixed),
                        {.task = Task::classification, .missing = Missing::mean, .tolerant = true}),
            several);
  std::string tabs = numbers, semicolons = numbers;
  std::ranges::replace(tabs, ',', '\t');
  std::ranges::replace(semicolons, ',', ';');
  std::ranges::replace(semicolons, '.', ',');
  EXPECT_EQ(expect_same(file("tabs.tsv", tabs)), several);
  EXPECT_EQ(expect_same(file("semicolons.csv", semicolons)), several);
  EXPECT_EQ(expect_same(file("latin.csv", "caf\xe9,y\n1,2\n2,3\n3,5\n")), several);
  EXPECT_EQ(expect_same(file("mark.csv", "\xef\xbb\xbf" + numbers)), several);
}

TEST_F(SpreadRead, GivesWhatReadGivesOfUnusualTables) {
  const bool several = ranks.size() > 1;
  EXPECT_EQ(expect_same(file("one_row.csv", "a,y\n1,2\n")), several);        // more ranks than rows
  EXPECT_EQ(expect_same(file("two_rows.csv", "a,y\n1,2\n2,4.5")), several);  // and no last line end
  EXPECT_EQ(expect_same(file("no_header.csv", "1,2\n2,4\n3,7\n")), several);
  EXPECT_FALSE(expect_same(file("header_only.csv", "a,b,y\n")));
  EXPECT_FALSE(expect_same(file("empty.csv", "")));
  // A line longer than the share of a rank, and one cell with more line ends than the others have lines.
  std::string wide =
      "a,b,y\n1,x,2\n2,\"" + std::string(5000, 'z') + "\",3\n3,\"" + std::string(300, '\n') + "\",4\n4,x,5\n";
  EXPECT_EQ(expect_same(file("wide.csv", wide), {.task = Task::regression}), several);
  // Faults of the last row: the message names its line.
  std::string fault = "a,b,y\n";
  for (int i = 0; i < 40; ++i) fault += fmt::format("{},{},{}\n", i, i + 0.5, i * 0.3);
  EXPECT_FALSE(expect_same(file("short.csv", fault + "1,2\n")));
  EXPECT_FALSE(expect_same(file("text.csv", fault + "1,oops,2\n")));
  EXPECT_FALSE(expect_same(file("target.csv", fault + "1,2,oops\n")));
  EXPECT_FALSE(expect_same(file("quote.csv", fault + "1,\"2,3\n")));
  EXPECT_FALSE(expect_same(file("missing.csv", fault + "1,,3\n")));
  EXPECT_FALSE(expect_same(file("no_target.csv", fault), {.target = "nothing"}));
}

TEST_F(SpreadRead, TakesAFileForEachRank) {
  std::vector<std::string> tables, lines;
  std::string table = "x,color,y\n", text;
  for (int r = 0; r < ranks.size(); ++r) {
    std::string own = "x,color,y\n", svm;
    for (int i = 0; i < (r == 0 && ranks.size() > 1 ? 0 : 5 + r); ++i) {  // rank 0 has no rows
      const std::string row =
          fmt::format("{},{},{}\n", r + 0.1 * i, i % 2 ? "red" : fmt::format("of {}", r), i);
      own += row;
      table += row;
      svm += fmt::format("{} {}:{}\n", i % 2, r + 1, i + 0.5);
    }
    text += svm;
    tables.push_back(own);
    lines.push_back(svm.empty() ? "# nothing\n" : svm);
  }
  EXPECT_TRUE(expect_same_of_files(tables, table, ".csv"));
  EXPECT_TRUE(expect_same_of_files(tables, table, ".csv", {.missing = Missing::automatic, .tolerant = true}));
  if (ranks.size() > 1) {
    EXPECT_TRUE(expect_same_of_files(lines, text, ".svm"));
  }
}

TEST_F(SpreadRead, RefusesFilesWithOtherColumns) {
  if (ranks.size() == 1) return;
  for (int r = 0; r < ranks.size(); ++r)
    file(fmt::format("other.{}.csv", r), r + 1 < ranks.size() ? "a,b,y\n1,2,3\n" : "a,c,y\n1,2,3\n");
  const std::string pattern = fmt::format("/tmp/mercer_spread_read_{}_other.%r.csv", first_process());
  ReadingRanks readers(ranks, 1);
  try {
    readers.run([&] { readers.read(pattern, {}); });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const AgreedError& error) {
    EXPECT_NE(std::string(error.what()).find("the header is another one than that of the other ranks' files"),
              std::string::npos)
        << error.what();
  }
}

TEST_F(SpreadRead, RanksThatSeeOtherFilesAreTold) {
  if (ranks.size() == 1) return;
  // The last rank stands where another file has that name.
  const bool other = ranks.rank() == ranks.size() - 1;
  const auto folder = [&](bool of_other) {
    return fmt::format("/tmp/mercer_spread_read_{}_{}", first_process(), of_other ? "other" : "usual");
  };
  const std::string usual = folder(false), others = folder(true);
  if (ranks.first())
    for (const std::string& place : {usual, others}) {
      std::filesystem::create_directory(place);
      std::ofstream(place + "/data.svm") << (place == usual ? "1 1:2\n2 1:3\n" : "1 1:2\n2 1:4\n");
    }
  ranks.sum(1.0);
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(other ? others : usual);
  ReadingRanks readers(ranks, 1);
  try {
    readers.run([&] { readers.read("data.svm", {}); });
    ADD_FAILURE() << "nothing was thrown";
  } catch (const AgreedError& error) {
    EXPECT_NE(std::string(error.what())
                  .find(fmt::format("rank {} of {}: data.svm: this is another file than rank 0 sees",
                                    ranks.size() - 1, ranks.size())),
              std::string::npos)
        << error.what();
  }
  std::filesystem::current_path(before);
}

}  // namespace
}  // namespace mercer::cluster

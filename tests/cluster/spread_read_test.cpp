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

  // Whether the ranks read it, and what read() gives.
  bool expect_same(const std::string& path, const ReadOptions& options = {}) {
    bool spread = false;
    ReadingRanks readers(ranks, 1);
    readers.run([&] {
      const Dataset expected = mercer::read(path, options);
      const std::optional<Dataset> found = readers.read(path, options);
      spread = found.has_value();
      if (!found) return;
      EXPECT_EQ(found->points.storage().index(), expected.points.storage().index());
      EXPECT_EQ(found->points.cols(), expected.points.cols());
      EXPECT_EQ(bytes_of(found->points), bytes_of(expected.points));
      EXPECT_EQ(found->target.task, expected.target.task);
      EXPECT_EQ(found->target.labels, expected.target.labels);
      EXPECT_EQ(found->target.codes, expected.target.codes);
      EXPECT_EQ(found->target.values, expected.target.values);
      EXPECT_EQ(found->schema.first_index, expected.schema.first_index);
      EXPECT_EQ(found->schema.columns.size(), expected.schema.columns.size());
      EXPECT_EQ(found->notes.size(), expected.notes.size());
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
  EXPECT_FALSE(expect_same(file("table.csv", "a,y\n1,2\n2,4\n3,7\n")));
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

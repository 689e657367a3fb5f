#include "cluster/checkpoint.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "cluster/spread_points.hpp"

namespace mercer::cluster {
namespace {

class Checkpoints : public testing::Test {
 protected:
  void SetUp() override {
    long id = ::getpid();
    ranks.broadcast(id);
    path = fmt::format("/tmp/mercer_checkpoint_{}", id);
  }
  void TearDown() override {
    ranks.sum(1.0);
    if (ranks.first()) std::filesystem::remove(path);
    ranks.sum(1.0);
  }
  const Communicator ranks{MPI_COMM_WORLD};
  std::string path;
};

TEST_F(Checkpoints, KeepTheRowsOfAllRanks) {
  const std::vector<double> all = random_numbers(22);
  const std::vector<double> own = share_of(ranks, all, 2);
  Checkpoint checkpoint(ranks, path, 0, 5);
  EXPECT_FALSE(checkpoint.read(own.size() / 2, 2));
  checkpoint.write(own, 2, 17);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  const auto found = checkpoint.read(own.size() / 2, 2);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->X, own);
  EXPECT_EQ(found->iterations, 17u);
  // Other ranks have other rows of it: the file is that of all.
  const std::size_t mine = ranks.first() ? 11 : 0;
  const auto at_first = checkpoint.read(mine, 2);
  ASSERT_TRUE(at_first);
  EXPECT_EQ(at_first->X, ranks.first() ? all : std::vector<double>());
}

TEST_F(Checkpoints, OfAnotherFitAreRefused) {
  const std::vector<double> own = share_of(ranks, random_numbers(10), 1);
  Checkpoint(ranks, path, 0, 5).write(own, 1, 1);
  EXPECT_THROW(Checkpoint(ranks, path, 0, 6).read(own.size(), 1), AgreedError);
  EXPECT_THROW(Checkpoint(ranks, path, 0, 5).read(own.size() + 1, 1), AgreedError);
  EXPECT_TRUE(Checkpoint(ranks, path, 0, 5).read(own.size(), 1));
  if (ranks.first()) std::filesystem::resize_file(path, std::filesystem::file_size(path) - 1);
  EXPECT_THROW(Checkpoint(ranks, path, 0, 5).read(own.size(), 1), AgreedError);
}

TEST_F(Checkpoints, ThatCannotBeWrittenEndAllRanks) {
  Checkpoint nowhere(ranks, "/proc/nowhere/state", 0, 1);
  EXPECT_THROW(nowhere.write(share_of(ranks, random_numbers(4), 1), 1, 1), AgreedError);
}

TEST(Fingerprint, DiffersWithEveryPart) {
  EXPECT_NE(Fingerprint().add(std::string_view("ab")).value(),
            Fingerprint().add(std::string_view("ba")).value());
  EXPECT_NE(Fingerprint().add(std::string_view("a")).add(std::string_view("bc")).value(),
            Fingerprint().add(std::string_view("ab")).add(std::string_view("c")).value());
  const double one[] = {1, 2}, other[] = {1, 3};
  EXPECT_NE(Fingerprint().add(std::span<const double>(one)).value(),
            Fingerprint().add(std::span<const double>(other)).value());
}

// As on a full disk: a file may have no more bytes than the limit.
TEST(Checkpoint, OfAFullDiskLeavesTheOneBefore) {
  const Communicator ranks(MPI_COMM_WORLD);
  std::string path =
      (std::filesystem::temp_directory_path() / ("full_" + std::to_string(::getpid()) + ".state")).string();
  ranks.broadcast(path);
  Checkpoint checkpoint(ranks, path, 0, 7);
  const std::vector<double> small(3, 1.5), large(1 << 16, 2.5);
  checkpoint.write(small, 1, 4);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit tight = before;
  tight.rlim_cur = 4096;
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  if (ranks.first()) ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &tight), 0);
  std::string said;
  try {
    checkpoint.write(large, 1, 5);
  } catch (const AgreedError& error) {
    said = error.what();
  }
  if (ranks.first()) ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_NE(said.find("the checkpoint cannot be written: "), std::string::npos) << said;
  EXPECT_NE(said.find(path), std::string::npos) << said;
  const auto kept = checkpoint.read(3, 1);
  ASSERT_TRUE(kept);
  EXPECT_EQ(kept->X, small);
  EXPECT_EQ(kept->iterations, 4u);
  EXPECT_FALSE(std::filesystem::exists(path + ".part"));
  ranks.sum(1.0);
  checkpoint.remove();
}

}  // namespace
}  // namespace mercer::cluster

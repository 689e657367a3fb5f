#include "base/disk_arrays.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <fstream>
#include <numeric>
#include <thread>

#include "base/refusal.hpp"

namespace mercer {
namespace {

constexpr std::size_t megabyte = 1 << 20;

/// Bytes of files that are resident: the third number of statm.
std::size_t resident_files() {
  std::size_t size = 0, resident = 0, shared = 0;
  std::ifstream("/proc/self/statm") >> size >> resident >> shared;
  return shared * std::size_t(::sysconf(_SC_PAGESIZE));
}

TEST(DiskArrays, HoldWhatIsWrittenWhenTheirPagesAreForgotten) {
  const ScratchFolder folder;
  Buffer<int> large, small;
  {
    const DiskArrays scope(folder / ".", 16 * megabyte);
    EXPECT_TRUE(DiskArrays::active());
    large = Buffer<int>(megabyte);
    small = Buffer<int>(1000);
  }
  EXPECT_FALSE(DiskArrays::active());
  EXPECT_EQ(resident_limit(large.data()), 16 * megabyte);
  EXPECT_FALSE(resident_limit(small.data()));
  EXPECT_FALSE(resident_limit(Buffer<int>(megabyte).data()));
  std::iota(large.begin(), large.end(), 0);
  forget_disk_arrays();
  for (std::size_t i = 0; i < large.size(); ++i) ASSERT_EQ(large[i], int(i));
  EXPECT_EQ(folder.entries(), 0u);  // files without a name
}

TEST(DiskArrays, LeaveMemoryByThemselves) {
  const ScratchFolder folder;
  const std::size_t before = resident_files();
  const DiskArrays scope(folder / ".", 16 * megabyte);
  Buffer<char> array(128 * megabyte, 'x');
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (resident_files() > before + 16 * megabyte && std::chrono::steady_clock::now() < end)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_LE(resident_files(), before + 16 * megabyte);
  EXPECT_EQ(array[100 * megabyte], 'x');
}

TEST(DiskArrays, AreMadeAgainAfterTheLastOneIsGone) {
  const ScratchFolder folder;
  const DiskArrays scope(folder / ".", megabyte);
  for (int round = 0; round < 20; ++round) {
    Buffer<char> one(2 * megabyte, 'a'), two(megabyte, 'b');
    EXPECT_TRUE(resident_limit(one.data()) && resident_limit(two.data()));
  }
}

TEST(DiskArrays, ScopesNestAndArraysMakeOthersLikeThem) {
  const ScratchFolder folder;
  Buffer<char> disk, memory(2 * megabyte);
  {
    const DiskArrays outer(folder / ".", 5 * megabyte);
    {
      const DiskArrays inner(folder / ".", 7 * megabyte);
      disk = Buffer<char>(2 * megabyte);
    }
    EXPECT_EQ(resident_limit(Buffer<char>(2 * megabyte).data()), 5 * megabyte);
  }
  EXPECT_EQ(resident_limit(disk.data()), 7 * megabyte);
  const auto limit_like = [](const Buffer<char>& other) {
    const OnDiskAs as(other.data());
    return resident_limit(Buffer<char>(2 * megabyte).data());
  };
  EXPECT_EQ(limit_like(disk), 7 * megabyte);
  EXPECT_FALSE(limit_like(memory));
}

TEST(DiskArrays, SayThatTheDiskIsFull) {
  const ScratchFolder folder;
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit little{megabyte, before.rlim_max};
  const auto old = std::signal(SIGXFSZ, SIG_IGN);
  ::setrlimit(RLIMIT_FSIZE, &little);
  const std::string said = refusal(ErrorKind::data, [&] {
    const DiskArrays scope(folder / ".", megabyte);
    const Buffer<char> array(3 * megabyte);
  });
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, old);
  EXPECT_NE(said.find("a temporary file of 0.00315 GB for the rows cannot be made: File too large"),
            std::string::npos)
      << said;
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(DiskArrays, SayThatTheFolderIsMissing) {
  const ScratchFolder folder;
  const std::string said = refusal(ErrorKind::data, [&] {
    const DiskArrays scope(folder / "none", megabyte);
    const Buffer<char> array(megabyte);
  });
  EXPECT_NE(said.find("cannot be made: No such file or directory"), std::string::npos) << said;
}

}  // namespace
}  // namespace mercer

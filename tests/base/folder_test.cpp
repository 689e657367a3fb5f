#include "base/folder.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"

namespace mercer {
namespace {

namespace fs = std::filesystem;

TEST(AtomicFolder, IsThereOnceCommitted) {
  const ScratchFolder scratch;
  AtomicFolder folder(scratch / "f/");
  EXPECT_EQ(folder.name(), "f");
  std::ofstream(folder.place() / "a.txt") << "1";
  EXPECT_FALSE(fs::exists(scratch / "f"));
  folder.commit();
  EXPECT_EQ(bytes_of(scratch / "f/a.txt"), "1");
  EXPECT_EQ(scratch.entries(), 1u);
}

TEST(AtomicFolder, LeavesNothingBehindWithoutACommit) {
  const ScratchFolder scratch;
  {
    const AtomicFolder folder(scratch / "f");
    std::ofstream(folder.place() / "a.txt") << "1";
    EXPECT_EQ(scratch.entries(), 1u);
  }
  EXPECT_EQ(scratch.entries(), 0u);
}

TEST(AtomicFolder, ReplacesAnEmptyFolderAndNothingElse) {
  const ScratchFolder scratch;
  fs::create_directory(scratch / "empty");
  AtomicFolder(scratch / "empty").commit();
  std::ofstream(scratch / "file") << "1";
  fs::create_directories(scratch / "full/inside");
  for (const char* name : {"file", "full"})
    EXPECT_EQ(refusal(ErrorKind::data, [&] { AtomicFolder folder(scratch / name); }),
              scratch / name + ": exists already; name a folder that does not");
  EXPECT_NE(
      refusal(ErrorKind::data, [&] { AtomicFolder folder(scratch / "none/f"); }).find("cannot be created"),
      std::string::npos);
  EXPECT_EQ(scratch.entries(), 3u);
}

}  // namespace
}  // namespace mercer

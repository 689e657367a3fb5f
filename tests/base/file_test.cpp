#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <stdexcept>
#include <thread>

#include "base/file.hpp"
#include "base/refusal.hpp"
#include "mercer/file.hpp"

namespace mercer {
namespace {

std::string data_refusal(const std::function<void()>& action) { return refusal(ErrorKind::data, action); }

// --- Writing ---

TEST(WriteFile, WritesAllBytesAndNothingElse) {
  const ScratchFolder folder;
  const std::string bytes("a\0b\r\n\xff", 6);
  write_file(folder / "new", bytes);
  EXPECT_EQ(bytes_of(folder / "new"), bytes);
  EXPECT_EQ(folder.entries(), 1u);
  write_file(folder / "new", "");
  EXPECT_EQ(bytes_of(folder / "new"), "");
}

TEST(AtomicFile, ShowsTheOldContentUntilItIsCommitted) {
  const ScratchFolder folder;
  write_file(folder / "f", "old and longer");
  AtomicFile file(folder / "f");
  file.write("ne");
  file.write("w!", 1);
  EXPECT_EQ(bytes_of(folder / "f"), "old and longer");
  file.commit();
  EXPECT_EQ(bytes_of(folder / "f"), "new");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(AtomicFile, LeavesNothingBehindWithoutACommit) {
  const ScratchFolder folder;
  write_file(folder / "f", "old");
  try {
    AtomicFile replaced(folder / "f"), fresh(folder / "g");
    replaced.write("new");
    fresh.write(std::string(100000, 'x'));
    EXPECT_LE(folder.entries(), 3u);
    throw std::runtime_error("out of luck");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(bytes_of(folder / "f"), "old");
  EXPECT_EQ(folder.entries(), 1u);
}

// So that a process that is killed while it writes leaves nothing behind.
TEST(AtomicFile, HasNoNameUntilItIsCommitted) {
  const ScratchFolder folder;
  const int probe = ::open((folder / ".").c_str(), O_WRONLY | O_TMPFILE, 0600);
  if (probe < 0) GTEST_SKIP() << "this file system has no files without a name";
  ::close(probe);
  AtomicFile file(folder / "f");
  file.write(std::string(100000, 'x'));
  EXPECT_EQ(folder.entries(), 0u);
  file.commit();
  EXPECT_EQ(folder.entries(), 1u);
  EXPECT_EQ(bytes_of(folder / "f").size(), 100000u);
}

TEST(AtomicFile, GivesThePermissionsOfTheUmask) {
  const ScratchFolder folder;
  for (const mode_t mask : {0022, 0027, 0077}) {
    const mode_t before = ::umask(mask);
    write_file(folder / "f", "x");
    EXPECT_EQ(::umask(before), mask) << "the umask itself must not change";
    struct stat status;
    ASSERT_EQ(::stat((folder / "f").c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0666 & ~mask);
  }
}

TEST(AtomicFile, RefusesWhatCannotBeAFile) {
  const ScratchFolder folder;
  EXPECT_EQ(data_refusal([&] { write_file(folder / "", "x"); }),
            folder / "" + ": is a directory; name a file to write");
  EXPECT_EQ(data_refusal([&] { write_file(folder / "missing/f", "x"); }),
            folder / "missing/f" + ": cannot be created: No such file or directory");
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(AtomicFile, RefusesAFolderThatIsNotOursToWriteIn) {
  const ScratchFolder folder;
  const uid_t me = ::geteuid();
  if (me == 0 && ::seteuid(65534) != 0) GTEST_SKIP() << "the superuser may write everywhere";
  ::chmod((folder / "").c_str(), 0500);  // fails where we have just become somebody else, which is as good
  const std::string message = data_refusal([&] { write_file(folder / "f", "x"); });
  const bool restored = ::seteuid(me) == 0;
  ::chmod((folder / "").c_str(), 0700);
  EXPECT_TRUE(restored);
  EXPECT_EQ(message, folder / "f" + ": cannot be created: Permission denied");
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(AtomicFile, CleansUpWhenTheRenameFails) {
  const ScratchFolder folder;
  EXPECT_EQ(data_refusal([&] {
              AtomicFile file(folder / "f");
              std::filesystem::create_directory(folder / "f");
              file.commit();
            }),
            folder / "f" + ": cannot be put in place: Is a directory");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(AtomicFile, ReportsAFullDiskAndKeepsTheDevice) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "there is no /dev/full to write to";
  EXPECT_EQ(data_refusal([] { write_file("/dev/full", "x"); }),
            "/dev/full: cannot be written: No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(AtomicFile, WritesIntoAPipe) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = bytes_of(folder / "pipe"); });
  write_file(folder / "pipe", "through");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

TEST(AtomicFile, DashIsStandardOutput) {
  ::testing::internal::CaptureStdout();
  write_file("-", "hello\n");
  write_file("-", "again\n");
  EXPECT_EQ(::testing::internal::GetCapturedStdout(), "hello\nagain\n");
  EXPECT_FALSE(std::filesystem::exists("-"));
}

// --- Reading ---

TEST(MappedFile, GivesTheBytes) {
  const ScratchFolder folder;
  const std::string bytes("a\0b\n", 4);
  write_file(folder / "f", bytes);
  const MappedFile file(folder / "f");
  EXPECT_EQ(file.text(), bytes);
  EXPECT_EQ(file.name(), folder / "f");
}

TEST(MappedFile, OfAnEmptyFileIsEmpty) {
  const ScratchFolder folder;
  write_file(folder / "f", "");
  EXPECT_TRUE(MappedFile(folder / "f").text().empty());
}

TEST(MappedFile, RefusesWhatCannotBeRead) {
  const ScratchFolder folder;
  try {
    MappedFile file(folder / "f");
    ADD_FAILURE() << "there is no such file";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::file_access);
    EXPECT_EQ(error.details().file, folder / "f");
  }
  EXPECT_EQ(data_refusal([&] { MappedFile file(folder / "f"); }),
            folder / "f" + ": cannot be opened: No such file or directory");
  EXPECT_EQ(data_refusal([&] { MappedFile file(folder / ""); }),
            folder / "" + ": is a directory; a data file is needed");
}

TEST(MappedFile, ReadsAPipeThatGrowsBeyondItsBuffer) {
  const ScratchFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::string sent;
  for (int i = 0; i < 40000; ++i) sent += std::to_string(i) + '\n';
  std::thread writer([&] { std::ofstream(folder / "pipe") << sent; });
  const MappedFile file(folder / "pipe");
  writer.join();
  EXPECT_GT(sent.size(), 3u << 16);
  EXPECT_TRUE(file.text() == sent);
}

TEST(MappedFile, DashIsStandardInput) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  ASSERT_EQ(::write(ends[1], "typed", 5), 5);
  ::close(ends[1]);
  const int before = ::dup(STDIN_FILENO);
  ::dup2(ends[0], STDIN_FILENO);
  const MappedFile file("-");
  if (before >= 0) ::dup2(before, STDIN_FILENO), ::close(before);
  ::close(ends[0]);
  EXPECT_EQ(file.text(), "typed");
  EXPECT_EQ(file.name(), "standard input");
}

TEST(MappedFile, CanBeReadAgainAfterForgetting) {
  const ScratchFolder folder;
  std::string bytes(100000, 'x');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = char('a' + i % 23);
  write_file(folder / "f", bytes);
  const MappedFile file(folder / "f");
  file.forget(file.text());
  file.forget(file.text().substr(5, 9000));
  file.forget({});
  EXPECT_TRUE(file.text() == bytes);
}

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

// --- Files that change while they are read ---

TEST(MappedFile, NoticesThatTheFileIsAnother) {
  const ScratchFolder folder;
  write_file(folder / "f", "one");
  const MappedFile file(folder / "f");
  file.check_unchanged();
  write_file(folder / "f", "two");  // of the same length
  EXPECT_NE(data_refusal([&] { file.check_unchanged(); }).find("changed while it was being read"),
            std::string::npos);
}

TEST(MappedFile, NoticesMoreRows) {
  const ScratchFolder folder;
  write_file(folder / "f", "one");
  const MappedFile file(folder / "f");
  std::ofstream(folder / "f", std::ios::app) << "more";
  EXPECT_NE(data_refusal([&] { file.check_unchanged(); }).find("changed while it was being read"),
            std::string::npos);
}

TEST(MappedFile, IsFoundByItsAddresses) {
  const ScratchFolder folder;
  write_file(folder / "f", "text");
  const char* at = nullptr;
  {
    const MappedFile file(folder / "f");
    at = file.text().data();
    ASSERT_NE(mapped_file_at(at + 3), nullptr);
    EXPECT_EQ(std::string(mapped_file_at(at + 3)), folder / "f");
    EXPECT_EQ(mapped_file_at(at + 4), nullptr);
    forget_mapped_files();
    EXPECT_EQ(file.text(), "text");
  }
  EXPECT_EQ(mapped_file_at(at), nullptr);
}

}  // namespace
}  // namespace mercer

// Files and folders: read by mapping, written whole or not at all.
#pragma once

#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string_view>

#include "mercer/buffer.hpp"

namespace mercer {

/// The bytes of a file, mapped read-only; of standard input ("-") or a pipe, read into memory.
class MappedFile {
 public:
  explicit MappedFile(const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view text() const noexcept { return {data_, size_}; }
  /// What messages call it: the path, or "standard input".
  const std::string& name() const noexcept { return name_; }
  /// Tells the system that the pages of `part` (a piece of text()) will not be read again soon, so that a
  /// mapped file does not count towards resident memory once it is parsed.
  void forget(std::string_view part) const noexcept;
  /// Throws Error{invalid_file} where the file at the path is another, or of another length or time, than
  /// when it was opened: what was read is then a mixture.
  void check_unchanged() const;

  /// Which file it is, and when it was written last.
  struct Version {
    std::uint64_t device = 0, file = 0, size = 0;
    std::int64_t seconds = 0, nanoseconds = 0;
    bool operator==(const Version&) const = default;
  };

 private:
  void read_stream(int descriptor);

  std::string name_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  bool mapped_ = false;
  Version version_ = {};
  Buffer<char> stream_;
};

/// Gives the pages of all mapped files back to the system.
void forget_mapped_files() noexcept;

/// Writes `path` through a file beside it, without a name where the system has such, that takes its place by
/// commit(); without a commit nothing is left behind. The path "-" is standard output.
class AtomicFile {
 public:
  explicit AtomicFile(std::string path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  void write(const void* bytes, std::size_t size) { write({static_cast<const char*>(bytes), size}); }
  void commit();

 private:
  [[noreturn]] void fail(const char* what) const;
  bool open_unnamed();
  void name_file();

  std::string path_, temporary_, unnamed_;  // the last: where the open file without a name is found
  std::FILE* file_ = nullptr;
};

/// Files go to place(), a folder beside `path` that commit() renames; without a commit nothing is left
/// behind. Error{data} where there is something at `path` already, other than an empty folder: nothing is
/// ever replaced.
class AtomicFolder {
 public:
  explicit AtomicFolder(std::string path);
  ~AtomicFolder();
  AtomicFolder(const AtomicFolder&) = delete;
  AtomicFolder& operator=(const AtomicFolder&) = delete;

  std::filesystem::path place() const { return temporary_; }
  std::string name() const;  ///< the last part of the path
  void commit();

 private:
  std::string path_, temporary_;
};

}  // namespace mercer

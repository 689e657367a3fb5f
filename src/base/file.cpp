#include "base/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <mutex>

#include "mercer/error.hpp"
#include "mercer/file.hpp"

namespace mercer {

namespace {

namespace fs = std::filesystem;

MappedFile::Version version_of(const struct stat& status) {
  return {std::uint64_t(status.st_dev), std::uint64_t(status.st_ino), std::uint64_t(status.st_size),
          std::int64_t(status.st_mtim.tv_sec), std::int64_t(status.st_mtim.tv_nsec)};
}

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
  throw Error(ErrorCode::invalid_data, what, {.file = name});
}

/// "what: the system's reason".
[[noreturn]] void refuse_by_system(const std::string& name, const char* what) {
  throw Error(ErrorCode::file_access, fmt::format("{}: {}", what, std::strerror(errno)), {.file = name});
}

std::string unique_name(const std::string& path) {
  static std::atomic<unsigned> count{0};
  return fmt::format("{}.{}-{}", path, ::getpid(), count++);
}

// The files that are mapped, for signal handlers and for those who watch over memory. Where there are more at
// a time than places, the others are not known.
struct MappedPlace {
  std::atomic<const char*> begin = nullptr;
  std::atomic<std::size_t> size = 0;
  std::array<char, 512> name = {};
};
std::array<MappedPlace, 16> mapped_places;
std::mutex mapped_mutex;

void note_mapped(const char* begin, std::size_t size, const std::string& name) noexcept {
  const std::scoped_lock lock(mapped_mutex);
  for (MappedPlace& place : mapped_places) {
    if (place.begin) continue;
    place.name.fill('\0');
    std::copy_n(name.data(), std::min(name.size(), place.name.size() - 1), place.name.data());
    place.size = size;
    place.begin = begin;
    return;
  }
}

void note_unmapped(const char* begin) noexcept {
  const std::scoped_lock lock(mapped_mutex);
  for (MappedPlace& place : mapped_places)
    if (place.begin == begin) place.begin = nullptr;
}

}  // namespace

const char* mapped_file_at(const void* address) noexcept {
  const auto* at = static_cast<const char*>(address);
  for (const MappedPlace& place : mapped_places) {
    const char* begin = place.begin;
    if (begin && at >= begin && at < begin + place.size) return place.name.data();
  }
  return nullptr;
}

void forget_mapped_files() noexcept {
  const std::scoped_lock lock(mapped_mutex);
  for (const MappedPlace& place : mapped_places)
    if (const char* begin = place.begin) ::madvise(const_cast<char*>(begin), place.size, MADV_DONTNEED);
}

MappedFile::MappedFile(const std::string& path) : name_(path == "-" ? "standard input" : path) {
  if (path == "-") {
    read_stream(STDIN_FILENO);
    return;
  }
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) refuse_by_system(name_, "cannot be opened");
  struct Closer {
    int descriptor;
    ~Closer() { ::close(descriptor); }
  } closer{descriptor};
  struct stat status;
  if (::fstat(descriptor, &status) != 0) refuse_by_system(name_, "cannot be read");
  if (S_ISDIR(status.st_mode)) refuse(name_, "is a directory; a data file is needed");
  if (!S_ISREG(status.st_mode)) {
    read_stream(descriptor);
    return;
  }
  size_ = std::size_t(status.st_size);
  version_ = version_of(status);
  if (size_ == 0) return;
  void* address = ::mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (address == MAP_FAILED) refuse_by_system(name_, "cannot be mapped");
  data_ = static_cast<const char*>(address);
  mapped_ = true;
  ::madvise(address, size_, MADV_SEQUENTIAL);
  note_mapped(data_, size_, name_);
}

MappedFile::~MappedFile() {
  if (!mapped_) return;
  note_unmapped(data_);
  ::munmap(const_cast<char*>(data_), size_);
}

void MappedFile::check_unchanged() const {
  struct stat status;
  if (!mapped_ || (::stat(name_.c_str(), &status) == 0 && version_of(status) == version_)) return;
  throw Error(ErrorCode::invalid_file, "the file changed while it was being read",
              {.file = name_, .hint = "read it again when it is complete"});
}

void MappedFile::read_stream(int descriptor) {
  Buffer<char> bytes(1 << 16);
  std::size_t used = 0;
  for (;;) {
    if (used == bytes.size()) {
      Buffer<char> larger(2 * bytes.size());
      std::memcpy(larger.data(), bytes.data(), used);
      bytes = std::move(larger);
    }
    const ssize_t got = ::read(descriptor, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) refuse_by_system(name_, "cannot be read");
    if (got == 0) break;
    used += std::size_t(got);
  }
  stream_ = std::move(bytes);
  data_ = stream_.data();
  size_ = used;
}

void MappedFile::forget(std::string_view part) const noexcept {
  if (!mapped_ || part.empty()) return;
  const auto page = std::uintptr_t(::sysconf(_SC_PAGESIZE));
  const auto first = (reinterpret_cast<std::uintptr_t>(part.data()) + page - 1) / page * page;
  const auto last = reinterpret_cast<std::uintptr_t>(part.data() + part.size()) / page * page;
  if (first < last) ::madvise(reinterpret_cast<void*>(first), last - first, MADV_DONTNEED);
}

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)) {
  if (path_ == "-") {
    file_ = stdout;
    return;
  }
  std::error_code ignored;
  if (fs::is_symlink(path_, ignored)) {  // its target is replaced, not the link
    const auto target = fs::weakly_canonical(path_, ignored);
    if (!ignored) path_ = target.string();
  }
  struct stat status;
  if (::stat(path_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode)) refuse(path_, "is a directory; name a file to write");
    if (!S_ISREG(status.st_mode)) {  // a pipe or a device cannot be replaced by renaming
      file_ = std::fopen(path_.c_str(), "wb");
      if (!file_) fail("cannot be opened for writing");
      return;
    }
  }
  if (open_unnamed()) return;
  // A name of its own beside the target, with the permissions that the umask gives a new file.
  int descriptor = -1;
  do {
    temporary_ = unique_name(path_);
    descriptor = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  } while (descriptor < 0 && errno == EEXIST);
  if (descriptor < 0) {
    temporary_.clear();
    fail("cannot be created");
  }
  file_ = ::fdopen(descriptor, "wb");
}

// A file without a name, where the system has them: a process that is killed leaves nothing behind.
bool AtomicFile::open_unnamed() {
  const std::string folder = fs::path(path_).parent_path().string();
  const int descriptor =
      ::open(folder.empty() ? "." : folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor < 0) return false;
  unnamed_ = fmt::format("/proc/self/fd/{}", descriptor);
  if (::access(unnamed_.c_str(), F_OK) == 0)
    file_ = ::fdopen(descriptor, "wb");  // else it could not be named later
  if (file_) return true;
  unnamed_.clear();
  ::close(descriptor);
  return false;
}

// The file gets the name that it is renamed from.
void AtomicFile::name_file() {
  do temporary_ = unique_name(path_);
  while (::linkat(AT_FDCWD, unnamed_.c_str(), AT_FDCWD, temporary_.c_str(), AT_SYMLINK_FOLLOW) != 0 &&
         errno == EEXIST);
  if (::access(temporary_.c_str(), F_OK) == 0) return;
  temporary_.clear();
  fail("cannot be put in place");
}

AtomicFile::~AtomicFile() {
  if (file_ && file_ != stdout) std::fclose(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::fail(const char* what) const {
  if (errno == EPIPE) throw Error(ErrorCode::closed_output, "the output was closed", {.file = path_});
  refuse_by_system(path_ == "-" ? "standard output" : path_, what);
}

void AtomicFile::write(std::string_view bytes) {
  if (bytes.empty()) return;
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("cannot be written");
}

void write_file(const std::string& path, std::string_view text) {
  AtomicFile file(path);
  file.write(text);
  file.commit();
}

void AtomicFile::commit() {
  if (std::fflush(file_) != 0) fail("cannot be written");
  if (file_ == stdout) return;
  if (!unnamed_.empty()) name_file();
  const int closed = std::fclose(file_);
  file_ = nullptr;
  if (closed != 0) fail("cannot be written");
  if (temporary_.empty()) return;
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot be put in place");
  temporary_.clear();
}

AtomicFolder::AtomicFolder(std::string path) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  std::error_code fault;
  if (fs::exists(path_, fault) && !(fs::is_directory(path_, fault) && fs::is_empty(path_, fault)))
    throw Error(ErrorCode::invalid_data, "exists already",
                {.file = path_, .hint = "name a folder that does not"});
  std::string beside;
  do beside = unique_name(path_);
  while (!fs::create_directory(beside, fault) && !fault);
  if (fault)
    throw Error(ErrorCode::file_access, fmt::format("cannot be created: {}", fault.message()),
                {.file = path_});
  temporary_ = beside;
}

AtomicFolder::~AtomicFolder() {
  std::error_code ignored;
  if (!temporary_.empty()) fs::remove_all(temporary_, ignored);
}

std::string AtomicFolder::name() const { return fs::path(path_).filename().string(); }

void AtomicFolder::commit() {
  std::error_code fault;
  fs::rename(temporary_, path_, fault);
  if (fault) refuse(path_, fmt::format("cannot be put in place: {}", fault.message()));
  temporary_.clear();
}

}  // namespace mercer

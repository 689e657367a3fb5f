#include "base/disk_arrays.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cerrno>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <thread>

#include "base/file.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

thread_local const DiskArrays* innermost = nullptr;

struct DiskArray {
  std::size_t bytes, resident;
  std::string folder;
};

// Pages of files that are resident, from the system's own count; 0 where it has none.
std::size_t resident_file_bytes(int statm) noexcept {
  char text[128] = {};
  if (statm < 0 || ::pread(statm, text, sizeof text - 1, 0) <= 0) return 0;
  char* at = text;
  for (int field = 0; field < 2; ++field) std::strtoull(at, &at, 10);
  return std::strtoull(at, nullptr, 10) * std::size_t(::sysconf(_SC_PAGESIZE));
}

// All arrays on disk, and the thread that watches over their pages while there are any.
class DiskRegistry {
 public:
  void add(void* block, DiskArray array) {
    const std::scoped_lock joining(starting_);
    bool first = false;
    {
      const std::scoped_lock lock(mutex_);
      arrays_.emplace(block, std::move(array));
      first = arrays_.size() == 1;
      count_ = arrays_.size();
    }
    if (!first) return;
    if (watcher_.joinable()) watcher_.join();
    watcher_ = std::thread([this] { watch(); });
  }
  bool remove(void* block) noexcept {
    if (count_ == 0) return false;
    const std::scoped_lock joining(starting_);
    std::size_t bytes = 0;
    {
      const std::scoped_lock lock(mutex_);
      const auto found = arrays_.find(block);
      if (found == arrays_.end()) return false;
      bytes = found->second.bytes;
      arrays_.erase(found);
      count_ = arrays_.size();
      ::munmap(block, bytes);
    }
    if (count_ == 0) {
      stop_.notify_all();
      watcher_.join();
    }
    return true;
  }
  std::optional<DiskArray> find(const void* block) noexcept {
    if (count_ == 0) return {};
    const std::scoped_lock lock(mutex_);
    const auto found = arrays_.find(const_cast<void*>(block));
    return found == arrays_.end() ? std::nullopt : std::optional(found->second);
  }
  void forget() noexcept {
    const std::scoped_lock lock(mutex_);
    forget_arrays();
  }

 private:
  void forget_arrays() noexcept {
    for (const auto& [block, array] : arrays_) ::madvise(block, array.bytes, MADV_DONTNEED);
    forget_mapped_files();
  }
  void watch() {
    const int statm = ::open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
    // The program and its libraries are files, too.
    const std::size_t before = resident_file_bytes(statm);
    std::unique_lock lock(mutex_);
    while (!arrays_.empty()) {
      std::size_t limit = arrays_.begin()->second.resident;
      for (const auto& [block, array] : arrays_) limit = std::min(limit, array.resident);
      if (resident_file_bytes(statm) > before + limit / 2) forget_arrays();
      stop_.wait_for(lock, std::chrono::milliseconds(5));
    }
    if (statm >= 0) ::close(statm);
  }

  std::mutex starting_, mutex_;  // the first: who starts and ends the thread
  std::map<void*, DiskArray> arrays_;
  std::atomic<std::size_t> count_ = 0;
  std::condition_variable stop_;
  std::thread watcher_;
};

// Never destroyed: arrays may outlive it.
DiskRegistry& registry() {
  static auto* all = new DiskRegistry;
  return *all;
}

struct OpenFile {
  int descriptor;
  ~OpenFile() {
    if (descriptor >= 0) ::close(descriptor);
  }
};

// A file without a name.
int open_nameless(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  if (descriptor >= 0) return descriptor;
  std::string name = folder + "/mercer-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

[[noreturn]] void refuse_disk(const std::string& folder, std::size_t bytes, int reason) {
  struct statvfs room;
  std::string free;
  if (reason == ENOSPC && ::statvfs(folder.c_str(), &room) == 0)
    free = fmt::format(", and {:.3g} GB are free", double(room.f_bavail) * double(room.f_frsize) / 1e9);
  throw Error(ErrorCode::file_access,
              fmt::format("a temporary file of {:.3g} GB for the rows cannot be made: {}{}",
                          double(bytes) / 1e9, std::strerror(reason), free),
              {.file = folder, .hint = "make room there, or write the model to another disk"});
}

}  // namespace

DiskArrays::DiskArrays(std::string folder, std::size_t resident)
    : folder_(std::move(folder)), resident_(resident), outer_(innermost) {
  innermost = this;
}
DiskArrays::~DiskArrays() { innermost = outer_; }

bool DiskArrays::active() noexcept { return innermost != nullptr; }

OnDiskAs::OnDiskAs(const void* block) {
  if (const auto array = registry().find(block)) scope_.emplace(array->folder, array->resident);
}

void* allocate_on_disk(std::size_t bytes) {
  const DiskArrays* scope = innermost;
  if (!scope || bytes < least_on_disk) return nullptr;
  const OpenFile file{open_nameless(scope->folder())};
  if (file.descriptor < 0) refuse_disk(scope->folder(), bytes, errno);
  // A disk that is full is noticed here: a page that cannot be stored would end the program.
  if (const int reason = ::posix_fallocate(file.descriptor, 0, off_t(bytes)))
    refuse_disk(scope->folder(), bytes, reason);
  void* block = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file.descriptor, 0);
  if (block == MAP_FAILED) refuse_disk(scope->folder(), bytes, errno);
  registry().add(block, {bytes, scope->resident(), scope->folder()});
  return block;
}

bool release_on_disk(void* block) noexcept { return registry().remove(block); }

std::optional<std::size_t> resident_limit(const void* block) noexcept {
  const auto array = registry().find(block);
  return array ? std::optional(array->resident) : std::nullopt;
}

void forget_disk_arrays() noexcept { registry().forget(); }

}  // namespace mercer

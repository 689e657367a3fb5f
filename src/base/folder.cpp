#include "base/folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>

#include "mercer/error.hpp"

namespace mercer {

namespace fs = std::filesystem;

AtomicFolder::AtomicFolder(std::string path) : path_(std::move(path)) {
  while (path_.size() > 1 && path_.ends_with('/')) path_.pop_back();
  std::error_code fault;
  if (fs::exists(path_, fault) && !(fs::is_directory(path_, fault) && fs::is_empty(path_, fault)))
    throw Error(ErrorCode::invalid_data, "exists already",
                {.file = path_, .hint = "name a folder that does not"});
  static std::atomic<unsigned> count{0};
  std::string beside;
  do beside = fmt::format("{}.{}-{}", path_, ::getpid(), count++);
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
  if (fault)
    throw Error(ErrorCode::invalid_data, fmt::format("cannot be put in place: {}", fault.message()),
                {.file = path_});
  temporary_.clear();
}

}  // namespace mercer

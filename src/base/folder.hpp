// A folder written whole or not at all, as AtomicFile writes a file.
#pragma once

#include <filesystem>
#include <string>

namespace mercer {

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

// Rows that are more than the memory holds. Arrays of them are kept in files without a name, mapped: they are
// read and written as any others, and a thread gives their pages back to the system once more of them are
// resident than was agreed. Nothing is left behind, even by a process that is killed.
#pragma once

#include <cstddef>
#include <string>

#include "mercer/points.hpp"

namespace MERCER_EXPORT mercer {

/// While it lives, the large arrays that this thread makes are on disk, those of rows that it reads or scales
/// among them; they stay there as long as they are used. Scopes of one thread may be nested.
class DiskArrays {
 public:
  /// `folder`: where the files are. `resident`: bytes of them, and of files being read, that may be in memory
  /// at a time, or a little more. Making an array throws Error{file_access} where the disk has no room for
  /// it.
  DiskArrays(std::string folder, std::size_t resident);
  ~DiskArrays();
  DiskArrays(const DiskArrays&) = delete;
  DiskArrays& operator=(const DiskArrays&) = delete;

  /// Whether one lives in this thread.
  static bool active() noexcept;
  const std::string& folder() const noexcept { return folder_; }
  std::size_t resident() const noexcept { return resident_; }

 private:
  std::string folder_;
  std::size_t resident_;
  const DiskArrays* outer_;
};

/// Whether the numbers of the rows are on disk.
bool on_disk(const Points& points) noexcept;
/// Bytes of memory that the numbers of the rows take: of those on disk, what may be resident.
std::size_t memory_of(const Points& points) noexcept;

}  // namespace mercer

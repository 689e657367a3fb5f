// What arrays in files (mercer/disk_arrays.hpp) are to those who make and read them.
#pragma once

#include <cstddef>
#include <optional>

#include "mercer/disk_arrays.hpp"

namespace mercer {

/// Arrays below this many bytes stay in memory.
inline constexpr std::size_t least_on_disk = std::size_t(1) << 20;

/// An array on disk where this thread has a scope and the array is large; else null.
void* allocate_on_disk(std::size_t bytes);
/// False where the block is not such an array.
bool release_on_disk(void* block) noexcept;
/// Of an array on disk: how many bytes of all of them may be resident.
std::optional<std::size_t> resident_limit(const void* block) noexcept;
/// Gives the pages of all arrays, and of all files being read, back to the system. Nothing is lost.
void forget_disk_arrays() noexcept;

/// A scope as that in which `block` was made, if it is on disk.
class OnDiskAs {
 public:
  explicit OnDiskAs(const void* block);

 private:
  std::optional<DiskArrays> scope_;
};

}  // namespace mercer

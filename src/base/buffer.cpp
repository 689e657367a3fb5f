#include "mercer/buffer.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

#include "base/disk_arrays.hpp"
#include "mercer/error.hpp"

namespace mercer::detail {

namespace {

constexpr std::size_t page = 4096;

/// All pages of a block in one call of the kernel; one by one, at their first use, they take several times as
/// long. An older kernel refuses.
void map_pages(void* block, std::size_t bytes) noexcept {
  const auto first = (reinterpret_cast<std::uintptr_t>(block) + page - 1) / page * page,
             end = reinterpret_cast<std::uintptr_t>(block) + bytes;
  madvise(reinterpret_cast<void*>(first), (end - first) / page * page, MADV_POPULATE_WRITE);
}

}  // namespace

void* allocate(std::size_t count, std::size_t size) {
  constexpr std::size_t huge_page = 2u << 20;
  if (count > SIZE_MAX / 2 / size)
    throw Error(ErrorCode::out_of_memory,
                fmt::format("cannot allocate {:.3g} MB of memory", double(count) * double(size) / 1e6));
  const std::size_t bytes = count * size;
  if (bytes == 0) return nullptr;
  if (void* on_disk = allocate_on_disk(bytes)) return on_disk;
  const std::size_t alignment = bytes >= 2 * huge_page ? huge_page : 64;
  void* block = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (!block)
    throw Error(ErrorCode::out_of_memory,
                fmt::format("cannot allocate {:.1f} MB of memory", double(bytes) / 1e6));
  if (alignment == huge_page)
    madvise(block, bytes, MADV_HUGEPAGE);
  else if (bytes >= 256 * page)
    map_pages(block, bytes);
  return block;
}

void release(void* block) noexcept {
  if (!release_on_disk(block)) std::free(block);
}

}  // namespace mercer::detail

// Parallel loops. Work is cut into tasks whose contents do not depend on the number of threads, and each task
// writes its own output, so results are bit-identical for any number of threads. Where the calling thread has
// a OneThread, it runs all tasks itself.
#pragma once

#include <cstddef>

#include "mercer/one_thread.hpp"
#include "mercer/progress.hpp"

namespace mercer {

/// The number of hardware threads; what `threads = 0` means everywhere.
int hardware_threads() noexcept;

/// The threads for work of so many simple operations.
inline int threads_worth(std::size_t operations, int threads) noexcept {
  return is_brief(operations) ? 1 : threads;
}

/// Runs task(0) … task(count − 1) on up to `threads` threads (0: all). The exception of the first task that
/// failed is rethrown on the calling thread once the tasks under way have ended; those not begun are skipped.
void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& task);

/// The same, with progress reported from the calling thread after its own tasks.
void parallel_for(std::size_t count, int threads, const Progress& progress, std::string_view what,
                  const std::function<void(std::size_t)>& task);

/// Runs task(first, last) for blocks of at most `block` of the numbers 0 … count − 1, in the same way.
void parallel_blocks(std::size_t count, std::size_t block, int threads,
                     const std::function<void(std::size_t first, std::size_t last)>& task);

}  // namespace mercer

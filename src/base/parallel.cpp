#include "base/parallel.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>

#include "mercer/error.hpp"

namespace mercer {

int hardware_threads() noexcept { return std::max(1, omp_get_num_procs()); }

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& task) {
  parallel_for(count, threads, {}, {}, task);
}

void parallel_for(std::size_t count, int threads, const Progress& progress, std::string_view what,
                  const std::function<void(std::size_t)>& task) {
  const int team = int(std::min<std::size_t>(threads > 0 ? threads : hardware_threads(), std::max<std::size_t>(count, 1)));
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto fail = [&](std::exception_ptr error) {
    std::scoped_lock lock(failure_mutex);
    if (!failure) failure = std::move(error);
    stop = true;
  };
  const auto work = [&](bool reports) {
    for (std::size_t i; !stop.load() && (i = next.fetch_add(1)) < count;) {
      try {
        task(i);
        const std::size_t finished = done.fetch_add(1) + 1;
        if (reports && progress && !progress(what, double(finished) / double(count)))
          throw Error(ErrorKind::cancelled, "stopped before the end");
      } catch (...) {
        fail(std::current_exception());
      }
    }
  };
  // The counters also order memory between the threads where ThreadSanitizer, which cannot see inside the
  // OpenMP runtime, would otherwise miss the fork and the join.
  std::atomic<int> begun{0}, ended{0};
  begun.store(1, std::memory_order_release);
#pragma omp parallel num_threads(team) if (team > 1)
  {
    begun.load(std::memory_order_acquire);
    work(omp_get_thread_num() == 0);
    ended.fetch_add(1, std::memory_order_acq_rel);
  }
  ended.load(std::memory_order_acquire);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace mercer

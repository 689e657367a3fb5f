#include "base/parallel.hpp"

#include <omp.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

#include "base/blas.hpp"
#include "mercer/error.hpp"

namespace mercer {

int hardware_threads() noexcept { return std::max(1, omp_get_num_procs()); }

namespace {

using Clock = std::chrono::steady_clock;
thread_local Clock::time_point alone_until = Clock::time_point::min();  // OneThread

// Calls work(true) on this thread and work(false) on size − 1 others, and waits for all.
void run_team(int size, const std::function<void(bool reports)>& work) {
  if (size == 1) return work(true);  // a team of one would make OpenMP give up the threads of the last one
#if defined(__SANITIZE_THREAD__)
  // ThreadSanitizer cannot see the fork and the join inside the OpenMP runtime and would report every team.
  std::vector<std::jthread> others;
  for (int i = 1; i < size; ++i)
    others.emplace_back([&] {
      const SingleThreadedBlas one_thread;  // as inside a team of OpenMP's
      work(false);
    });
  work(true);
#else
#pragma omp parallel num_threads(size)
  work(omp_get_thread_num() == 0);
#endif
}

}  // namespace

OneThread::OneThread() noexcept : before_(std::exchange(alone_until, Clock::time_point::max())) {}
OneThread::OneThread(double seconds) noexcept : before_(alone_until) {
  const auto time = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds));
  alone_until = std::max(alone_until, Clock::now() + time);
}
OneThread::~OneThread() { alone_until = before_; }

void parallel_for(std::size_t count, int threads, const std::function<void(std::size_t)>& task) {
  parallel_for(count, threads, {}, {}, task);
}

void parallel_for(std::size_t count, int threads, const Progress& progress, std::string_view what,
                  const std::function<void(std::size_t)>& task) {
  const int team =
      int(std::min<std::size_t>(threads > 0 ? threads : hardware_threads(), std::max<std::size_t>(count, 1)));
  std::atomic<std::size_t> next{0}, done{0};
  std::atomic<bool> stop{false};
  // Tasks are begun in order, so all before a failed one still end: the first failure in the order of tasks
  // is the same for any number of threads.
  std::exception_ptr failure;
  std::size_t failed = count;
  std::mutex failure_mutex;
  const auto fail = [&](std::size_t i, std::exception_ptr error) {
    std::scoped_lock lock(failure_mutex);
    if (!failure || i < failed) {
      failure = std::move(error);
      failed = i;
    }
    stop = true;
  };
  const auto work_until = [&](bool reports, Clock::time_point end) {
    const bool always = end == Clock::time_point::max();
    for (std::size_t i; !stop.load() && (always || Clock::now() < end) && (i = next.fetch_add(1)) < count;) {
      try {
        task(i);
        const std::size_t finished = done.fetch_add(1) + 1;
        if (reports && progress && !progress(what, double(finished) / double(count)))
          fail(count, std::make_exception_ptr(Error(ErrorCode::cancelled, "stopped before the end")));
      } catch (...) {
        fail(i, std::current_exception());
      }
    }
  };
  if (team > 1) work_until(true, alone_until);
  if (next.load() < count && !stop.load())
    run_team(team, [&](bool reports) { work_until(reports, Clock::time_point::max()); });
  if (failure) std::rethrow_exception(failure);
}

void parallel_blocks(std::size_t count, std::size_t block, int threads,
                     const std::function<void(std::size_t first, std::size_t last)>& task) {
  parallel_for((count + block - 1) / block, threads,
               [&](std::size_t b) { task(b * block, std::min(count, (b + 1) * block)); });
}

}  // namespace mercer

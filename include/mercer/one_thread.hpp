// Short work is done before other threads are awake, and on a busy machine long before. How long work will
// take is often not known when it begins, so that it begins on one thread, and others join once it has gone
// on for a while.
#pragma once

#include <chrono>
#include <cstddef>

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

/// Whether so many simple operations are done before another thread is awake.
constexpr bool is_brief(std::size_t operations) noexcept { return operations < (std::size_t(1) << 19); }

/// While one of these lives, the calling thread does its work itself, whatever number of threads it is told
/// to use: for some seconds, or always. Results do not change: they are the same bits for any number of
/// threads.
class OneThread {
 public:
  static constexpr double a_while = 0.02;

  OneThread() noexcept;  ///< always
  explicit OneThread(double seconds) noexcept;
  ~OneThread();
  OneThread(const OneThread&) = delete;
  OneThread& operator=(const OneThread&) = delete;

 private:
  std::chrono::steady_clock::time_point before_;  // until when it had to without this one
};

}  // namespace mercer

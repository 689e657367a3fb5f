// Long work asks now and then, from whichever thread does it, whether it is to go on.
#pragma once

#include <chrono>
#include <mutex>
#include <string>
#include <utility>

#include "base/seconds.hpp"
#include "mercer/error.hpp"
#include "mercer/progress.hpp"

namespace mercer {

class Poll {
 public:
  Poll() = default;
  explicit Poll(Progress progress) : progress_(std::move(progress)) {}
  Poll(const Poll&) = delete;
  Poll& operator=(const Poll&) = delete;

  /// Asks at most every 50 ms, one thread at a time; Error{cancelled} where the answer is to stop.
  void operator()(std::string_view what, double fraction) const {
    if (!progress_) return;
    const std::unique_lock lock(mutex_, std::try_to_lock);
    if (!lock.owns_lock() || seconds_since(last_) < 0.05) return;
    last_ = std::chrono::steady_clock::now();
    if (!progress_(what, fraction)) throw Error(ErrorCode::cancelled, "stopped before the end");
  }

 private:
  Progress progress_;
  mutable std::mutex mutex_;
  mutable std::chrono::steady_clock::time_point last_ = {};  // long ago: the first call asks
};

}  // namespace mercer

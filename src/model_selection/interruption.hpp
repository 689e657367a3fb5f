// The caller's wish to stop, for work that goes on to an end of its own.
#pragma once

#include <atomic>
#include <chrono>
#include <optional>
#include <utility>

#include "base/seconds.hpp"
#include "mercer/progress.hpp"

namespace mercer {

class Interruption {
 public:
  bool asked() const noexcept { return asked_; }
  void note() noexcept { asked_ = true; }

  /// Work that ends with Error{cancelled} where the caller wants to stop.
  Progress stopping(Progress outer) {
    if (!outer) return {};
    return [this, outer = std::move(outer)](std::string_view what, double fraction) {
      if (!outer(what, fraction)) note();
      return !asked_;
    };
  }
  /// Work without which nothing could be kept: it goes on for so many seconds after the wish (or after now,
  /// where that is later).
  Progress finishing(Progress outer, double grace) {
    if (!outer) return {};
    return [this, outer = std::move(outer), grace, since = std::optional<Clock::time_point>()](
               std::string_view what, double fraction) mutable {
      if (!outer(what, fraction)) note();
      if (!asked_) return true;
      if (!since) since = Clock::now();
      return seconds_since(*since) <= grace;
    };
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::atomic<bool> asked_ = false;
};

}  // namespace mercer

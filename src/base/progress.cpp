#include "mercer/progress.hpp"

#include <atomic>
#include <chrono>
#include <cmath>
#include <mutex>
#include <optional>
#include <string>

#include "base/seconds.hpp"
#include "mercer/error.hpp"

namespace mercer {

struct Progress::Line {
  Listener listener;
  std::mutex mutex = {};
  std::chrono::steady_clock::time_point checked = {};  // long ago: the first check tells
  std::string of = {};
  std::atomic<bool> stopped = false;

  bool tell(std::string_view what, double fraction) {
    const bool go_on = listener(what, fraction);
    if (!go_on) stopped = true;
    return go_on;
  }
};

Progress::Progress(Listener listener, int) {
  if (listener) line_ = std::make_shared<Line>(std::move(listener));
}

bool Progress::operator()(std::string_view what, double fraction) const {
  if (!line_) return true;
  const std::unique_lock lock(line_->mutex, std::try_to_lock);
  return !lock.owns_lock() || line_->tell(what, begin_ + length_ * fraction);
}

void Progress::check(std::string_view what, double fraction) const {
  if (!line_) return;
  const std::unique_lock lock(line_->mutex, std::try_to_lock);
  if (!lock.owns_lock() || (what == line_->of && seconds_since(line_->checked) < 0.05)) return;
  line_->checked = std::chrono::steady_clock::now();
  line_->of = what;
  if (!line_->tell(what, begin_ + length_ * fraction))
    throw Error(ErrorCode::cancelled, "stopped before the end");
}

Progress Progress::part(double begin, double end) const {
  Progress some = *this;
  some.begin_ = begin_ + length_ * begin;
  some.length_ = length_ * (end - begin);
  return some;
}

Progress Progress::with_grace(double seconds) const {
  if (!line_) return {};
  return [outer = *this, seconds, since = std::optional<std::chrono::steady_clock::time_point>()](
             std::string_view what, double fraction) mutable {
    if (!outer(what, fraction) && !since) since = std::chrono::steady_clock::now();
    return !since || seconds_since(*since) < seconds;
  };
}

bool Progress::stopped() const noexcept { return line_ && line_->stopped; }

double decades_done(double first, double now, double goal) noexcept {
  return now <= goal ? 1 : first > now ? std::log(first / now) / std::log(first / goal) : 0;
}

}  // namespace mercer

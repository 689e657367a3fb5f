#include "methods/watch.hpp"

#include <algorithm>

#include "base/seconds.hpp"
#include "mercer/error.hpp"

namespace mercer {

bool Watch::go_on(std::string_view what, double fraction) {
  if (seconds() > options_.seconds) cut_short_ = true;
  const std::unique_lock reports(mutex_, std::try_to_lock);
  if (!options_.progress || cut_short_ || !reports) return !cut_short_;
  done_ = std::clamp(fraction, done_, 1.0);
  if (!options_.progress(what, done_)) {
    cut_short_ = true;
    if (!options_.keep_on_cancel) throw Error(ErrorCode::cancelled, "stopped before the end");
  }
  return !cut_short_;
}

Progress Watch::keeping(double begin, double end) {
  return [this, begin, end](std::string_view what, double fraction) {
    return go_on(what, begin + (end - begin) * fraction);
  };
}

Progress Watch::progress(double begin, double end) {
  return [this, begin, end](std::string_view what, double fraction) {
    if (go_on(what, begin + (end - begin) * fraction)) return true;
    throw Error(ErrorCode::out_of_time, "the time was over before there was a model");
  };
}

double Watch::seconds() const { return seconds_since(start_); }

}  // namespace mercer

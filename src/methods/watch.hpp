// The clock of a fit: its time budget, its progress, and the caller's wish to stop.
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string_view>

#include "mercer/fit.hpp"

namespace mercer {

class Watch {
 public:
  explicit Watch(const FitOptions& options) : options_(options) {}

  /// Reports how far the fit is; may be called from every thread. False where it should end with what it has:
  /// the time is over, or the caller says so and keeps the model. Throws Error{cancelled} where the caller
  /// does not.
  bool go_on(std::string_view what, double fraction);
  /// The same for a solver, which ends with what it has. `begin` and `end`: the part of the fit that its work
  /// is.
  Progress keeping(double begin, double end);
  /// The same for work without which there is no model: it throws Error{budget} where the time
  /// is over.
  Progress progress(double begin, double end);
  bool cut_short() const noexcept { return cut_short_; }
  void cut() noexcept { cut_short_ = true; }  ///< as another rank is
  double seconds() const;

 private:
  const FitOptions& options_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::atomic<bool> cut_short_ = false;
  double done_ = 0;
};

}  // namespace mercer

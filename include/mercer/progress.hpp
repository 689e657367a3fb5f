// How long work tells its caller how far it is, and how the caller stops it.
#pragma once

#include <concepts>
#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

/// A value; copies and parts tell the same listener. Any thread may tell it: a thread that comes while
/// another one is telling does not wait.
class Progress {
 public:
  /// Told what is done and the fraction done, in [0, 1], never by two threads at a time. Returning false asks
  /// the work to stop at the next safe point.
  using Listener = std::function<bool(std::string_view what, double fraction)>;

  Progress() = default;  ///< silent, never stopped
  template <class F>
  requires(!std::same_as<F, Progress> && std::is_invocable_r_v<bool, F&, std::string_view, double>)
      Progress(F listener)
      : Progress(Listener(std::move(listener)), 0) {}

  /// Whether somebody listens.
  explicit operator bool() const noexcept { return line_ != nullptr; }
  /// False where the work should end with what it has.
  bool operator()(std::string_view what, double fraction) const;
  /// For work that has nothing before its end: throws Error{cancelled} where it should stop. To be called as
  /// often as one likes: the listener is told at once of other work, and of the same at most every 50 ms.
  void check(std::string_view what, double fraction) const;
  /// The fractions of this are [begin, end] of the whole.
  Progress part(double begin, double end) const;
  /// For work without which nothing could be kept: it goes on for so many seconds after the listener asked it
  /// to stop (0: not at all) and is then stopped for good, whatever the listener says.
  Progress with_grace(double seconds) const;
  /// Whether it has asked the work to stop.
  bool stopped() const noexcept;

 private:
  struct MERCER_HIDDEN Line;
  Progress(Listener listener, int);
  std::shared_ptr<Line> line_;
  double begin_ = 0, length_ = 1;
};

/// How far work is that falls geometrically from the first number to the goal.
double decades_done(double first, double now, double goal) noexcept;

}  // namespace mercer

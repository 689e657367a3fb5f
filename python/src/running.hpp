// Long work, so that Python can go on: it runs on a thread of its own without Python's lock, while the calling thread looks now and
// then whether somebody pressed Ctrl-C (Python tells only its main thread) and passes on how far the work is.
#pragma once

#include <pybind11/pybind11.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

#include "mercer/progress.hpp"

namespace mercer::python {

namespace py = pybind11;

/// What the two threads tell each other.
class Conversation {
 public:
  Progress progress() {
    return [this](std::string_view what, double fraction) {
      const std::lock_guard lock(mutex_);
      what_ = what;
      fraction_ = fraction;
      return !stop_;
    };
  }
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  /// Returns when the work has ended; an exception of Python's, KeyboardInterrupt among them, has stopped it then.
  void wait(const py::object& listener) {
    std::optional<py::error_already_set> raised;
    while (!ended_within(std::chrono::milliseconds(50))) {
      const py::gil_scoped_acquire python;
      if (raised) continue;
      try {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (!listener.is_none()) tell(listener);
      } catch (py::error_already_set& error) {
        raised.emplace(std::move(error));
        const std::lock_guard lock(mutex_);
        stop_ = true;
      }
    }
    if (!raised) return;
    const py::gil_scoped_acquire python;
    throw py::error_already_set(std::move(*raised));
  }

 private:
  bool ended_within(std::chrono::milliseconds time) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, time, [this] { return ended_; });
  }
  void tell(const py::object& listener) {
    std::string what;
    double fraction;
    {
      const std::lock_guard lock(mutex_);
      what = what_;
      fraction = fraction_;
    }
    listener(what, fraction);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::string what_;
  double fraction_ = 0;
  bool ended_ = false, stop_ = false;
};

/// The value of work(progress). `listener`: called with what is done and the fraction done, or None.
template <class Work>
auto run(const py::object& listener, Work&& work) {
  using Value = std::invoke_result_t<Work, const Progress&>;
  std::optional<Value> value;
  std::exception_ptr failed;
  Conversation conversation;
  {
    const py::gil_scoped_release others;
    std::thread worker([&] {
      try {
        value.emplace(work(conversation.progress()));
      } catch (...) {
        failed = std::current_exception();
      }
      conversation.end();
    });
    struct Join {
      std::thread& thread;
      ~Join() { thread.join(); }
    } join{worker};
    conversation.wait(listener);
  }
  if (failed) std::rethrow_exception(failed);
  return std::move(*value);
}

}  // namespace mercer::python

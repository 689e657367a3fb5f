// Long work, so that Python can go on: it runs on another thread (workers.hpp) without Python's lock, while
// the calling thread looks now and then whether somebody pressed Ctrl-C (Python tells only its main thread)
// and passes on how far the work is.
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "mercer/progress.hpp"
#include "workers.hpp"

namespace mercer::python {

/// What the two threads tell each other.
class Conversation {
 public:
  Progress progress() {
    return [this](std::string_view what, double fraction) {
      const std::lock_guard lock(mutex_);
      what_ = what;
      fraction_ = fraction;
      return !stop_ && !Workers::of_process().leaving();
    };
  }
  void end() {
    const std::lock_guard lock(mutex_);
    ended_ = true;
    changed_.notify_all();
  }
  /// Returns, also by an exception (KeyboardInterrupt, or what the listener raised), when the work has ended
  /// and not before: it writes to what the caller holds.
  void wait(const py::object& listener) {
    std::exception_ptr raised;
    while (!ended_within(std::chrono::milliseconds(50))) {
      if (raised) continue;
      const py::gil_scoped_acquire python;
      try {
        if (PyErr_CheckSignals() != 0) throw py::error_already_set();
        if (!listener.is_none()) tell(listener);
      } catch (...) {
        raised = std::current_exception();
        const std::lock_guard lock(mutex_);
        stop_ = true;
      }
    }
    if (raised) std::rethrow_exception(raised);
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
  const std::unique_ptr<Worker, void (*)(Worker*)> worker(
      Workers::of_process().take(), [](Worker* done) { Workers::of_process().give_back(done); });
  {
    const py::gil_scoped_release others;
    worker->give([&] {
      try {
        value.emplace(work(conversation.progress()));
      } catch (...) {
        failed = std::current_exception();
      }
      conversation.end();
    });
    conversation.wait(listener);
  }
  if (failed && Workers::of_process().leaving()) {  // a thread that ends so says nothing
    PyErr_SetNone(PyExc_SystemExit);
    throw py::error_already_set();
  }
  if (failed) std::rethrow_exception(failed);
  return std::move(*value);
}

}  // namespace mercer::python

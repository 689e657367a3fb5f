// Long work, so that Python can go on: it runs on a thread of its own without Python's lock, while the calling thread looks now and
// then whether somebody pressed Ctrl-C (Python tells only its main thread) and passes on how far the work is.
//
// The thread ends with its work, and OpenMP's threads, which belong to it, end with it: a process may fork after a fit (OpenMP would
// wait in the child for threads that only the parent has), and costs some ten microseconds for that.
//
// Python does not wait for daemon threads when it leaves. One that asked for Python's lock after that would be ended in the middle of
// C++, which ends the process by std::terminate; so work is stopped, and waited for, before Python leaves.
#pragma once

#include <pthread.h>
#include <pybind11/pybind11.h>

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

/// How much work there is in the process, and whether Python is about to leave.
class Departure {
 public:
  /// Never destroyed: a thread may look at it while the process ends.
  static Departure& of_process() {
    static auto* departure = new Departure;
    return *departure;
  }
  void begin() {
    const std::lock_guard lock(mutex_);
    if (leaving_) throw std::runtime_error("Python is about to end: nothing new is begun");
    ++running_;
  }
  void end() {
    const std::lock_guard lock(mutex_);
    --running_;
    fewer_.notify_all();
  }
  bool leaving() {
    const std::lock_guard lock(mutex_);
    return leaving_;
  }
  /// Stops all work. The bound is for work that does not look up for so long: the process ends all the same.
  void leave() {
    std::unique_lock lock(mutex_);
    leaving_ = true;
    fewer_.wait_for(lock, std::chrono::seconds(10), [this] { return running_ == 0; });
  }
  /// Called once: before Python leaves there is no work, and in the child of a fork neither.
  void arrange() {
    py::module_::import("atexit").attr("register")(py::cpp_function([] {
      const py::gil_scoped_release others;
      of_process().leave();
    }));
    pthread_atfork([] { of_process().mutex_.lock(); }, [] { of_process().mutex_.unlock(); },
                   [] {
                     of_process().running_ = 0;
                     of_process().mutex_.unlock();
                   });
  }

 private:
  std::mutex mutex_;
  std::condition_variable fewer_;
  std::size_t running_ = 0;
  bool leaving_ = false;
};

/// What the two threads tell each other.
class Conversation {
 public:
  Conversation() { Departure::of_process().begin(); }
  ~Conversation() { Departure::of_process().end(); }
  Conversation(const Conversation&) = delete;
  Conversation& operator=(const Conversation&) = delete;

  Progress progress() {
    return [this](std::string_view what, double fraction) {
      const std::lock_guard lock(mutex_);
      what_ = what;
      fraction_ = fraction;
      return !stop_ && !Departure::of_process().leaving();
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
      if (raised) continue;
      const py::gil_scoped_acquire python;
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
  if (failed && Departure::of_process().leaving()) {  // a thread that ends so says nothing
    PyErr_SetNone(PyExc_SystemExit);
    throw py::error_already_set();
  }
  if (failed) std::rethrow_exception(failed);
  return std::move(*value);
}

}  // namespace mercer::python

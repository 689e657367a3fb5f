// Long work, so that Python can go on: it runs on another thread without Python's lock, while
// the calling thread looks now and then whether somebody pressed Ctrl-C (Python tells only its main thread)
// and passes on how far the work is. Work that should be over before another thread is awake is done by the
// calling thread itself, without the lock too; where it takes longer than thought, it looks for Ctrl-C each
// time it tells how far it is.
//
// The threads that do it are kept: OpenMP's threads belong to the thread that uses them and end
// with it, which takes milliseconds where other programs keep the cores busy, and a small fit takes no longer
// than that.
//
// In the child of a fork none of them exists; it begins with new ones, and so do OpenMP's, which would
// otherwise be waited for in vain.
//
// Python does not wait for daemon threads when it leaves, and ends those that ask for its lock later in the
// middle of C++. So work is stopped, and waited for, before that.
#pragma once

#include <pthread.h>
#include <pybind11/pybind11.h>

#include <chrono>
#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "mercer/one_thread.hpp"
#include "mercer/progress.hpp"

namespace mercer::python {

namespace py = pybind11;

/// A thread that does what it is given, one after the other.
class Worker {
 public:
  Worker() : thread_([this] { do_what_comes(); }) {}
  ~Worker() {
    give({});
    thread_.join();
  }
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  /// `work` throws nothing, and says itself when it has ended; empty: the thread ends.
  void give(std::function<void()> work) {
    const std::lock_guard lock(mutex_);
    work_ = std::move(work);
    given_ = true;
    changed_.notify_one();
  }

 private:
  void do_what_comes() {
    while (const std::function<void()> work = next()) work();
  }
  std::function<void()> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return given_; });
    given_ = false;
    return std::exchange(work_, nullptr);
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::function<void()> work_;
  bool given_ = false;
  std::thread thread_;  // begins when all else is there
};

/// Those of the process.
class Workers {
 public:
  /// Never destroyed: a thread may look at it while the process ends.
  static Workers& of_process() {
    static auto* workers = new Workers;
    return *workers;
  }

  Worker* take() {
    if (Worker* idle = more(true)) return idle;
    try {
      return new Worker;
    } catch (...) {
      fewer(nullptr);
      throw;
    }
  }
  void give_back(Worker* worker) noexcept { delete fewer(worker); }
  /// The same for work of the calling thread.
  void begin() { more(false); }
  void end() noexcept { fewer(nullptr); }

  bool leaving() {
    const std::lock_guard lock(mutex_);
    return leaving_;
  }
  /// Called once, by the module: before Python leaves there is no work, and in the child of a fork neither.
  void arrange() {
    py::module_::import("atexit").attr("register")(py::cpp_function([] {
      const py::gil_scoped_release others;
      of_process().leave();
    }));
    pthread_atfork([] { of_process().mutex_.lock(); }, [] { of_process().mutex_.unlock(); },
                   [] {
                     of_process().busy_ = 0;
                     of_process().idle_.clear();  // not deleted: their threads stayed with the parent
                     of_process().mutex_.unlock();
                   });
  }

 private:
  Workers() { idle_.reserve(most_idle); }

  /// A worker that has nothing to do, where there is one and it is wanted.
  Worker* more(bool wanted) {
    const std::lock_guard lock(mutex_);
    if (leaving_) throw std::runtime_error("Python is about to end: nothing new is begun");
    ++busy_;
    if (!wanted || idle_.empty()) return nullptr;
    Worker* worker = idle_.back();
    idle_.pop_back();
    return worker;
  }
  /// The worker where it is not kept.
  Worker* fewer(Worker* worker) noexcept {
    const std::lock_guard lock(mutex_);
    --busy_;
    changed_.notify_all();
    if (!worker || leaving_ || idle_.size() == most_idle) return worker;
    idle_.push_back(worker);
    return nullptr;
  }
  /// The bound is for work that does not look up for so long: the process ends all the same.
  void leave() {
    std::unique_lock lock(mutex_);
    leaving_ = true;
    changed_.wait_for(lock, std::chrono::seconds(10), [this] { return busy_ == 0; });
    const std::vector<Worker*> idle = std::exchange(idle_, {});
    lock.unlock();
    for (Worker* worker : idle) delete worker;
  }

  static constexpr std::size_t most_idle = 4;  // each with OpenMP's threads of its own
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t busy_ = 0;
  std::vector<Worker*> idle_;
  bool leaving_ = false;
};

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

/// A thread that ends with Python says nothing.
inline void rethrow(const std::exception_ptr& failed) {
  if (failed && Workers::of_process().leaving()) {
    PyErr_SetNone(PyExc_SystemExit);
    throw py::error_already_set();
  }
  if (failed) std::rethrow_exception(failed);
}

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
  rethrow(failed);
  return std::move(*value);
}

/// The same where nobody listens.
template <class Work>
auto run(Work&& work) {
  return run(py::none(), std::forward<Work>(work));
}

/// Tells work of the calling thread to stop: somebody pressed Ctrl-C, or Python leaves.
class Interrupts {
 public:
  bool go_on() {
    const auto now = std::chrono::steady_clock::now();
    if (raised_ || std::this_thread::get_id() != caller_ || now < next_) return !raised_;
    next_ = now + std::chrono::milliseconds(50);
    if (Workers::of_process().leaving()) return false;
    const py::gil_scoped_acquire python;
    try {
      if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    } catch (...) {
      raised_ = std::current_exception();
    }
    return !raised_;
  }
  const std::exception_ptr& raised() const { return raised_; }

 private:
  std::thread::id caller_ = std::this_thread::get_id();
  std::chrono::steady_clock::time_point next_ =
      std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  std::exception_ptr raised_;
};

/// The value of work(progress), by the calling thread alone: for work of a millisecond. Were OpenMP's threads
/// to belong to a thread of Python's, the child of a fork would wait for them in vain.
template <class Work>
auto run_here(Work&& work) {
  using Value = std::invoke_result_t<Work, const Progress&>;
  std::optional<Value> value;
  std::exception_ptr failed;
  Interrupts interrupts;
  Workers::of_process().begin();
  {
    const py::gil_scoped_release others;
    const OneThread alone;
    try {
      value.emplace(work([&](std::string_view, double) { return interrupts.go_on(); }));
    } catch (...) {
      failed = std::current_exception();
    }
  }
  Workers::of_process().end();
  if (interrupts.raised()) std::rethrow_exception(interrupts.raised());
  rethrow(failed);
  return std::move(*value);
}

}  // namespace mercer::python

// Objects that one thread at a time may use: taken from those that are idle, or made where none is, and given
// back.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

namespace mercer {

template <class T>
class Pool {
 public:
  class Loan {
   public:
    explicit Loan(Pool& pool) : pool_(pool), object_(pool.take()) {}
    Loan(const Loan&) = delete;
    ~Loan() {
      std::scoped_lock lock(pool_.mutex_);
      pool_.idle_.push_back(std::move(object_));
    }
    T& operator*() noexcept { return *object_; }

   private:
    Pool& pool_;
    std::unique_ptr<T> object_;
  };

  Loan borrow() { return Loan(*this); }

 private:
  std::unique_ptr<T> take() {
    std::scoped_lock lock(mutex_);
    if (idle_.empty()) return std::make_unique<T>();
    std::unique_ptr<T> object = std::move(idle_.back());
    idle_.pop_back();
    return object;
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> idle_;
};

}  // namespace mercer

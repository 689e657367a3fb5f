// The columns of K that were used last, within a budget (least recently used leaves first).
#pragma once

#include <algorithm>
#include <list>
#include <mutex>
#include <span>
#include <unordered_map>
#include <vector>

#include "mercer/buffer.hpp"

namespace mercer {

template <class T>
class ColumnCache {
 public:
  ColumnCache(std::size_t length, std::size_t memory)
      : length_(length), capacity_(length ? memory / (length * sizeof(T)) : 0) {}

  /// out[j · length] … = column indices[j]. compute(missing, to) makes those that are not here.
  template <class Compute>
  void fetch(std::span<const std::size_t> indices, std::span<T> out, Compute compute) {
    std::scoped_lock lock(mutex_);
    std::vector<std::size_t> missing, places;
    for (std::size_t j = 0; j < indices.size(); ++j) {
      const auto found = columns_.find(indices[j]);
      if (found == columns_.end()) {
        missing.push_back(indices[j]);
        places.push_back(j);
        continue;
      }
      order_.splice(order_.begin(), order_, found->second.position);
      std::copy_n(found->second.numbers.data(), length_, out.data() + j * length_);
    }
    if (missing.empty()) return;
    Buffer<T> made(missing.size() * length_);
    compute(missing, made.data());
    for (std::size_t k = 0; k < missing.size(); ++k) {
      std::copy_n(made.data() + k * length_, length_, out.data() + places[k] * length_);
      keep(missing[k], made.data() + k * length_);
    }
  }

  std::size_t size() const noexcept { return columns_.size(); }
  std::size_t capacity() const noexcept { return capacity_; }

 private:
  struct Column {
    Buffer<T> numbers;
    std::list<std::size_t>::iterator position;
  };

  void keep(std::size_t index, const T* numbers) {
    if (capacity_ == 0 || columns_.contains(index)) return;
    Buffer<T> storage;
    if (columns_.size() == capacity_) {  // the oldest column's memory serves the new one
      storage = std::move(columns_.at(order_.back()).numbers);
      columns_.erase(order_.back());
      order_.pop_back();
    } else {
      storage = Buffer<T>(length_);
    }
    std::copy_n(numbers, length_, storage.data());
    order_.push_front(index);
    columns_.emplace(index, Column{std::move(storage), order_.begin()});
  }

  std::mutex mutex_;
  std::size_t length_, capacity_;
  std::list<std::size_t> order_;  // most recently used first
  std::unordered_map<std::size_t, Column> columns_;
};

}  // namespace mercer

// A plain array whose elements are not zeroed on allocation. Clearing gigabytes that are about to be written
// costs seconds, and large blocks ask for huge pages.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

class Points;

namespace detail {
/// `count` elements of `size` bytes, 64-byte aligned; throws Error{budget} when there is no memory for them.
void* allocate(std::size_t count, std::size_t size);
void release(void* block) noexcept;
}  // namespace detail

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : data_(static_cast<T*>(detail::allocate(size, sizeof(T))), detail::release), size_(size) {}
  Buffer(std::size_t size, T value) : Buffer(size) {
    for (T& element : *this) element = value;
  }
  Buffer(Buffer&& other) noexcept : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    data_.swap(other.data_);
    std::swap(size_, other.size_);
    return *this;
  }

  T* data() noexcept { return data_.get(); }
  const T* data() const noexcept { return data_.get(); }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T& operator[](std::size_t i) noexcept { return data()[i]; }
  const T& operator[](std::size_t i) const noexcept { return data()[i]; }
  T* begin() noexcept { return data(); }
  T* end() noexcept { return data() + size_; }
  const T* begin() const noexcept { return data(); }
  const T* end() const noexcept { return data() + size_; }
  operator std::span<T>() noexcept { return {data(), size_}; }
  operator std::span<const T>() const noexcept { return {data(), size_}; }

 private:
  /// Elements that `owner` keeps alive. Only Points makes such buffers, as parts of what nobody can change.
  friend Points;
  Buffer(std::span<const T> elements, const std::shared_ptr<const void>& owner) noexcept
      : data_(std::const_pointer_cast<T>(std::shared_ptr<const T>(owner, elements.data()))),
        size_(elements.size()) {}

  std::shared_ptr<T> data_;  // knows how the memory is let go of
  std::size_t size_ = 0;
};

}  // namespace mercer

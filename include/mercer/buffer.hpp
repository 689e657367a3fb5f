// A plain array whose elements are not zeroed on allocation. Clearing gigabytes that are about to be written
// costs seconds, and large blocks ask for huge pages. It may also stand for memory that somebody else owns.
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>
#include <utility>

namespace mercer {

namespace detail {
/// `count` elements of `size` bytes, 64-byte aligned; throws Error{budget} when there is no memory for them.
void* allocate(std::size_t count, std::size_t size);
void release(void* block) noexcept;
}  // namespace detail

/// Whoever owns memory that a buffer reads: deleted when the buffer no longer does, by whichever thread that
/// happens in.
struct Outside {
  virtual ~Outside() = default;
};

template <class T>
class Buffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Buffer() = default;
  explicit Buffer(std::size_t size)
      : data_(static_cast<T*>(detail::allocate(size, sizeof(T)))), size_(size) {}
  Buffer(std::size_t size, T value) : Buffer(size) {
    for (T& element : *this) element = value;
  }
  /// `size` elements elsewhere, read only and not copied. Takes over `owner`, which was made by new.
  Buffer(const T* outside, std::size_t size, Outside* owner) noexcept
      : data_(const_cast<T*>(outside)), size_(size), owner_(owner) {}
  Buffer(Buffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        owner_(std::exchange(other.owner_, nullptr)) {}
  Buffer& operator=(Buffer&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(owner_, other.owner_);
    return *this;
  }
  ~Buffer() {
    if (owner_)
      delete owner_;
    else
      detail::release(data_);
  }

  bool borrowed() const noexcept { return owner_ != nullptr; }

  T* data() noexcept { return data_; }
  const T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  bool empty() const noexcept { return size_ == 0; }
  T& operator[](std::size_t i) noexcept { return data_[i]; }
  const T& operator[](std::size_t i) const noexcept { return data_[i]; }
  T* begin() noexcept { return data_; }
  T* end() noexcept { return data_ + size_; }
  const T* begin() const noexcept { return data_; }
  const T* end() const noexcept { return data_ + size_; }
  operator std::span<T>() noexcept { return {data_, size_}; }
  operator std::span<const T>() const noexcept { return {data_, size_}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
  Outside* owner_ = nullptr;  // none: the memory is its own
};

}  // namespace mercer

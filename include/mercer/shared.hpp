// Shared ownership of an object that no longer changes. std::shared_ptr would do, but <memory> alone takes a
// third of a second to compile, and every public header would pay it.
#pragma once

#include <utility>

namespace mercer {

namespace detail {
struct Count;
Count* new_count();  ///< of one owner
void add_owner(Count* count) noexcept;
bool drop_owner(Count* count) noexcept;  ///< true: that was the last; the count is gone too
}  // namespace detail

template <class T>
class Shared {
 public:
  Shared() = default;
  /// Takes over an object made by new. T must be complete here, and nowhere else.
  explicit Shared(const T* owned)
      : object_(owned), count_(detail::new_count()), destroy_([](const T* object) { delete object; }) {}
  Shared(const Shared& other) noexcept
      : object_(other.object_), count_(other.count_), destroy_(other.destroy_) {
    if (count_) detail::add_owner(count_);
  }
  Shared(Shared&& other) noexcept
      : object_(std::exchange(other.object_, nullptr)),
        count_(std::exchange(other.count_, nullptr)),
        destroy_(other.destroy_) {}
  Shared& operator=(Shared other) noexcept {
    std::swap(object_, other.object_);
    std::swap(count_, other.count_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~Shared() {
    if (count_ && detail::drop_owner(count_)) destroy_(object_);
  }

  const T& operator*() const noexcept { return *object_; }
  const T* operator->() const noexcept { return object_; }

 private:
  const T* object_ = nullptr;
  detail::Count* count_ = nullptr;
  void (*destroy_)(const T*) = nullptr;
};

}  // namespace mercer

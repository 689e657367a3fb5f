// An object behind an interface, as a value; std::polymorphic of C++26 is the same.
#pragma once

#include <memory>
#include <utility>

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

/// Owns its object, and copies it by the interface's clone().
template <class Interface>
class Polymorphic {
 public:
  explicit Polymorphic(std::unique_ptr<Interface> object) noexcept : object_(std::move(object)) {}
  explicit Polymorphic(const Interface& object) : object_(object.clone()) {}
  Polymorphic(const Polymorphic& other) : object_(other->clone()) {}
  Polymorphic& operator=(Polymorphic other) noexcept {
    object_.swap(other.object_);
    return *this;
  }
  Interface& operator*() noexcept { return *object_; }
  const Interface& operator*() const noexcept { return *object_; }
  Interface* operator->() noexcept { return object_.get(); }
  const Interface* operator->() const noexcept { return object_.get(); }

 private:
  std::unique_ptr<Interface> object_;  // never null
};

}  // namespace mercer

#include "capi/handles.hpp"

#include <fmt/format.h>

#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace mercer::capi {

namespace {

constexpr std::uintptr_t first_number = 0x1001;  // 0 is NULL, and small numbers are what mistakes look like
constexpr std::uintptr_t step = 2;               // odd ones are no address of an object

class Registry {
 public:
  // It is never destroyed: other threads may still predict while the program ends.
  static Registry& the() {
    static Registry& registry = *new Registry;
    return registry;
  }

  std::uintptr_t add(std::variant<SharedData, SharedModel> object) {
    const std::unique_lock lock(mutex_);
    const std::uintptr_t number = next_;
    objects_.emplace(number, std::move(object));
    next_ += step;
    return number;
  }
  template <class Shared>
  Shared find(std::uintptr_t number, const char* kind) const {
    const std::shared_lock lock(mutex_);
    return shared<Shared>(number, kind);
  }
  void replace(std::uintptr_t number, SharedData data) {
    std::variant<SharedData, SharedModel> before;  // let go of behind the lock
    const std::unique_lock lock(mutex_);
    shared<SharedData>(number, "data");
    before = std::exchange(objects_.find(number)->second, std::move(data));
  }
  template <class Shared>
  void remove(std::uintptr_t number, const char* kind) {
    if (number == 0) return;
    Shared last;
    const std::unique_lock lock(mutex_);
    last = shared<Shared>(number, kind);
    objects_.erase(number);
  }

 private:
  template <class Shared>
  const Shared& shared(std::uintptr_t number, const char* kind) const {
    if (number == 0) throw HandleError(fmt::format("the handle of the {} is NULL", kind));
    const auto found = objects_.find(number);
    if (found == objects_.end()) {
      const bool given = number >= first_number && number < next_ && (number - first_number) % step == 0;
      throw HandleError(given ? fmt::format("the handle of the {} was freed before", kind)
                              : fmt::format("the handle of the {} was not made by this library", kind));
    }
    const Shared* object = std::get_if<Shared>(&found->second);
    if (!object)
      throw HandleError(fmt::format("the handle is not that of a {}, but of {}", kind,
                                    std::holds_alternative<SharedData>(found->second) ? "data" : "a model"));
    return *object;
  }

  mutable std::shared_mutex mutex_;
  std::unordered_map<std::uintptr_t, std::variant<SharedData, SharedModel>> objects_;
  std::uintptr_t next_ = first_number;
};

std::uintptr_t number_of(const void* handle) { return reinterpret_cast<std::uintptr_t>(handle); }

}  // namespace

mercer_data* hold(SharedData data) {
  return reinterpret_cast<mercer_data*>(Registry::the().add(std::move(data)));
}
mercer_model* hold(SharedModel model) {
  return reinterpret_cast<mercer_model*>(Registry::the().add(std::move(model)));
}

SharedData held(const mercer_data* handle) {
  return Registry::the().find<SharedData>(number_of(handle), "data");
}
SharedModel held(const mercer_model* handle) {
  return Registry::the().find<SharedModel>(number_of(handle), "model");
}

void replace(const mercer_data* handle, SharedData data) {
  Registry::the().replace(number_of(handle), std::move(data));
}

void release(const mercer_data* handle) { Registry::the().remove<SharedData>(number_of(handle), "data"); }
void release(const mercer_model* handle) { Registry::the().remove<SharedModel>(number_of(handle), "model"); }

}  // namespace mercer::capi

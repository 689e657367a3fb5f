// What the numbers stand for that callers hold as handles. A number is given once, so that one that was freed
// is known to be dead for as long as the program runs.
#pragma once

#include <memory>
#include <string>

#include "capi/calls.hpp"
#include "mercer/dataset.hpp"
#include "mercer/mercer.h"
#include "mercer/model.hpp"

namespace mercer::capi {

struct HeldModel {
  Model model;
  std::string selection = {};           ///< JSON, where there was a choice
  std::vector<std::string> notes = {};  ///< of the fit
};

using SharedData = std::shared_ptr<const Dataset>;
using SharedModel = std::shared_ptr<const HeldModel>;

mercer_data* hold(SharedData data);
mercer_model* hold(SharedModel model);

/// Makes what a new handle stands for, and gives the handle to the caller: NULL where that fails.
template <class Handle, class Make>
int give_handle(Handle** handle, const char* name, Make&& make) noexcept {
  return guarded([&] {
    required(handle, name) = nullptr;
    *handle = hold(make());
  });
}

/// What it stands for stays while the caller has it, whoever frees the handle. Throws HandleError.
SharedData held(const mercer_data* handle);
SharedModel held(const mercer_model* handle);

/// Other data under the same handle; whoever works on those before goes on with them.
void replace(const mercer_data* handle, SharedData data);

/// Null is nothing to free. Throws HandleError where it was freed before.
void release(const mercer_data* handle);
void release(const mercer_model* handle);

/// A handle that stands for nothing.
class HandleError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace mercer::capi

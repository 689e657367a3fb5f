#include "base/library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include "mercer/error.hpp"

namespace mercer {

Library::Library(std::initializer_list<const char*> files, const char* purpose, const char* package) {
  std::string reason;
  for (const char* file : files) {
    handle_ = dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (handle_) {
      file_ = file;
      return;
    }
    if (reason.empty()) reason = dlerror();
  }
  throw Error(ErrorCode::missing_library,
              fmt::format("{} needs a library that cannot be loaded ({})", purpose, reason),
              {.hint = fmt::format("install {}", package)});
}

void* Library::symbol(const char* name) const noexcept { return dlsym(handle_, name); }

void* Library::require(const char* name) const {
  if (void* found = symbol(name)) return found;
  throw Error(ErrorCode::missing_library, fmt::format("{} has no function {}", file_, name),
              {.hint = "is it another library of the same name?"});
}

}  // namespace mercer

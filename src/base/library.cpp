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
  throw Error(ErrorKind::budget, fmt::format("{} needs a library that cannot be loaded ({}); install {}", purpose, reason, package));
}

void* Library::symbol(const char* name) const noexcept { return dlsym(handle_, name); }

void* Library::require(const char* name) const {
  if (void* found = symbol(name)) return found;
  throw Error(ErrorKind::budget, fmt::format("{} has no function {}; is it another library of the same name?", file_, name));
}

}  // namespace mercer

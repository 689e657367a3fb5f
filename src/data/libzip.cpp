#include "data/libzip.hpp"

#include "base/library.hpp"

namespace mercer {

const LibZip& libzip() {
  static const LibZip functions = [] {
    const Library library({MERCER_ZIP_FILE, "libzip.so"}, "an .npz file", "libzip4");
    LibZip found;
#define MERCER_ZIP_FIND(name) found.name = library.function<decltype(zip_##name)>("zip_" #name);
    MERCER_ZIP_FUNCTIONS(MERCER_ZIP_FIND)
#undef MERCER_ZIP_FIND
    return found;
  }();
  return functions;
}

}  // namespace mercer

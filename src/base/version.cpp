#include "mercer/version.hpp"

namespace mercer {

const char* version() noexcept { return MERCER_VERSION; }

}  // namespace mercer

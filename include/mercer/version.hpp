// Which Mercer this is.
#pragma once

#include "mercer/export.hpp"

namespace MERCER_EXPORT mercer {

const char* version() noexcept;  ///< "0.1.0"

}  // namespace mercer

// Which Mercer this is.
#pragma once

namespace mercer {

const char* version() noexcept;  ///< "0.1.0"

}  // namespace mercer

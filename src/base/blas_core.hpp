// OpenBLAS has kernels for many processors, its "cores", and chooses one when it is loaded: by the
// processor's model number, so that a model newer than the library may get kernels of 2004. Debian 12's
// OpenBLAS 0.3.21 runs Emerald Rapids Xeons and 13th-generation Cores with SSE3 (its core "Prescott"), at a
// quarter of the speed (OpenBLAS issue 4267). Here the core is compared with what the processor can do.
#pragma once

#include <string_view>

#include "base/cpu.hpp"

namespace mercer {

/// The instructions that the kernels of an OpenBLAS core use. A core with an unknown name is taken to be
/// newer than this list, and right.
VectorLevel level_of_core(std::string_view core) noexcept;

/// The core that suits a processor of this level; "" for baseline, which OpenBLAS's own choice is good enough
/// for.
const char* core_for(VectorLevel level) noexcept;

}  // namespace mercer

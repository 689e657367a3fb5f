// What the processor can do, as far as the choice of code depends on it.
#pragma once

#include <string>

namespace mercer {

/// Vector instructions in the steps that matter for matrix products; each has those before it.
enum class VectorLevel { baseline, avx, avx2, avx512 };

/// The best that the processor and the system allow. avx2 includes FMA; avx512 the parts F, CD, BW, DQ and
/// VL.
VectorLevel vector_level() noexcept;

/// Whether there are matrix instructions for bytes (AMX).
bool has_byte_matrices() noexcept;

/// As the processor names itself, e.g. "AMD EPYC 9654 96-Core Processor"; "unknown" where it does not.
std::string cpu_name();

}  // namespace mercer

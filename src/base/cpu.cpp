#include "base/cpu.hpp"

#include <fstream>

namespace mercer {

VectorLevel vector_level() noexcept {
#if defined(__x86_64__)
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512cd") &&
                      __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  if (avx512) return VectorLevel::avx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) return VectorLevel::avx2;
  if (__builtin_cpu_supports("avx")) return VectorLevel::avx;
#endif
  return VectorLevel::baseline;
}

bool has_byte_matrices() noexcept {
#if defined(__x86_64__)
  return __builtin_cpu_supports("amx-int8");
#else
  return false;
#endif
}

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name"))
      if (const auto colon = line.find(": "); colon != line.npos) return line.substr(colon + 2);
  return "unknown";
}

}  // namespace mercer

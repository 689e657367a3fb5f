#include "base/blas_core.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace mercer {

namespace {

// The cores of OpenBLAS's driver/others/dynamic.c for x86-64 that are older than AVX-512.
constexpr std::array baseline_cores{"generic", "katmai", "coppermine", "northwood",    "prescott",
                                    "banias",  "atom",   "core2",      "penryn",       "dunnington",
                                    "nehalem", "athlon", "opteron",    "opteron_sse3", "barcelona",
                                    "bobcat",  "nano"};
constexpr std::array avx_cores{"sandybridge", "bulldozer", "piledriver", "steamroller"};
constexpr std::array avx2_cores{"haswell", "zen", "excavator"};

}  // namespace

VectorLevel level_of_core(std::string_view core) noexcept {
  const auto is_core = [&](std::string_view name) {
    return std::ranges::equal(core, name,
                              [](char a, char b) { return (a >= 'A' && a <= 'Z' ? char(a + 32) : a) == b; });
  };
  if (std::ranges::any_of(baseline_cores, is_core)) return VectorLevel::baseline;
  if (std::ranges::any_of(avx_cores, is_core)) return VectorLevel::avx;
  if (std::ranges::any_of(avx2_cores, is_core)) return VectorLevel::avx2;
  return VectorLevel::avx512;
}

const char* core_for(VectorLevel level) noexcept {
  switch (level) {
    case VectorLevel::avx512:
      return "SkylakeX";
    case VectorLevel::avx2:
      return "Haswell";
    case VectorLevel::avx:
      return "Sandybridge";
    case VectorLevel::baseline:
      break;
  }
  return "";
}

}  // namespace mercer

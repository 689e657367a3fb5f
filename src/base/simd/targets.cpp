#include "base/simd/targets.hpp"

#include <hwy/highway.h>

#include <cctype>
#include <cstdint>
#include <cstdlib>

#include "base/cpu.hpp"
#include "mercer/error.hpp"

namespace mercer::simd {

namespace {

std::string lower_name(std::int64_t target) {
  std::string name = hwy::TargetName(target);
  for (char& c : name) c = char(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

// As supported_targets() in libhwy, by the same instructions (hwy/targets.cc of Highway 1.0).
std::int64_t supported_targets() {
  std::int64_t targets = HWY_STATIC_TARGET;
#if HWY_ARCH_X86
  if (!__builtin_cpu_supports("ssse3")) return targets;
  targets |= HWY_SSSE3;
  if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("pclmul") ||
      !__builtin_cpu_supports("aes"))
    return targets;
  targets |= HWY_SSE4;
  if (vector_level() < VectorLevel::avx2 || !__builtin_cpu_supports("bmi2") ||
      !__builtin_cpu_supports("f16c") || !__builtin_cpu_supports("lzcnt"))
    return targets;
  targets |= HWY_AVX2;
  if (vector_level() < VectorLevel::avx512) return targets;
  targets |= HWY_AVX3;
  const bool ice_lake = __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("vpclmulqdq") &&
                        __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") &&
                        __builtin_cpu_supports("avx512bitalg") && __builtin_cpu_supports("avx512vpopcntdq") &&
                        __builtin_cpu_supports("gfni") && __builtin_cpu_supports("vaes");
  if (ice_lake) targets |= HWY_AVX3_DL;
#endif
  return targets;
}

// The targets compiled in and supported here, one bit each; a lower bit is a better target. Asked once: a
// virtual machine takes many microseconds to say what its processor can do.
const std::vector<std::int64_t>& available() {
  static const std::vector<std::int64_t> found = [] {
    std::vector<std::int64_t> targets;
    for (std::int64_t rest = supported_targets() & HWY_TARGETS; rest != 0; rest &= rest - 1)
      targets.push_back(rest & -rest);
    return targets;
  }();
  return found;
}

}  // namespace

std::vector<std::string> instruction_sets() {
  std::vector<std::string> names;
  for (const std::int64_t target : available()) names.push_back(lower_name(target));
  return names;
}

std::size_t table_index(const std::string& instruction_set) {
  for (const std::int64_t target : available()) {
    if (!instruction_set.empty() && lower_name(target) != instruction_set) continue;
    hwy::ChosenTarget chosen;
    chosen.Update(target);
    return chosen.GetIndex();
  }
  std::string names;
  for (const std::string& name : instruction_sets()) names += (names.empty() ? "" : ", ") + name;
  throw Error(
      ErrorCode::invalid_argument,
      "MERCER_SIMD=" + instruction_set + " is not an instruction set of this machine; choose from " + names);
}

std::size_t table_index() {
  const char* forced = std::getenv("MERCER_SIMD");
  return table_index(forced ? forced : "");
}

}  // namespace mercer::simd

// Which instruction set the vector loops run in: the best that the machine has, or what MERCER_SIMD names.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "mercer/export.hpp"

/// HWY_EXPORT without its first entry, which asks libhwy what the processor can do. Loading that library
/// takes 7 ms, in which it calibrates a clock; table_index() asks the processor itself.
#define MERCER_SIMD_TABLE(function)                                                        \
  static decltype(&HWY_STATIC_DISPATCH(function)) const HWY_DISPATCH_TABLE(                \
      function)[HWY_MAX_DYNAMIC_TARGETS + 2] = {nullptr, HWY_CHOOSE_TARGET_LIST(function), \
                                                HWY_CHOOSE_FALLBACK(function)}

/// Defines function<T>(set) and function<T>() for both precisions, from tables of functions that give the
/// result.
#define MERCER_SIMD_ACCESS(function, f32, f64)                                                  \
  MERCER_SIMD_TABLE(f32);                                                                       \
  MERCER_SIMD_TABLE(f64);                                                                       \
  template <>                                                                                   \
  MERCER_HIDDEN decltype(HWY_STATIC_DISPATCH(f32)()) function<float>(const std::string& set) {  \
    return HWY_DISPATCH_TABLE(f32)[table_index(set)]();                                         \
  }                                                                                             \
  template <>                                                                                   \
  MERCER_HIDDEN decltype(HWY_STATIC_DISPATCH(f64)()) function<double>(const std::string& set) { \
    return HWY_DISPATCH_TABLE(f64)[table_index(set)]();                                         \
  }                                                                                             \
  template <>                                                                                   \
  MERCER_HIDDEN decltype(HWY_STATIC_DISPATCH(f32)()) function<float>() {                        \
    return HWY_DISPATCH_TABLE(f32)[table_index()]();                                            \
  }                                                                                             \
  template <>                                                                                   \
  MERCER_HIDDEN decltype(HWY_STATIC_DISPATCH(f64)()) function<double>() {                       \
    return HWY_DISPATCH_TABLE(f64)[table_index()]();                                            \
  }                                                                                             \
  static_assert(true)

namespace mercer::simd {

/// The instruction sets that this build and this machine share, best first, by Highway's names in lower case.
std::vector<std::string> instruction_sets();

/// The place of one of them, or of the best where the name is empty, in Highway's dispatch tables.
/// Error{usage} for an unknown name.
std::size_t table_index(const std::string& instruction_set);

/// The place of the set that MERCER_SIMD names, or of the best.
std::size_t table_index();

}  // namespace mercer::simd

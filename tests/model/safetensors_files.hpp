// What the tests of safetensors share: files put together by hand, independently of the writer.
#pragma once

#include <string>

#include "data/scratch.hpp"
#include "model/safetensors.hpp"

namespace mercer::testing {

/// The length of the header, little-endian, in front of it.
inline std::string with_length(std::uint64_t length, const std::string& rest) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += char(length >> (8 * i) & 0xff);
  return bytes + rest;
}
inline std::string safetensors(const std::string& header, const std::string& data) {
  return with_length(header.size(), header + data);
}

/// A file of all types of tensors and some texts.
inline void write_example(const std::string& path) {
  static const double f64[] = {0.5, -1, 1e300};
  static const std::int64_t i64[] = {-1, 1LL << 40};
  static const float f32[] = {1.5f};
  static const std::int32_t i32[] = {7, -8, 9};
  static const std::uint8_t u8[] = {1, 2, 3, 4, 255};
  write_safetensors(path, {{"kernel", "rbf(gamma=0.5)"}, {"label \"é\"\n", ""}},
                    {{"bytes", Dtype::u8, {5}, u8},
                     {"weights", Dtype::f32, {1, 1}, f32},
                     {"alpha", Dtype::f64, {3, 1}, f64},
                     {"none", Dtype::f64, {4, 0}, nullptr},
                     {"codes", Dtype::i32, {3}, i32},
                     {"scalar", Dtype::f32, {}, f32},
                     {"starts", Dtype::i64, {2}, i64}});
}

}  // namespace mercer::testing

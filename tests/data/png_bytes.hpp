// PNG files made by hand, of every kind: one stored deflate block of rows without a filter.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mercer::testing {

inline std::string big_endian(std::uint32_t value) {
  return {char(value >> 24), char(value >> 16), char(value >> 8), char(value)};
}

inline std::string png_chunk(const std::string& kind, const std::string& content) {
  std::uint32_t crc = ~0u;
  for (const char byte : kind + content) {
    crc ^= std::uint8_t(byte);
    for (int k = 0; k < 8; ++k) crc = crc & 1 ? 0xedb88320u ^ (crc >> 1) : crc >> 1;
  }
  return big_endian(std::uint32_t(content.size())) + kind + content + big_endian(~crc);
}

/// `rows`: the packed bytes of each line. Colour types: 0 grey, 2 RGB, 3 palette, 4 grey with alpha, 6 RGB
/// with alpha. `extra`: chunks before the data.
inline std::string png_file(std::uint32_t width, int depth, int colour_type,
                            const std::vector<std::string>& rows, const std::string& extra = "") {
  std::string raw;
  for (const std::string& row : rows) raw += '\0' + row;
  std::uint32_t a = 1, b = 0;
  for (const char byte : raw) {
    a = (a + std::uint8_t(byte)) % 65521;
    b = (b + a) % 65521;
  }
  const auto length = std::uint16_t(raw.size());
  const std::string stored = std::string("\x78\x01\x01", 3) + char(length) + char(length >> 8) +
                             char(~length) + char(~length >> 8) + raw + big_endian(b << 16 | a);
  const std::string header = big_endian(width) + big_endian(std::uint32_t(rows.size())) + char(depth) +
                             char(colour_type) + std::string(3, '\0');
  return "\x89PNG\r\n\x1a\n" + png_chunk("IHDR", header) + extra + png_chunk("IDAT", stored) +
         png_chunk("IEND", "");
}

/// Bytes from numbers.
inline std::string bytes(std::initializer_list<int> values) {
  std::string text;
  for (const int value : values) text += char(value);
  return text;
}

}  // namespace mercer::testing

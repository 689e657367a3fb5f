// .npy and .npz files made by hand, so that the readers are tested against the formats and not against the
// writers.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace mercer::testing {

/// A .npy file of version 1 with the given dict and elements.
inline std::string npy_of_dict(const std::string& dict, const std::string& elements, char version = 1) {
  std::string text = "\x93NUMPY";
  text += {version, '\0', char(dict.size() & 0xff), char(dict.size() >> 8 & 0xff)};
  if (version > 1) text += {'\0', '\0'};
  return text + dict + elements;
}

inline std::string npy(const std::string& descr, const std::string& shape, const std::string& elements,
                       bool fortran = false) {
  return npy_of_dict("{'descr': '" + descr + "', 'fortran_order': " + (fortran ? "True" : "False") +
                         ", 'shape': " + shape + ", }\n",
                     elements);
}

template <class T>
std::string bytes_of(const std::vector<T>& values, bool swapped = false) {
  std::string bytes;
  for (const T value : values) {
    std::array<char, sizeof(T)> raw;
    std::memcpy(raw.data(), &value, sizeof(T));
    bytes += swapped ? std::string(raw.rbegin(), raw.rend()) : std::string(raw.begin(), raw.end());
  }
  return bytes;
}

inline std::uint32_t crc32(const std::string& bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
  }
  return ~crc;
}

/// A zip archive of stored files. `claimed` overrides the size of the first file, in and out.
inline std::string zip(const std::vector<std::pair<std::string, std::string>>& files,
                       std::uint32_t claimed = 0, std::uint16_t method = 0) {
  const auto number = [](auto value) { return bytes_of(std::vector{value}); };
  std::string local, central;
  for (const auto& [name, content] : files) {
    const auto size = std::uint32_t(content.size());
    const std::uint32_t out = claimed && local.empty() ? claimed : size;
    const std::string shared = number(std::uint16_t(20)) + number(std::uint16_t(0)) + number(method) +
                               number(std::uint32_t(0)) + number(crc32(content)) + number(size) +
                               number(out) + number(std::uint16_t(name.size())) + number(std::uint16_t(0));
    central += "PK\x01\x02" + number(std::uint16_t(20)) + shared + number(std::uint16_t(0)) +
               number(std::uint16_t(0)) + number(std::uint16_t(0)) + number(std::uint32_t(0)) +
               number(std::uint32_t(local.size())) + name;
    local += "PK\x03\x04" + shared + name + content;
  }
  const auto count = std::uint16_t(files.size());
  return local + central + "PK\x05\x06" + number(std::uint32_t(0)) + number(count) + number(count) +
         number(std::uint32_t(central.size())) + number(std::uint32_t(local.size())) +
         number(std::uint16_t(0));
}

}  // namespace mercer::testing

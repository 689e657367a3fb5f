// One image on its way between a file and a column of images: the formats, each decoded from the bytes of a
// file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mercer {

struct Image {
  std::uint32_t height = 0, width = 0;
  std::size_t channels = 1;               // 1 (grey) or 3 (red, green, blue)
  std::vector<std::uint8_t> pixels = {};  // height × width × channels, top row first
};

/// A file that declares more pixels is refused before memory is taken for them.
inline constexpr std::uint64_t most_pixels = std::uint64_t(1) << 27;

/// `name`: of the file, for messages. All throw Error{data} with what is wrong with it.
Image decode_png(std::string_view bytes, const std::string& name);
Image decode_pnm(std::string_view bytes, const std::string& name);
/// PNG or PPM/PGM, by its first bytes.
Image decode_image(std::string_view bytes, const std::string& name);

/// The bytes of a PNG file; pixels as in Image.
std::string encode_png(std::span<const std::uint8_t> pixels, std::uint32_t height, std::uint32_t width,
                       std::size_t channels);

}  // namespace mercer

// PNG through libpng, whose simplified interface handles every kind of file: bits of 1 to 16, palettes,
// interlacing. What is left here is to distrust the declared size, and to put what is transparent on white.
#include <fmt/format.h>
#include <png.h>

#include "base/library.hpp"
#include "data/image.hpp"
#include "data/refusals.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

/// What is used of libpng, loaded at first use: most commands read no image.
struct LibPng {
  Library library{{MERCER_PNG_FILE, "libpng16.so"}, "a PNG image", "libpng16-16"};
#define MERCER_PNG_MEMBER(name) \
  decltype(&png_image_##name) name = library.function<decltype(png_image_##name)>("png_image_" #name);
  MERCER_PNG_MEMBER(begin_read_from_memory)
  MERCER_PNG_MEMBER(finish_read)
  MERCER_PNG_MEMBER(free)
  MERCER_PNG_MEMBER(write_to_memory)
#undef MERCER_PNG_MEMBER
};

const LibPng& libpng() {
  static const LibPng loaded;
  return loaded;
}

/// Holds what libpng allocates for one image.
struct PngImage : png_image {
  PngImage() : png_image{} {
    version = PNG_IMAGE_VERSION;
    libpng();  // the destructor must not be the first to load it
  }
  ~PngImage() { libpng().free(this); }
  PngImage(const PngImage&) = delete;
  PngImage& operator=(const PngImage&) = delete;
};

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | std::uint8_t(byte);
  return value;
}

/// Deflate makes no more than 1,032 bytes of one, so a short file that declares many pixels lies.
void check_size(std::string_view bytes, const std::string& name) {
  constexpr std::size_t header_end = 33, most_inflation = 1032;
  if (bytes.size() < header_end)
    refuse_file(name, fmt::format("the PNG image ends after {} bytes, within its header", bytes.size()));
  const std::uint64_t width = big_endian(bytes.substr(16, 4)), height = big_endian(bytes.substr(20, 4)),
                      depth = big_endian(bytes.substr(24, 1));
  if (width == 0 || height == 0)
    refuse_file(name, fmt::format("an image of {} × {} pixels", height, width), "at least one is needed");
  if (height > most_pixels / width)
    refuse_file(name, fmt::format("an image of {} × {} pixels", height, width),
                fmt::format("at most {} are read", most_pixels));
  if (height * ((width * depth + 7) / 8) / most_inflation > bytes.size())
    refuse_file(
        name, fmt::format("an image of {} × {} pixels does not fit in {} bytes", height, width, bytes.size()),
        "the file is damaged");
}

std::uint8_t on_white(unsigned value, unsigned alpha) {
  return std::uint8_t((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

}  // namespace

Image decode_png(std::string_view bytes, const std::string& name) {
  check_size(bytes, name);
  PngImage png;
  if (!libpng().begin_read_from_memory(&png, bytes.data(), bytes.size()))
    refuse_file(name, fmt::format("not a PNG image that can be read: {}", png.message));
  // What a file does not say of its gamma is not guessed from its bits.
  png.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;
  png.format &= PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA;
  const bool transparent = png.format & PNG_FORMAT_FLAG_ALPHA;
  Image image{
      png.height, png.width, png.format & PNG_FORMAT_FLAG_COLOR ? std::size_t(3) : std::size_t(1), {}};
  std::vector<std::uint8_t> raw(PNG_IMAGE_SIZE(png));
  if (!libpng().finish_read(&png, nullptr, raw.data(), 0, nullptr))
    refuse_file(name, fmt::format("a damaged PNG image: {}", png.message));
  if (!transparent) {
    image.pixels = std::move(raw);
    return image;
  }
  image.pixels.reserve(raw.size() / (image.channels + 1) * image.channels);
  for (std::size_t at = 0; at < raw.size(); at += image.channels + 1)
    for (std::size_t c = 0; c < image.channels; ++c)
      image.pixels.push_back(on_white(raw[at + c], raw[at + image.channels]));
  return image;
}

std::string encode_png(std::span<const std::uint8_t> pixels, std::uint32_t height, std::uint32_t width,
                       std::size_t channels) {
  PngImage png;
  png.height = height;
  png.width = width;
  png.format = channels == 3 ? PNG_FORMAT_RGB : PNG_FORMAT_GRAY;
  png_alloc_size_t size = PNG_IMAGE_PNG_SIZE_MAX(png);
  std::string bytes(size, '\0');
  if (!libpng().write_to_memory(&png, bytes.data(), &size, 0, pixels.data(), 0, nullptr))
    throw Error(ErrorCode::file_access, fmt::format("an image of {} × {} pixels cannot be written as PNG: {}",
                                                    height, width, png.message));
  bytes.resize(size);
  return bytes;
}

}  // namespace mercer

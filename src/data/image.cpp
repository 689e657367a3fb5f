// PPM and PGM, plain (P2 grey, P3 colour: numbers as text) and raw (P5, P6: one or two bytes a number), as
// netpbm defines them: the magic number, width, height, the largest value, then the values; # begins a
// comment in the header. PNG through libpng, whose simplified interface handles every kind of file: bits of 1
// to 16, palettes, interlacing. What is left for it is to distrust the declared size, and to put what is
// transparent on white.
#include "data/image.hpp"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>

#include "base/library.hpp"
#include "data/text_source.hpp"

namespace mercer {

namespace {

void check_size(std::uint64_t height, std::uint64_t width, const std::string& name) {
  const std::string size = fmt::format("an image of {} × {} pixels", height, width);
  if (width == 0 || height == 0) refuse_file(name, size, "at least one is needed");
  if (height > most_pixels / width) refuse_file(name, size, fmt::format("at most {} are read", most_pixels));
}

class Pnm {
 public:
  Pnm(std::string_view bytes, const std::string& name) : bytes_(bytes), name_(name) {}

  Image decode() {
    const char kind = bytes_.size() >= 2 && bytes_[0] == 'P' ? bytes_[1] : '\0';
    if (kind != '2' && kind != '3' && kind != '5' && kind != '6')
      refuse("a .ppm or .pgm image begins with P2, P3, P5 or P6");
    at_ = 2;
    Image image;
    image.channels = kind == '3' || kind == '6' ? 3 : 1;
    const std::uint64_t width = number("the width"), height = number("the height");
    check_size(height, width, name_);
    image.height = std::uint32_t(height);
    image.width = std::uint32_t(width);
    largest_ = number("the largest value");
    if (largest_ == 0 || largest_ > 65535)
      refuse(fmt::format("the largest value is {}; it must be from 1 to 65535", largest_));
    const bool plain = kind < '5';
    if (!plain) ++at_;  // one space, whatever follows it
    const std::size_t count = std::size_t(width * height) * image.channels,
                      fewest_bytes = plain ? 2 * count - 1 : count * (largest_ > 255 ? 2 : 1);
    if (at_ > bytes_.size() || bytes_.size() - at_ < fewest_bytes)
      refuse(
          fmt::format("an image of {} × {} pixels needs at least {} bytes behind its header, but {} follow; "
                      "the file is cut off",
                      height, width, fewest_bytes, bytes_.size() - std::min(at_, bytes_.size())));
    image.pixels.reserve(count);
    for (std::size_t k = 0; k < count; ++k)
      image.pixels.push_back(plain ? scaled(number("a value")) : scaled(raw()));
    return image;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const { refuse_file(name_, what); }

  /// The number that comes next; larger ones than fit are 2³² − 1.
  std::uint64_t number(const char* what) {
    while (at_ < bytes_.size()) {
      if (bytes_[at_] == '#')
        at_ = std::min(bytes_.find('\n', at_), bytes_.size());
      else if (std::string_view(" \t\r\n\v\f").find(bytes_[at_]) != std::string_view::npos)
        ++at_;
      else
        break;
    }
    const auto is_digit = [&] { return at_ < bytes_.size() && bytes_[at_] >= '0' && bytes_[at_] <= '9'; };
    if (!is_digit())
      refuse(at_ >= bytes_.size() ? fmt::format("the image ends where {} should be", what)
                                  : fmt::format("{} should be a number, at byte {}", what, at_ + 1));
    std::uint64_t value = 0;
    for (; is_digit(); ++at_)
      value = std::min(value * 10 + std::uint64_t(bytes_[at_] - '0'), std::uint64_t(0xffffffff));
    return value;
  }

  std::uint64_t raw() {
    std::uint64_t value = std::uint8_t(bytes_[at_++]);
    if (largest_ > 255) value = value << 8 | std::uint8_t(bytes_[at_++]);
    return value;
  }

  std::uint8_t scaled(std::uint64_t value) const {
    if (value > largest_)
      refuse(fmt::format("a value of {} where {} is the largest; the file is damaged", value, largest_));
    return std::uint8_t((value * 255 + largest_ / 2) / largest_);
  }

  std::string_view bytes_;
  const std::string& name_;
  std::size_t at_ = 0;
  std::uint64_t largest_ = 255;
};

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
void check_png_size(std::string_view bytes, const std::string& name) {
  constexpr std::size_t header_end = 33, most_inflation = 1032;
  if (bytes.size() < header_end)
    refuse_file(name, fmt::format("the PNG image ends after {} bytes, within its header", bytes.size()));
  const std::uint64_t width = big_endian(bytes.substr(16, 4)), height = big_endian(bytes.substr(20, 4)),
                      depth = big_endian(bytes.substr(24, 1));
  check_size(height, width, name);
  if (height * ((width * depth + 7) / 8) / most_inflation > bytes.size())
    refuse_file(
        name, fmt::format("an image of {} × {} pixels does not fit in {} bytes", height, width, bytes.size()),
        "the file is damaged");
}

std::uint8_t on_white(unsigned value, unsigned alpha) {
  return std::uint8_t((value * alpha + 255 * (255 - alpha) + 127) / 255);
}

}  // namespace

Image decode_pnm(std::string_view bytes, const std::string& name) { return Pnm(bytes, name).decode(); }

Image decode_png(std::string_view bytes, const std::string& name) {
  check_png_size(bytes, name);
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

Image decode_image(std::string_view bytes, const std::string& name) {
  if (bytes.empty()) refuse_file(name, "the file is empty", "an image is needed");
  if (bytes.starts_with("\x89PNG")) return decode_png(bytes, name);
  if (bytes.starts_with("P")) return decode_pnm(bytes, name);
  refuse_file(name, "neither a PNG image nor a PPM or PGM image", "the file is damaged or something else");
}

}  // namespace mercer

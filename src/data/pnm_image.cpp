// PPM and PGM, plain (P2 grey, P3 colour: numbers as text) and raw (P5, P6: one or two bytes a number), as
// netpbm defines them: the magic number, width, height, the largest value, then the values; # begins a
// comment in the header.
#include <fmt/format.h>

#include <algorithm>

#include "data/image.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

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
    const std::uint64_t width = number("the width", 0xffffffff), height = number("the height", 0xffffffff);
    if (width == 0 || height == 0)
      refuse(fmt::format("an image of {} × {} pixels; at least one is needed", height, width));
    if (height > most_pixels / width)
      refuse(fmt::format("an image of {} × {} pixels; at most {} are read", height, width, most_pixels));
    image.height = std::uint32_t(height);
    image.width = std::uint32_t(width);
    largest_ = number("the largest value", 0xffffffff);
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
      image.pixels.push_back(plain ? scaled(number("a value", 0xffffffff)) : scaled(raw()));
    return image;
  }

 private:
  [[noreturn]] void refuse(const std::string& what) const {
    throw Error(ErrorCode::invalid_file, std::string(what), {.file = name_});
  }

  std::uint64_t number(const char* what, std::uint64_t most) {
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
    for (; is_digit(); ++at_) value = std::min(value * 10 + std::uint64_t(bytes_[at_] - '0'), most);
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

}  // namespace

Image decode_pnm(std::string_view bytes, const std::string& name) { return Pnm(bytes, name).decode(); }

}  // namespace mercer

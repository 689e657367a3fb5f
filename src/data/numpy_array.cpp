#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "data/numpy.hpp"

namespace mercer {

namespace {

constexpr std::size_t block_bytes = 1 << 20;

template <class Element>
Element load(const char* bytes, bool swapped) noexcept {
  std::array<char, sizeof(Element)> raw;
  std::memcpy(raw.data(), bytes, sizeof(Element));
  if (swapped) std::reverse(raw.begin(), raw.end());
  Element element;
  std::memcpy(&element, raw.data(), sizeof(Element));
  return element;
}

}  // namespace

void NpyArray::refuse(const std::string& what, std::string hint, std::vector<Hint> hints) const {
  throw Error(ErrorCode::invalid_file, what,
              {.file = name_, .hint = std::move(hint), .hints = std::move(hints)});
}

/// Calls take(bytes, index of the first element) for block after block of whole elements.
template <class Take>
void NpyArray::for_each_block(Take take) const {
  const std::size_t count = header_.count();
  if (count == 0) return;
  const std::size_t block =
      std::max<std::size_t>(1, block_bytes / std::max<std::size_t>(1, header_.item_bytes));
  for (std::size_t first = 0; first < count; first += block)
    take(next_(std::min(block, count - first) * header_.item_bytes), first);
}

template <class Element>
void NpyArray::decode_as(std::string_view bytes, std::size_t first, std::vector<double>& out) const {
  constexpr auto exact = std::int64_t(1) << 53;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto element = load<Element>(bytes.data() + i * sizeof(Element), header_.swapped);
    if constexpr (std::is_integral_v<Element> && sizeof(Element) == 8) {
      bool large = element > Element(exact);
      if constexpr (std::is_signed_v<Element>) large |= element < -exact;
      if (large)
        refuse(fmt::format(
            "element {} is {}, which a double cannot hold; the largest integer is 9007199254740992",
            first + i + 1, element));
    }
    out[i] = double(element);
  }
}

void NpyArray::decode(std::string_view bytes, std::size_t first, std::vector<double>& out) const {
  out.resize(bytes.size() / header_.item_bytes);
  const auto holds = [&]<class Element>(char kind, Element) {
    const bool found = header_.kind == kind && header_.item_bytes == sizeof(Element);
    if (found) decode_as<Element>(bytes, first, out);
    return found;
  };
  if (holds('f', double()) || holds('f', float()) || holds('i', std::int8_t()) ||
      holds('i', std::int16_t()) || holds('i', std::int32_t()) || holds('i', std::int64_t()) ||
      holds('u', std::uint8_t()) || holds('u', std::uint16_t()) || holds('u', std::uint32_t()) ||
      holds('u', std::uint64_t()) || holds('b', std::uint8_t()))
    return;
  refuse("the array holds text where numbers are needed; save an array of numbers");
}

template <class T>
Dense<T> NpyArray::matrix() const {
  const auto& shape = header_.shape;
  if (header_.is_text()) refuse("the array holds text where numbers are needed; save an array of numbers");
  if (shape.empty() || shape.size() > 2)
    refuse(fmt::format("the array has shape ({}); points are a matrix, one row each", shape_text(shape)));
  const std::size_t rows = shape[0], cols = shape.size() == 1 ? 1 : shape[1];
  if (cols == 0 || cols > std::size_t(std::numeric_limits<std::int32_t>::max()))
    refuse(fmt::format("the points have {} columns; from 1 to 2147483647 can be", cols));
  Dense<T> dense{rows, cols, Buffer<T>(header_.count())};
  const bool by_column = header_.fortran && rows > 1 && cols > 1;
  const bool as_is = !by_column && !header_.swapped && header_.kind == 'f' && header_.item_bytes == sizeof(T);
  std::vector<double> block;
  for_each_block([&](std::string_view bytes, std::size_t first) {
    if (as_is) {
      std::memcpy(dense.values.data() + first, bytes.data(), bytes.size());
      return;
    }
    decode(bytes, first, block);
    for (std::size_t i = 0; i < block.size(); ++i) {
      const std::size_t k = first + i;
      T& value = dense.values[by_column ? k % rows * cols + k / rows : k];
      value = T(block[i]);
      if (std::isinf(value) && std::isfinite(block[i]))
        refuse(fmt::format("element {} is {}, too large for a float32; use float64", k + 1, block[i]));
    }
  });
  return dense;
}

template Dense<float> NpyArray::matrix() const;
template Dense<double> NpyArray::matrix() const;

void NpyArray::check_list(const char* what) const {
  const auto& shape = header_.shape;
  const bool list = shape.size() <= 1 || (shape.size() == 2 && (shape[0] == 1 || shape[1] == 1));
  if (!list) refuse(fmt::format("the array has shape ({}); {} are a list", shape_text(shape), what));
}

std::vector<double> NpyArray::numbers() const {
  check_list("numbers, one per row,");
  std::vector<double> result, block;
  for_each_block([&](std::string_view bytes, std::size_t first) {
    decode(bytes, first, block);
    result.insert(result.end(), block.begin(), block.end());
  });
  return result;
}

std::vector<std::int64_t> NpyArray::integers() const {
  if (header_.kind != 'i' && header_.kind != 'u')
    refuse("the array holds no integers; sparse indices are integers");
  const std::vector<double> values = numbers();  // exact: integers beyond 2⁵³ are refused
  return {values.begin(), values.end()};
}

std::vector<std::string> NpyArray::texts() const {
  check_list("labels");
  if (!header_.is_text()) refuse("the array holds numbers where text is needed");
  std::vector<std::string> result;
  if (header_.item_bytes == 0) return std::vector<std::string>(header_.count());
  for_each_block([&](std::string_view bytes, std::size_t) {
    for (std::size_t i = 0; i < bytes.size(); i += header_.item_bytes) {
      std::string_view item = bytes.substr(i, header_.item_bytes);
      std::string& text = result.emplace_back();
      if (header_.kind == 'S') {
        text = item.substr(0, item.find_last_not_of('\0') + 1);
        continue;
      }
      for (; !item.empty(); item.remove_prefix(4)) {
        const auto code = load<std::uint32_t>(item.data(), header_.swapped);
        if (code > 0x10ffff) refuse("a text holds a character that Unicode does not have");
        if (code != 0) append_utf8(text, code);
      }
    }
  });
  return result;
}

}  // namespace mercer

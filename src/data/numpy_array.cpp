// An array of NumPy's: its header, then its elements block by block.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

#include "data/numpy.hpp"

namespace mercer {

namespace {

constexpr std::string_view signature = "\x93NUMPY";

/// Reads the dict with its three keys, in any order and each once.
class DictParser {
 public:
  DictParser(const std::string& name, std::string_view text) : name_(name), text_(text) {}

  void parse(NpyHeader& header, std::string& descr) {
    int descrs = 0, orders = 0, shapes = 0;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = string();
      expect(':');
      if (key == "descr" && ++descrs == 1)
        descr = string();
      else if (key == "fortran_order" && ++orders == 1)
        header.fortran = boolean();
      else if (key == "shape" && ++shapes == 1)
        header.shape = tuple();
      else
        broken();
      if (!accept(',')) {
        expect('}');
        break;
      }
    }
    skip();
    if (!text_.empty() || descrs + orders + shapes != 3) broken();
  }

 private:
  void skip() {
    const std::size_t first = text_.find_first_not_of(" \t\n");
    text_.remove_prefix(first == text_.npos ? text_.size() : first);
  }
  bool accept(char c) {
    skip();
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!accept(c)) broken();
  }
  std::string_view string() {
    skip();
    if (text_.starts_with('['))
      refuse_file(name_, "the array has named fields", "save a plain array of numbers instead");
    const char quote = accept('\'') ? '\'' : '"';
    if (quote == '"') expect('"');
    const std::size_t end = text_.find(quote);
    if (end == text_.npos) broken();
    const std::string_view result = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return result;
  }
  bool boolean() {
    skip();
    const bool value = text_.starts_with("True");
    if (!value && !text_.starts_with("False")) broken();
    text_.remove_prefix(value ? 4 : 5);
    return value;
  }
  std::vector<std::size_t> tuple() {
    std::vector<std::size_t> sizes;
    expect('(');
    while (!accept(')')) {
      skip();
      std::size_t size = 0;
      const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), size);
      if (error != std::errc{} || sizes.size() == 32) broken();
      sizes.push_back(size);
      text_.remove_prefix(std::size_t(end - text_.data()));
      if (text_.starts_with('L')) text_.remove_prefix(1);  // Python 2 wrote long integers so
      if (accept(',')) continue;
      expect(')');
      break;
    }
    return sizes;
  }
  [[noreturn]] void broken() const {
    refuse_file(name_, fmt::format("the .npy header cannot be read at {}", in_quotes(text_)),
                "save the array again with numpy.save");
  }

  const std::string& name_;
  std::string_view text_;
};

void set_type(const std::string& name, const std::string& descr, NpyHeader& header) {
  const auto unknown = [&] {
    refuse_file(name, fmt::format("elements of type {} cannot be read", in_quotes(descr)),
                "use float32, float64, an integer type, bool, or text for labels");
  };
  if (descr.size() < 3 || std::string_view("<>=|").find(descr[0]) == std::string_view::npos) unknown();
  header.kind = descr[1];
  std::size_t size = 0;
  const auto [end, error] = std::from_chars(descr.data() + 2, descr.data() + descr.size(), size);
  if (error != std::errc{} || end != descr.data() + descr.size() || size > (1u << 20)) unknown();
  const char kind = header.kind;
  const bool known = kind == 'f'                  ? size == 4 || size == 8
                     : kind == 'i' || kind == 'u' ? size == 1 || size == 2 || size == 4 || size == 8
                     : kind == 'b'                ? size == 1
                                                  : header.is_text();
  if (!known) unknown();
  header.item_bytes = kind == 'U' ? 4 * size : size;
  const char other = std::endian::native == std::endian::little ? '>' : '<';
  header.swapped = descr[0] == other;
}

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

std::size_t NpyHeader::count() const noexcept {
  std::size_t product = 1;
  for (const std::size_t size : shape) product *= size;
  return product;
}

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t size : shape) text += (text.empty() ? "" : ", ") + std::to_string(size);
  return text;
}

std::size_t npy_header_bytes(const std::string& name, std::string_view prefix) {
  if (!prefix.starts_with(signature) || prefix.size() < npy_prefix_bytes)
    refuse_file(name, "this is not a .npy array", "its first bytes are not NumPy's");
  const auto byte = [&](std::size_t i) { return std::size_t(static_cast<unsigned char>(prefix[i])); };
  const std::size_t version = byte(6);
  if (version < 1 || version > 3)
    refuse_file(name, fmt::format(".npy version {} is not known", version), "versions 1 to 3 are");
  const std::size_t dict = byte(8) | byte(9) << 8;
  return version == 1 ? 10 + dict : 12 + (dict | byte(10) << 16 | byte(11) << 24);
}

NpyHeader parse_npy_header(const std::string& name, std::string_view start, std::uint64_t total) {
  NpyHeader header;
  header.header_bytes = npy_header_bytes(name, start.substr(0, npy_prefix_bytes));
  if (header.header_bytes > start.size())
    refuse_file(name, fmt::format("the file is cut short: its header needs {} bytes, {} are there",
                                  header.header_bytes, start.size()));
  const std::size_t dict = start[6] == 1 ? 10 : 12;
  std::string descr;
  DictParser(name, start.substr(dict, header.header_bytes - dict)).parse(header, descr);
  set_type(name, descr, header);
  std::size_t bytes = header.item_bytes;
  bool overflow = false, empty = false;
  for (const std::size_t size : header.shape) {
    overflow |= __builtin_mul_overflow(bytes, size, &bytes);
    empty |= size == 0;
  }
  const std::uint64_t there = total - header.header_bytes;
  if ((overflow && !empty) || bytes > there)
    refuse_file(name, fmt::format("the file is cut short: shape ({}) of {} needs {} bytes, {} are there",
                                  shape_text(header.shape), in_quotes(descr),
                                  overflow ? "more than 2^64" : std::to_string(bytes), there));
  if (!empty && bytes < there)
    refuse_file(name, fmt::format("{} bytes follow the array", there - bytes),
                "save one array per .npy file, or several in a .npz file");
  return header;
}

std::string npy_header_text(const std::string& descr, const std::vector<std::size_t>& shape) {
  std::string dict = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}{}), }}", descr,
                                 shape_text(shape), shape.size() == 1 ? "," : "");
  const std::size_t padding = 63 - (10 + dict.size()) % 64;
  dict += std::string(padding, ' ') + '\n';
  std::string text(signature);
  text += {'\x01', '\x00', char(dict.size() & 0xff), char(dict.size() >> 8)};
  return text + dict;
}

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

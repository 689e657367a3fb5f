// Data sets as NumPy's files: a .npy file holds the points and nothing beside them; a .npz file holds all.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "data/decimal.hpp"
#include "data/numpy.hpp"

namespace mercer {

namespace {

constexpr char order = std::endian::native == std::endian::little ? '<' : '>';

template <class T>
std::string descr_of() {
  return fmt::format("{}{}{}", order, std::is_floating_point_v<T> ? 'f' : 'i', sizeof(T));
}

template <class T>
std::string_view bytes_of(const T* data, std::size_t size) noexcept {
  return {reinterpret_cast<const char*>(data), size * sizeof(T)};
}

template <class T>
ArrayBytes shared_array(std::string name, const T* data, std::vector<std::size_t> shape) {
  std::size_t count = 1;
  for (const std::size_t size : shape) count *= size;
  return {std::move(name), npy_header_text(descr_of<T>(), shape), {}, bytes_of(data, count)};
}

template <class T>
ArrayBytes owned_array(std::string name, const std::vector<T>& data) {
  return {std::move(name),
          npy_header_text(descr_of<T>(), {data.size()}),
          std::string(bytes_of(data.data(), data.size())),
          {}};
}

template <class T>
std::vector<ArrayBytes> arrays_of(const Dense<T>& dense) {
  return {shared_array("X", dense.values.data(), {dense.rows, dense.cols})};
}

template <class T>
std::vector<ArrayBytes> arrays_of(const Sparse<T>& sparse) {
  return {
      shared_array("data", sparse.values.data(), {sparse.values.size()}),
      shared_array("indices", sparse.indices.data(), {sparse.indices.size()}),
      owned_array("indptr", std::vector<std::int64_t>(sparse.starts.begin(), sparse.starts.end())),
      owned_array("shape", std::vector<std::int64_t>{std::int64_t(sparse.rows), std::int64_t(sparse.cols)}),
      {"format", npy_header_text("|S3", {}), "csr", {}}};
}

/// The code points of UTF-8 text.
std::u32string decode_utf8(const std::string& text) {
  std::u32string codes;
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    const std::size_t length = lead < 0x80       ? 1
                               : lead >> 5 == 6  ? 2
                               : lead >> 4 == 14 ? 3
                               : lead >> 3 == 30 ? 4
                                                 : 0;
    if (length == 0 || i + length > text.size() || lead == 0)
      refuse_file({}, fmt::format("label {} is not UTF-8 text", in_quotes(text)), "rename it");
    char32_t code = length == 1 ? lead : char32_t(lead & (0x7f >> length));
    for (std::size_t k = 1; k < length; ++k)
      code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3f);
    codes += code;
    i += length;
  }
  return codes;
}

ArrayBytes texts_of(const Target& target) {
  std::vector<std::u32string> labels;
  std::size_t width = 1;
  for (const std::string& label : target.labels) {
    labels.push_back(decode_utf8(label));
    width = std::max(width, labels.back().size());
  }
  std::string bytes(target.codes.size() * width * 4, '\0');
  for (std::size_t i = 0; i < target.codes.size(); ++i) {
    const std::u32string& label = labels[std::size_t(target.codes[i])];
    std::memcpy(bytes.data() + i * width * 4, label.data(), label.size() * 4);
  }
  return {
      "y", npy_header_text(fmt::format("{}U{}", order, width), {target.codes.size()}), std::move(bytes), {}};
}

/// The label as an integer, where that is what it says.
bool is_integer(const std::string& label) noexcept {
  const Number number = read_number(label);
  return number.kind == Number::Kind::number && number.value == std::floor(number.value) &&
         std::abs(number.value) <= 9007199254740992 && number_text(number.value) == label;
}

}  // namespace

std::vector<ArrayBytes> arrays_of_points(const Points& points) {
  return std::visit([](const auto& storage) { return arrays_of(storage); }, points.storage());
}

ArrayBytes array_of_target(const Target& target) {
  if (target.task == Task::regression)
    return shared_array(
        "y", target.values.data(),
        target.outputs == 1 ? std::vector{target.size()} : std::vector{target.size(), target.outputs});
  if (!std::ranges::all_of(target.labels, is_integer)) return texts_of(target);
  const std::vector<double> numbers = target.numbers();
  return owned_array("y", std::vector<std::int64_t>(numbers.begin(), numbers.end()));
}

void write_npy(const std::string& path, const Dataset& data) {
  const auto refuse = [&](const char* what, const char* hint = "a .npz file can") {
    refuse_file(path, fmt::format("a .npy file cannot hold {}", what), hint);
  };
  if (data.target.task != Task::none) refuse("a target beside the points");
  if (!data.weights.empty()) refuse("weights beside the points");
  if (!data.queries.empty()) refuse("LIBSVM's qid", "write .svm");
  if (data.points.sparse()) refuse("sparse points");
  AtomicFile file(path);
  for (const ArrayBytes& array : arrays_of_points(data.points)) {
    file.write(array.header);
    file.write(array.elements());
  }
  file.commit();
}

void write_npz(const std::string& path, const Dataset& data) {
  if (path == "-") refuse_file("standard output", "a .npz archive cannot be written there", "name a file");
  if (!data.queries.empty()) refuse_file(path, "a .npz file cannot hold LIBSVM's qid", "write .svm");
  std::vector<ArrayBytes> arrays = arrays_of_points(data.points);
  if (data.target.task != Task::none) arrays.push_back(array_of_target(data.target));
  if (!data.weights.empty()) arrays.push_back(shared_array("w", data.weights.data(), {data.weights.size()}));
  write_archive(path, arrays);
}

}  // namespace mercer

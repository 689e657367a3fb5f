// The container of .mercer files: safetensors (github.com/huggingface/safetensors), which many tools read.
//
//   8 bytes  the length N of the header, little-endian
//   N bytes  JSON, padded with spaces:
//            {"__metadata__": {key: text, …},
//             name: {"dtype": "F64", "shape": [2, 3], "data_offsets": [0, 48]}, …}
//   the rest the tensors, little-endian and row-major, one behind the other without holes
//
// The file is mapped and nothing in it is executed. All of the header is checked against the bytes that are
// there before a tensor can be asked for, so that whoever holds a Safetensors holds sound spans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/file.hpp"

namespace mercer {

enum class Dtype { f64, i64, f32, i32, u8 };

struct DtypeInfo {
  std::string_view name;
  std::size_t bytes;  ///< of one element
};
inline constexpr DtypeInfo dtypes[] = {{"F64", 8}, {"I64", 8}, {"F32", 4}, {"I32", 4}, {"U8", 1}};
constexpr const DtypeInfo& dtype_info(Dtype dtype) noexcept { return dtypes[std::size_t(dtype)]; }

template <class T>
inline constexpr Dtype dtype_of = std::is_same_v<T, double>         ? Dtype::f64
                                  : std::is_same_v<T, std::int64_t> ? Dtype::i64
                                  : std::is_same_v<T, float>        ? Dtype::f32
                                  : std::is_same_v<T, std::int32_t> ? Dtype::i32
                                                                    : Dtype::u8;
template <class T>
concept TensorElement = std::is_same_v<T, std::uint8_t> ||(dtype_of<T> != Dtype::u8);

struct TensorView {
  std::string name;
  Dtype dtype = Dtype::f64;
  std::vector<std::size_t> shape;  ///< none: a single number
  const void* data = nullptr;

  std::size_t count() const noexcept;  ///< elements
  std::size_t bytes() const noexcept { return count() * dtype_info(dtype).bytes; }
};

/// Writes the file whole or not at all; the same arguments give the same bytes. Every tensor is aligned to
/// its elements: those with the largest elements come first, otherwise in the order given. Throws Error{data}
/// where a name or text is not UTF-8, two names are the same, or the disk does not take it.
void write_safetensors(const std::string& path, const std::map<std::string, std::string>& metadata,
                       const std::vector<TensorView>& tensors);
/// The same bytes, piece by piece, to `out`; `name` is what messages call them.
using Sink = std::function<void(std::string_view bytes)>;
void write_safetensors(const Sink& out, const std::string& name,
                       const std::map<std::string, std::string>& metadata,
                       const std::vector<TensorView>& tensors);

class Safetensors {
 public:
  /// Throws Error{data} "file: field 'name': what is wrong; what would be right".
  explicit Safetensors(const std::string& path);
  /// Of bytes in memory that live as long as this object; `name` is what messages call them.
  Safetensors(std::string name, std::string_view bytes);

  const std::map<std::string, std::string>& metadata() const noexcept { return metadata_; }
  bool has(const std::string& name) const { return tensors_.contains(name); }
  /// To learn a shape or a type; throws Error{data} where there is no such tensor.
  const TensorView& tensor(const std::string& name) const;
  /// The elements, in the mapped file, as long as this object lives. Throws Error{data} where the tensor is
  /// missing or has another type or shape.
  template <TensorElement T>
  std::span<const T> get(const std::string& name, const std::vector<std::size_t>& shape) const {
    const TensorView& found = checked(name, dtype_of<T>, shape);
    return {static_cast<const T*>(found.data), found.count()};
  }
  /// For whoever finds the contents of a field wrong: the same words.
  [[noreturn]] void refuse(std::string_view field, std::string_view what) const;

 private:
  const TensorView& checked(const std::string& name, Dtype dtype,
                            const std::vector<std::size_t>& shape) const;
  void read(std::string_view bytes);

  std::optional<MappedFile> file_;
  std::string name_;
  std::map<std::string, std::string> metadata_;
  std::map<std::string, TensorView> tensors_;
  std::vector<Buffer<char>> copies_;  ///< of tensors that another writer did not align
};

/// The header, checked in full: a hostile one is refused before anything of the size that it claims is
/// allocated.
struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<TensorView> tensors;  ///< in the order of their bytes; `data` points into the file
};

/// Reads the header of the file `name` with all of its bytes.
SafetensorsHeader parse_safetensors_header(const std::string& name, std::string_view bytes);

}  // namespace mercer

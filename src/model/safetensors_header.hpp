// The header of a safetensors file, checked in full: a hostile one is refused before anything of the size
// that it claims is allocated.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/safetensors.hpp"

namespace mercer {

inline constexpr std::string_view metadata_name = "__metadata__";
inline constexpr std::size_t most_header_bytes = 100'000'000;  // as the format's own reader has it

struct DtypeInfo {
  Dtype dtype;
  std::string_view name;
  std::size_t bytes;  ///< of one element
};
const DtypeInfo& dtype_info(Dtype dtype) noexcept;

struct SafetensorsHeader {
  std::map<std::string, std::string> metadata;
  std::vector<TensorView> tensors;  ///< in the order of their bytes; `data` points into the file
};

/// Reads the header of the file `name` with all of its bytes.
SafetensorsHeader parse_safetensors_header(const std::string& name, std::string_view bytes);

/// Throws Error{data} "name: field 'field': what".
[[noreturn]] void refuse_field(const std::string& name, std::string_view field, std::string_view what);

}  // namespace mercer

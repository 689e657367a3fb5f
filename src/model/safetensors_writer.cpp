#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <nlohmann/json.hpp>
#include <set>

#include "data/text_source.hpp"
#include "mercer/error.hpp"
#include "model/safetensors_header.hpp"

namespace mercer {

namespace {

/// `text` as a JSON string; `field` names it where it is not UTF-8.
std::string quoted(const std::string& path, const std::string& field, const std::string& text) {
  try {
    return nlohmann::json(text).dump();
  } catch (const nlohmann::json::exception&) {
    refuse_field(path, field, fmt::format("{} is not UTF-8; model files hold UTF-8 text", in_quotes(text)));
  }
}

void check_names(const std::string& path, const std::vector<TensorView>& tensors) {
  std::set<std::string_view> names{metadata_name};
  for (const TensorView& tensor : tensors)
    if (!names.insert(tensor.name).second)
      refuse_field(path, tensor.name, "is given twice or reserved; give each tensor a name of its own");
}

/// The JSON, and spaces so that the tensors start at a multiple of 64 bytes.
std::string header_text(const std::string& path, const std::map<std::string, std::string>& metadata,
                        const std::vector<TensorView>& tensors) {
  std::vector<std::string> members;
  for (const auto& [key, text] : metadata)
    members.push_back(quoted(path, key, key) + ":" + quoted(path, key, text));
  if (!members.empty()) members = {fmt::format("\"{}\":{{{}}}", metadata_name, fmt::join(members, ","))};
  std::size_t offset = 0;
  for (const TensorView& tensor : tensors) {
    const DtypeInfo& type = dtype_info(tensor.dtype);
    const std::size_t end = offset + tensor.count() * type.bytes;
    members.push_back(fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                                  quoted(path, tensor.name, tensor.name), type.name,
                                  fmt::join(tensor.shape, ","), offset, end));
    offset = end;
  }
  std::string text = fmt::format("{{{}}}", fmt::join(members, ","));
  text.append(63 - (text.size() + 7) % 64, ' ');
  return text;
}

}  // namespace

void write_safetensors(const Sink& out, const std::string& name,
                       const std::map<std::string, std::string>& metadata,
                       const std::vector<TensorView>& tensors) {
  check_names(name, tensors);
  std::vector<TensorView> ordered = tensors;
  std::stable_sort(ordered.begin(), ordered.end(), [](const TensorView& a, const TensorView& b) {
    return dtype_info(a.dtype).bytes > dtype_info(b.dtype).bytes;
  });
  const std::string header = header_text(name, metadata, ordered);
  if (header.size() > most_header_bytes)
    throw Error(ErrorCode::invalid_file, fmt::format("names and texts need {} bytes", header.size()),
                {.file = name, .hint = fmt::format("the format holds {} of them", most_header_bytes)});
  for (std::uint64_t length = header.size(), i = 0; i < 8; ++i, length >>= 8) {
    const char byte = char(length & 0xff);
    out({&byte, 1});
  }
  out(header);
  for (const TensorView& tensor : ordered) {
    const std::size_t bytes = tensor.count() * dtype_info(tensor.dtype).bytes;
    assert(bytes == 0 || tensor.data);
    out({static_cast<const char*>(tensor.data), bytes});
  }
}

void write_safetensors(const std::string& path, const std::map<std::string, std::string>& metadata,
                       const std::vector<TensorView>& tensors) {
  AtomicFile file(path);
  write_safetensors([&](std::string_view bytes) { file.write(bytes); }, path, metadata, tensors);
  file.commit();
}

}  // namespace mercer

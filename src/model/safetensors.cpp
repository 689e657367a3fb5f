// The JSON is read event by event (SAX). A tree of values would silently drop the first of two equal names
// and grow with nesting that a hostile header chooses; here a value is refused where the format has no place
// for it, so the deepest that is ever entered is the list in a tensor.
#include "model/safetensors.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <bit>
#include <cassert>
#include <set>

#include "base/copy_of.hpp"
#include "data/npy_header.hpp"
#include "data/text_source.hpp"
#include "mercer/error.hpp"

namespace mercer {

namespace {

constexpr std::string_view metadata_name = "__metadata__";
constexpr std::size_t most_header_bytes = 100'000'000;  // as the format's own reader has it

static_assert(std::endian::native == std::endian::little,
              "tensors are used as they stand in the mapped file");

[[noreturn]] void refuse(const std::string& name, std::string_view what) {
  throw Error(ErrorCode::invalid_file, std::string(what), {.file = name});
}

[[noreturn]] void refuse_field(const std::string& name, std::string_view field, std::string_view what) {
  refuse(name, fmt::format("field {}: {}", in_quotes(field), what));
}

/// A tensor as the header tells it, before its numbers are believed.
struct Claim {
  std::string name, dtype;
  std::vector<std::size_t> shape, offsets;
};

/// Follows the JSON, which starts with {, through the header, a tensor or the metadata, and a list in a
/// tensor.
class HeaderReader final : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit HeaderReader(const std::string& file) : file_(file) {}

  std::map<std::string, std::string> metadata;
  std::vector<Claim> claims;

  bool null() override { wrong("null"); }
  bool boolean(bool value) override { wrong(value ? "true" : "false"); }
  bool number_integer(number_integer_t value) override { wrong(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { wrong(text); }
  bool binary(binary_t&) override { wrong("binary"); }

  bool number_unsigned(number_unsigned_t value) override {
    if (level_ != Level::list) wrong(std::to_string(value));
    (member_ == "shape" ? claims.back().shape : claims.back().offsets).push_back(value);
    return true;
  }
  bool string(string_t& text) override {
    if (level_ == Level::metadata)
      metadata[key_] = std::move(text);
    else if (level_ == Level::tensor && member_ == "dtype")
      claims.back().dtype = std::move(text);
    else
      wrong("the text " + in_quotes(text));
    return true;
  }
  bool start_object(std::size_t) override {
    if (level_ == Level::outside)
      level_ = Level::header;
    else if (level_ == Level::header && key_ == metadata_name)
      level_ = Level::metadata;
    else if (level_ == Level::header)
      start_tensor();
    else
      wrong("an object");
    return true;
  }
  bool end_object() override {
    if (level_ == Level::tensor && members_.size() != 3)
      refuse_field(file_, claims.back().name, "is not whole; a tensor has dtype, shape and data_offsets");
    level_ = level_ == Level::header ? Level::outside : Level::header;
    return true;
  }
  bool start_array(std::size_t) override {
    if (level_ != Level::tensor || member_ == "dtype") wrong("a list");
    level_ = Level::list;
    return true;
  }
  bool end_array() override {
    level_ = Level::tensor;
    return true;
  }
  bool key(string_t& name) override {
    if (level_ == Level::tensor) {
      start_member(name);
    } else {
      key_ = name;
      if (!(level_ == Level::metadata ? texts_ : names_).insert(name).second)
        refuse_field(file_, name, "appears twice; give each name once");
    }
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&) override {
    refuse(file_,
           fmt::format(
               "the header is not valid JSON at its byte {}; the file is damaged, take another copy of it",
               position));
  }

 private:
  enum class Level { outside, header, metadata, tensor, list };

  void start_tensor() {
    claims.push_back({key_, {}, {}, {}});
    members_.clear();
    level_ = Level::tensor;
  }

  void start_member(const std::string& name) {
    const std::string& tensor = claims.back().name;
    if (name != "dtype" && name != "shape" && name != "data_offsets")
      refuse_field(file_, tensor,
                   fmt::format("has {}; a tensor has dtype, shape and data_offsets", in_quotes(name)));
    if (!members_.insert(name).second) refuse_field(file_, tensor, name + " appears twice; give it once");
    member_ = name;
  }

  /// For a value that has no place where it stands.
  [[noreturn]] void wrong(const std::string& found) const {
    if (level_ == Level::metadata)
      refuse_field(file_, key_, fmt::format("is {}; the metadata hold texts only", found));
    if (level_ == Level::tensor)
      refuse_field(file_, claims.back().name,
                   fmt::format("{} is {}; {} is needed", member_, found,
                               member_ == "dtype" ? "a text such as \"F64\"" : "a list of whole numbers"));
    if (level_ == Level::list)
      refuse_field(file_, claims.back().name,
                   fmt::format("{} holds {}; whole numbers from 0 to 2^64 - 1 are needed", member_, found));
    refuse_field(
        file_, key_,
        fmt::format("is {}; an object {} is needed", found,
                    key_ == metadata_name ? "that holds texts" : "with dtype, shape and data_offsets"));
  }

  const std::string& file_;
  Level level_ = Level::outside;
  std::string key_, member_;
  std::set<std::string> names_, texts_, members_;
};

Dtype known_dtype(const std::string& file, const Claim& claim) {
  const auto found = std::ranges::find(dtypes, claim.dtype, &DtypeInfo::name);
  if (found == std::end(dtypes))
    refuse_field(file, claim.name,
                 fmt::format("dtype {} is not known; F64, I64, F32, I32 and U8 are", in_quotes(claim.dtype)));
  return Dtype(found - dtypes);
}

/// The type, and a shape and offsets that agree with each other and lie within the bytes that are there.
TensorView believe(const std::string& file, const Claim& claim, std::string_view data) {
  const Dtype dtype = known_dtype(file, claim);
  if (claim.offsets.size() != 2)
    refuse_field(
        file, claim.name,
        fmt::format("data_offsets holds {} numbers; 2 are needed, begin and end", claim.offsets.size()));
  const std::size_t begin = claim.offsets[0], end = claim.offsets[1];
  if (begin > end || end > data.size())
    refuse_field(
        file, claim.name,
        fmt::format(
            "data_offsets [{}, {}] do not lie within the {} bytes of tensors that are there; the file is "
            "cut short or damaged",
            begin, end, data.size()));
  std::size_t bytes = dtype_info(dtype).bytes;
  bool overflow = false, empty = false;
  for (const std::size_t extent : claim.shape) {
    overflow |= __builtin_mul_overflow(bytes, extent, &bytes);
    empty |= extent == 0;
  }
  if (empty) bytes = 0;
  if ((overflow && !empty) || bytes != end - begin)
    refuse_field(
        file, claim.name,
        fmt::format("shape [{}] of {} needs {} bytes; data_offsets [{}, {}] give {}", shape_text(claim.shape),
                    dtype_info(dtype).name, overflow && !empty ? "more than 2^64" : std::to_string(bytes),
                    begin, end, end - begin));
  return {claim.name, dtype, claim.shape, data.data() + begin};
}

/// Puts the tensors in the order of their bytes, which they must fill without holes or overlaps.
void check_layout(const std::string& file, std::vector<TensorView>& tensors, std::string_view data) {
  const auto begin = [&](const TensorView& t) {
    return std::size_t(static_cast<const char*>(t.data) - data.data());
  };
  const auto end = [&](const TensorView& t) { return begin(t) + t.bytes(); };
  std::stable_sort(tensors.begin(), tensors.end(), [&](const TensorView& a, const TensorView& b) {
    return std::pair(begin(a), end(a)) < std::pair(begin(b), end(b));
  });
  std::size_t filled = 0;
  for (const TensorView& tensor : tensors) {
    if (begin(tensor) != filled)
      refuse_field(
          file, tensor.name,
          fmt::format(
              "starts at byte {} of the tensors, where the one before ends at {}; they must follow each "
              "other without holes or overlaps",
              begin(tensor), filled));
    filled = end(tensor);
  }
  if (filled != data.size())
    refuse(file,
           fmt::format("{} bytes follow the last tensor; the file must end with it", data.size() - filled));
}

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
    const std::size_t end = offset + tensor.bytes();
    members.push_back(fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})",
                                  quoted(path, tensor.name, tensor.name), dtype_info(tensor.dtype).name,
                                  fmt::join(tensor.shape, ","), offset, end));
    offset = end;
  }
  std::string text = fmt::format("{{{}}}", fmt::join(members, ","));
  text.append(63 - (text.size() + 7) % 64, ' ');
  return text;
}

}  // namespace

SafetensorsHeader parse_safetensors_header(const std::string& name, std::string_view bytes) {
  if (bytes.size() < 8)
    refuse(name, fmt::format("has {} bytes; a .mercer file has 8 at least, the length of its header",
                             bytes.size()));
  std::uint64_t length = 0;
  for (std::size_t i = 8; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  if (length > most_header_bytes || length > bytes.size() - 8)
    refuse(name,
           fmt::format(
               "the header should have {} bytes, {} are there; this is no .mercer file, or it is cut short",
               length, bytes.size() - 8));
  const std::string_view header = bytes.substr(8, length), data = bytes.substr(8 + length);
  if (!header.starts_with('{')) refuse(name, "the header does not start with {; this is no .mercer file");
  HeaderReader reader(name);
  nlohmann::json::sax_parse(header.begin(), header.end(), &reader);
  SafetensorsHeader result{std::move(reader.metadata), {}};
  for (const Claim& claim : reader.claims) result.tensors.push_back(believe(name, claim, data));
  check_layout(name, result.tensors, data);
  return result;
}

std::size_t TensorView::count() const noexcept {
  std::size_t product = 1;
  for (const std::size_t extent : shape) product *= extent;
  return product;
}

Safetensors::Safetensors(const std::string& path) : file_(path), name_(file_->name()) { read(file_->text()); }

Safetensors::Safetensors(std::string name, std::string_view bytes) : name_(std::move(name)) { read(bytes); }

void Safetensors::read(std::string_view bytes_of_all) {
  SafetensorsHeader header = parse_safetensors_header(name_, bytes_of_all);
  metadata_ = std::move(header.metadata);
  for (TensorView& tensor : header.tensors) {
    if (reinterpret_cast<std::uintptr_t>(tensor.data) % dtype_info(tensor.dtype).bytes != 0) {
      copies_.push_back(copy_of(std::span(static_cast<const char*>(tensor.data), tensor.bytes())));
      tensor.data = copies_.back().data();
    }
    tensors_.emplace(tensor.name, std::move(tensor));
  }
}

void Safetensors::refuse(std::string_view field, std::string_view what) const {
  refuse_field(name_, field, what);
}

const TensorView& Safetensors::tensor(const std::string& name) const {
  const auto found = tensors_.find(name);
  if (found == tensors_.end()) refuse(name, "is missing; a tensor of this name is needed");
  return found->second;
}

const TensorView& Safetensors::checked(const std::string& name, Dtype dtype,
                                       const std::vector<std::size_t>& shape) const {
  const TensorView& found = tensor(name);
  if (found.dtype != dtype || found.shape != shape)
    refuse(name, fmt::format("is {} of shape [{}]; {} of shape [{}] is needed", dtype_info(found.dtype).name,
                             shape_text(found.shape), dtype_info(dtype).name, shape_text(shape)));
  return found;
}

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
    assert(tensor.bytes() == 0 || tensor.data);
    out({static_cast<const char*>(tensor.data), tensor.bytes()});
  }
}

void write_safetensors(const std::string& path, const std::map<std::string, std::string>& metadata,
                       const std::vector<TensorView>& tensors) {
  AtomicFile file(path);
  write_safetensors([&](std::string_view bytes) { file.write(bytes); }, path, metadata, tensors);
  file.commit();
}

}  // namespace mercer

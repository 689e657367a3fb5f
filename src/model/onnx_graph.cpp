#include "model/onnx_graph.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "mercer/error.hpp"
#include "mercer/version.hpp"

namespace mercer::onnx {

namespace {

static_assert(std::endian::native == std::endian::little, "tensors are written as they are in memory");

constexpr std::int64_t opset = 15, ml_opset = 2, ir_version = 8;
constexpr std::string_view ml_domain = "ai.onnx.ml";
constexpr std::size_t most_bytes = (std::size_t(1) << 31) - 1;

/// A protocol buffer: fields with a number and a kind.
class Fields {
 public:
  void integer(int field, std::uint64_t value) {
    varint(std::uint64_t(field) << 3);
    varint(value);
  }
  void integer(int field, std::int64_t value) { integer(field, std::uint64_t(value)); }
  void text(int field, std::string_view value) {
    varint(std::uint64_t(field) << 3 | 2);
    varint(value.size());
    bytes += value;
  }
  void single(int field, float value) {
    varint(std::uint64_t(field) << 3 | 5);
    char raw[sizeof value];
    std::memcpy(raw, &value, sizeof value);
    bytes.append(raw, sizeof value);
  }

  std::string bytes;

 private:
  void varint(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes += char(value | 0x80);
    bytes += char(value);
  }
};

// The numbers of the fields are those of onnx.proto.
enum class AttributeType {
  single = 1,
  integer = 2,
  text = 3,
  graph = 5,
  singles = 6,
  integers = 7,
  texts = 8
};

std::string attribute_bytes(const Attribute& attribute) {
  Fields out;
  out.text(1, attribute.name);
  const auto type = [&](AttributeType t) { out.integer(20, std::int64_t(t)); };
  std::visit(
      [&]<class T>(const T& value) {
        if constexpr (std::is_same_v<T, std::int64_t>) {
          out.integer(3, value);
          type(AttributeType::integer);
        } else if constexpr (std::is_same_v<T, float>) {
          out.single(2, value);
          type(AttributeType::single);
        } else if constexpr (std::is_same_v<T, std::string>) {
          out.text(4, value);
          type(AttributeType::text);
        } else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>) {
          for (const std::int64_t i : value) out.integer(8, i);
          type(AttributeType::integers);
        } else if constexpr (std::is_same_v<T, std::vector<float>>) {
          for (const float f : value) out.single(7, f);
          type(AttributeType::singles);
        } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
          for (const std::string& s : value) out.text(9, s);
          type(AttributeType::texts);
        } else {
          out.text(6, value->bytes(attribute.name));
          type(AttributeType::graph);
        }
      },
      attribute.value);
  return std::move(out.bytes);
}

// ValueInfoProto. `shaped`: with these dimensions, else of any shape.
std::string value_info(const Name& name, Element element, const Graph::Dimensions& dims, bool shaped) {
  Fields shape;
  for (const auto& dim : dims) {
    Fields one;
    if (const auto* size = std::get_if<std::int64_t>(&dim))
      one.integer(1, *size);
    else
      one.text(2, std::get<std::string>(dim));
    shape.text(1, one.bytes);
  }
  Fields tensor, type, out;
  tensor.integer(1, std::int64_t(element));
  if (shaped) tensor.text(2, shape.bytes);
  type.text(1, tensor.bytes);
  out.text(1, name);
  out.text(2, type.bytes);
  return std::move(out.bytes);
}

template <class T>
std::string raw_field(std::span<const T> values) {
  Fields out;
  out.text(9, {reinterpret_cast<const char*>(values.data()), values.size_bytes()});
  return std::move(out.bytes);
}

bool is_of_ml(std::string_view type) {
  return type == "LabelEncoder" || type == "SVMClassifier" || type == "SVMRegressor";
}

}  // namespace

Name Graph::fresh() { return fmt::format("t{}", ++root_->made_); }

void Graph::initializer(const Name& name, const std::vector<std::int64_t>& dims, Element element,
                        std::string_view field) {
  Fields tensor, out;
  for (const std::int64_t dim : dims) tensor.integer(1, dim);
  tensor.integer(2, std::int64_t(element));
  tensor.text(8, name);
  tensor.bytes += field;
  out.text(5, tensor.bytes);
  root_->initializers_ += out.bytes;
}

Name Graph::numbers(std::vector<std::int64_t> dims, std::span<const double> values) {
  const Name name = fresh();
  initializer(name, dims, Element::float64, raw_field(values));
  return name;
}

Name Graph::number(double value) {
  const auto [known, is_new] =
      root_->known_.try_emplace(fmt::format("number {:x}", std::bit_cast<std::uint64_t>(value)));
  if (is_new) known->second = numbers({}, {&value, 1});
  return known->second;
}

Name Graph::integers(std::span<const std::int64_t> values) {
  const auto [known, is_new] = root_->known_.try_emplace(fmt::format("integers {}", fmt::join(values, " ")));
  if (is_new) {
    known->second = fresh();
    initializer(known->second, {std::int64_t(values.size())}, Element::int64, raw_field(values));
  }
  return known->second;
}

Name Graph::integer(std::int64_t value) {
  const auto [known, is_new] = root_->known_.try_emplace(fmt::format("integer {}", value));
  if (is_new) {
    known->second = fresh();
    initializer(known->second, {}, Element::int64, raw_field(std::span<const std::int64_t>(&value, 1)));
  }
  return known->second;
}

Name Graph::truth(bool value) {
  const Name name = fresh();
  const char byte = char(value);
  initializer(name, {}, Element::boolean, raw_field(std::span<const char>(&byte, 1)));
  return name;
}

Name Graph::strings(std::span<const std::string> values) {
  const Name name = fresh();
  Fields field;
  for (const std::string& value : values) field.text(6, value);
  initializer(name, {std::int64_t(values.size())}, Element::string, field.bytes);
  return name;
}

Name Graph::node(std::string_view type, std::vector<Name> inputs, const Attributes& attributes) {
  return nodes(type, std::move(inputs), 1, attributes).front();
}

std::vector<Name> Graph::nodes(std::string_view type, std::vector<Name> inputs, std::size_t results,
                               const Attributes& attributes) {
  Fields node, out;
  std::vector<Name> names;
  for (const Name& input : inputs) node.text(1, input);
  for (std::size_t r = 0; r < results; ++r) node.text(2, names.emplace_back(fresh()));
  node.text(3, names.front());
  node.text(4, type);
  for (const Attribute& attribute : attributes) node.text(5, attribute_bytes(attribute));
  if (is_of_ml(type)) node.text(7, ml_domain);
  out.text(1, node.bytes);
  nodes_ += out.bytes;
  return names;
}

void Graph::input(const Name& name, Element element, const Dimensions& dims) {
  Fields out;
  out.text(11, value_info(name, element, dims, true));
  inputs_ += out.bytes;
}

void Graph::output(const Name& name, const Name& from, Element element, const Dimensions& dims) {
  Fields node, nodes, out;
  node.text(1, from);
  node.text(2, name);
  node.text(3, name);
  node.text(4, "Identity");
  nodes.text(1, node.bytes);
  nodes_ += nodes.bytes;
  out.text(12, value_info(name, element, dims, true));
  outputs_ += out.bytes;
}

Name Graph::parameter(Element element, bool single) {
  const Name name = fresh();
  Fields out;
  out.text(11, value_info(name, element, {}, single));
  inputs_ += out.bytes;
  return name;
}

void Graph::result(const Name& name, Element element) {
  Fields out;
  out.text(12, value_info(name, element, {}, false));
  outputs_ += out.bytes;
}

void Graph::result(const Name& name, Element element, const Dimensions& dims) {
  Fields out;
  out.text(12, value_info(name, element, dims, true));
  outputs_ += out.bytes;
}

std::string Graph::bytes(std::string_view name) const {
  Fields out;
  out.bytes = nodes_;
  out.text(2, name);
  out.bytes += initializers_;
  out.bytes += inputs_;
  out.bytes += outputs_;
  return std::move(out.bytes);
}

std::string model_bytes(const Graph& graph, const ModelInfo& info) {
  Fields out;
  out.integer(1, ir_version);
  out.text(2, "Mercer");
  out.text(3, version());
  out.text(6, info.description);
  out.text(7, graph.bytes("model"));
  for (const auto& [domain, number] :
       {std::pair(std::string_view(), opset), std::pair(ml_domain, ml_opset)}) {
    Fields set;
    set.text(1, domain);
    set.integer(2, number);
    out.text(8, set.bytes);
  }
  for (const auto& [key, value] : info.metadata) {
    Fields entry;
    entry.text(1, key);
    entry.text(2, value);
    out.text(14, entry.bytes);
  }
  if (out.bytes.size() > most_bytes)
    throw Error(ErrorCode::too_large,
                fmt::format("the model takes {:.1f} GB, and an ONNX file has at most 2 GB",
                            double(out.bytes.size()) / 1e9),
                {.hint = "fit it with a kernel approximation, or with fewer rows"});
  return std::move(out.bytes);
}

}  // namespace mercer::onnx

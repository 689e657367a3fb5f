// An ONNX graph as it grows: tensors are names, nodes are added in the order in which they run. bytes() is
// the protocol buffer that onnx.proto describes (github.com/onnx/onnx, ir_version 8).
//
// The format is a few kinds of fields, so it is written here rather than through libprotobuf and libonnx: a
// program that has another copy of these loaded, as Python with onnx may have, can end where two of them
// register the same messages (docs/decisions/0022-onnx.md).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace mercer::onnx {

using Name = std::string;  ///< of a tensor

/// As TensorProto.DataType numbers them.
enum class Element { float32 = 1, int64 = 7, string = 8, boolean = 9, float64 = 11 };

class Graph;

struct Attribute {
  std::string name;
  std::variant<std::int64_t, float, std::string, std::vector<std::int64_t>, std::vector<float>,
               std::vector<std::string>, std::shared_ptr<const Graph>>
      value;
};
using Attributes = std::vector<Attribute>;

class Graph {
 public:
  Graph() : root_(this) {}
  /// The body of a loop inside `outer`, whose tensors it may use.
  explicit Graph(Graph& outer) : root_(outer.root_) {}
  Graph(const Graph&) = delete;
  Graph& operator=(const Graph&) = delete;

  /// Constants. `dims` are those of a tensor in row-major order; a single number has none.
  Name numbers(std::vector<std::int64_t> dims, std::span<const double> values);
  Name number(double value);
  Name integers(std::span<const std::int64_t> values);  ///< a list
  Name integers(std::initializer_list<std::int64_t> values) {
    return integers(std::span(values.begin(), values.size()));
  }
  Name integer(std::int64_t value);
  Name truth(bool value);
  Name strings(std::span<const std::string> values);  ///< a list

  /// A node with one result, or with `results` of them.
  Name node(std::string_view type, std::vector<Name> inputs, const Attributes& attributes = {});
  std::vector<Name> nodes(std::string_view type, std::vector<Name> inputs, std::size_t results,
                          const Attributes& attributes = {});

  /// A dimension is a number, or a word where it is free; none at all: any shape.
  using Dimensions = std::vector<std::variant<std::int64_t, std::string>>;
  void input(const Name& name, Element element, const Dimensions& dims);
  /// `from`: the tensor that it gives out.
  void output(const Name& name, const Name& from, Element element, const Dimensions& dims);
  /// Of bodies: an input of any shape or, with `single`, of one number, with a name of its own; and a result.
  Name parameter(Element element, bool single = false);
  void result(const Name& name, Element element);
  void result(const Name& name, Element element, const Dimensions& dims);

  std::string bytes(std::string_view name) const;  ///< GraphProto

 private:
  Name fresh();
  void initializer(const Name& name, const std::vector<std::int64_t>& dims, Element element,
                   std::string_view field);

  Graph* root_;
  std::size_t made_ = 0;                                 // names, of the root
  std::map<std::string, Name> known_;                    // constants that are there already, of the root
  std::string nodes_, initializers_, inputs_, outputs_;  // fields of GraphProto
};

struct ModelInfo {
  std::string description;
  std::vector<std::pair<std::string, std::string>> metadata = {};
};
/// ModelProto. Error{too_large} beyond the 2 GB that a protocol buffer may have.
std::string model_bytes(const Graph& graph, const ModelInfo& info);

/// Names of operators that are short enough to write formulas with.
inline Name add(Graph& g, const Name& a, const Name& b) { return g.node("Add", {a, b}); }
inline Name subtract(Graph& g, const Name& a, const Name& b) { return g.node("Sub", {a, b}); }
inline Name multiply(Graph& g, const Name& a, const Name& b) { return g.node("Mul", {a, b}); }
inline Name divide(Graph& g, const Name& a, const Name& b) { return g.node("Div", {a, b}); }
/// AB or ABᵀ of two matrices. Not MatMul, into which ONNX Runtime fuses a factor behind it, rounded to
/// float32.
inline Name product(Graph& g, const Name& a, const Name& b, bool transposed = false) {
  return g.node("Gemm", {a, b}, transposed ? Attributes{{"transB", std::int64_t(1)}} : Attributes{});
}
inline Name cast(Graph& g, const Name& a, Element to) {
  return g.node("Cast", {a}, {{"to", std::int64_t(to)}});
}
/// One number for each row: rows × 1. `type`: ReduceMax, ReduceMin, ReduceMean.
inline Name reduce(Graph& g, std::string_view type, const Name& a, std::int64_t axis = 1, bool keep = true) {
  return g.node(type, {a}, {{"axes", std::vector<std::int64_t>{axis}}, {"keepdims", std::int64_t(keep)}});
}
inline Name sum(Graph& g, const Name& a, std::int64_t axis = 1, bool keep = true) {
  return g.node("ReduceSum", {a, g.integers({axis})}, {{"keepdims", std::int64_t(keep)}});
}
inline Name gather(Graph& g, const Name& a, const Name& indices, std::int64_t axis) {
  return g.node("Gather", {a, indices}, {{"axis", axis}});
}
inline Name concat(Graph& g, std::vector<Name> parts, std::int64_t axis = 1) {
  return parts.size() == 1 ? parts.front() : g.node("Concat", std::move(parts), {{"axis", axis}});
}
inline Name choose(Graph& g, const Name& condition, const Name& yes, const Name& no) {
  return g.node("Where", {condition, yes, no});
}

}  // namespace mercer::onnx

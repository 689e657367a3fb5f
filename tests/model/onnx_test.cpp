// What the graphs compute is compared with ONNX Runtime in tests/cli/onnx_test.py; here is what can be said
// without it: the bytes of the format, what is refused, and that every method has a graph.
#include "mercer/onnx.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mercer/generate.hpp"
#include "mercer/kernels.hpp"
#include "mercer/methods.hpp"
#include "mercer/user_kernel.hpp"
#include "message_of.hpp"
#include "model/consistency.hpp"
#include "model/onnx_graph.hpp"

namespace mercer {
namespace {

bool has(const std::string& bytes, const std::string& part) { return bytes.find(part) != bytes.npos; }

Dataset moons() { return generate("moons", {.n = 60}); }

/// A field of a protocol buffer that holds bytes, fewer than 128 of them; or a small number.
std::string field(int number, const std::string& bytes) {
  return std::string{char(number << 3 | 2), char(bytes.size())} + bytes;
}
std::string field(int number, int value) { return std::string{char(number << 3), char(value)}; }

TEST(OnnxGraph, WritesTheFieldsOfTheFormat) {
  onnx::Graph graph;
  graph.input("x", onnx::Element::float64, {"N", 3});
  const onnx::Name twice = graph.node("Mul", {"x", graph.number(2)});
  graph.output("y", twice, onnx::Element::float64, {"N", 3});
  // The numbers of the fields are those of onnx.proto: GraphProto, NodeProto, TensorProto, ValueInfoProto.
  const std::string shape = field(1, field(2, "N")) + field(1, field(1, 3)),
                    type = field(1, field(1, 11) + field(2, shape));
  const std::string two("\0\0\0\0\0\0\0\x40", 8);
  EXPECT_EQ(graph.bytes("g"),
            field(1, field(1, "x") + field(1, "t1") + field(2, "t2") + field(3, "t2") + field(4, "Mul")) +
                field(1, field(1, "t2") + field(2, "y") + field(3, "y") + field(4, "Identity")) +
                field(2, "g") + field(5, field(2, 11) + field(8, "t1") + field(9, two)) +
                field(11, field(1, "x") + field(2, type)) + field(12, field(1, "y") + field(2, type)));
}

TEST(OnnxGraph, KeepsEqualConstantsOnce) {
  onnx::Graph graph;
  EXPECT_EQ(graph.number(0.5), graph.number(0.5));
  EXPECT_NE(graph.number(0.0), graph.number(-0.0));
  EXPECT_EQ(graph.integers({1, 2}), graph.integers({1, 2}));
  EXPECT_NE(graph.integers({1}), graph.integer(1));
}

TEST(Onnx, EveryMethodHasAGraph) {
  Dataset real = generate("sine", {.n = 40});
  Dataset counts = real;
  for (double& y : counts.target.values) y = std::round(std::abs(10 * y));
  for (const AnyMethod& method : methods()) {
    const std::string name(method->name());
    const Task task = method->traits().task;
    const Dataset& data = name == "poisson" ? counts : task == Task::regression ? real : moons();
    const Kernel kernel = method->traits().needs_columns ? linear() : rbf({.gamma = 1});
    const Model model = fit(method, kernel, data);
    const std::string graph = to_onnx(model);
    EXPECT_TRUE(has(graph, has_classes(model.fitted.rule) || !model.labels.empty() ? "label"
                           : model.fitted.rule == Rule::projection                 ? "components"
                           : model.fitted.rule == Rule::novelty                    ? "scores"
                                                                                   : "prediction"))
        << name;
    EXPECT_EQ(graph, to_onnx(model)) << name;
  }
}

TEST(Onnx, Float32ChangesTheInput) {
  const Model model = fit(Svm{}, linear(), moons());
  EXPECT_NE(to_onnx(model), to_onnx(model, {.float32 = true}));
}

TEST(Onnx, RefusesWhatAGraphCannotHave) {
  const Model plain = fit(Gp{.optimize = Optimize::none}, rbf({.gamma = 1}), generate("sine", {.n = 20}));
  EXPECT_EQ(
      message_of([&] { to_onnx(plain, {.variances = true}); }),
      "an ONNX graph has the predictions of a model, not their variances; predict variances with Mercer");
  const Kernel own =
      user_kernel("mine", [](std::span<const double> x, std::span<const double> z) { return x[0] * z[0]; });
  const Model custom = fit(Ridge{}, own, generate("sine", {.n = 20}), {.allow_indefinite = true});
  const std::string refusal = message_of([&] { to_onnx(custom); });
  EXPECT_TRUE(has(refusal, "user:mine is a function of a program, which an ONNX graph cannot call"))
      << refusal;
  EXPECT_TRUE(has(refusal, "write the kernel as an expression")) << refusal;
  Dataset texts;
  texts.points =
      Points(Objects("dna", Domain::sequence, std::vector<std::string>{"ACGT", "ACCA", "GGTT", "GATT"}));
  texts.target = {.task = Task::regression, .values = {1, 2, 3, 4}};
  const Model objects = fit(Ridge{}, Kernel::parse("spectrum(k=2)"), texts);
  EXPECT_TRUE(has(message_of([&] { to_onnx(objects); }), "the model compares objects (column 'dna')"));
  const Model singular = fit(Lwlr{.ridge = 0}, rbf({.gamma = 1}), generate("sine", {.n = 20}));
  EXPECT_TRUE(has(message_of([&] { to_onnx(singular); }), "fit it with ridge=1e-8 or more"));
}

}  // namespace
}  // namespace mercer

#include "model/safetensors.hpp"
#include "model/safetensors_files.hpp"

namespace mercer {
namespace {

using testing::refusal;
using testing::safetensors;
using testing::Scratch;
using testing::write_example;

TEST(SafetensorsReader, GivesBackWhatWasWritten) {
  const Scratch scratch;
  const std::string path = scratch.path("a.mercer");
  write_example(path);
  const Safetensors file(path);
  EXPECT_EQ(file.metadata(),
            (std::map<std::string, std::string>{{"kernel", "rbf(gamma=0.5)"}, {"label \"é\"\n", ""}}));
  const auto as_vector = [](auto values) { return std::vector(values.begin(), values.end()); };
  EXPECT_EQ(as_vector(file.get<double>("alpha", {3, 1})), (std::vector<double>{0.5, -1, 1e300}));
  EXPECT_EQ(as_vector(file.get<std::int64_t>("starts", {2})), (std::vector<std::int64_t>{-1, 1LL << 40}));
  EXPECT_EQ(as_vector(file.get<float>("weights", {1, 1})), (std::vector<float>{1.5f}));
  EXPECT_EQ(as_vector(file.get<float>("scalar", {})), (std::vector<float>{1.5f}));
  EXPECT_EQ(as_vector(file.get<std::int32_t>("codes", {3})), (std::vector<std::int32_t>{7, -8, 9}));
  EXPECT_EQ(as_vector(file.get<std::uint8_t>("bytes", {5})), (std::vector<std::uint8_t>{1, 2, 3, 4, 255}));
  EXPECT_TRUE(file.get<double>("none", {4, 0}).empty());
  EXPECT_TRUE(file.has("none"));
  EXPECT_FALSE(file.has("other"));
}

TEST(SafetensorsReader, AFileMayHoldNothing) {
  const Scratch scratch;
  const std::string path = scratch.path("a.mercer");
  write_safetensors(path, {}, {});
  const Safetensors file(path);
  EXPECT_TRUE(file.metadata().empty());
  EXPECT_FALSE(file.has("x"));
}

TEST(SafetensorsReader, AWrongTypeOrShapeIsRefused) {
  const Scratch scratch;
  const std::string path = scratch.path("a.mercer");
  write_example(path);
  const Safetensors file(path);
  EXPECT_EQ(refusal([&] {
              file.get<float>("alpha", {3, 1});
            }),
            path + ": field 'alpha': is F64 of shape [3, 1]; F32 of shape [3, 1] is needed");
  EXPECT_EQ(refusal([&] { file.get<double>("alpha", {3}); }),
            path + ": field 'alpha': is F64 of shape [3, 1]; F64 of shape [3] is needed");
  EXPECT_EQ(refusal([&] { file.get<double>("beta", {3}); }),
            path + ": field 'beta': is missing; a tensor of this name is needed");
  EXPECT_EQ(refusal([&] { file.refuse("kernel", "is empty; a kernel is needed"); }),
            path + ": field 'kernel': is empty; a kernel is needed");
}

TEST(SafetensorsReader, TensorsThatAnotherWriterDidNotAlignAreCopied) {
  const Scratch scratch;
  const double value = 2.5;
  std::string data = "abc" + std::string(8, '\0');
  std::memcpy(data.data() + 3, &value, 8);
  const std::string path =
      scratch.write("a.mercer", safetensors(R"({"a":{"dtype":"U8","shape":[3],"data_offsets":[0,3]},)"
                                            R"("b":{"dtype":"F64","shape":[1],"data_offsets":[3,11]},)"
                                            R"("c":{"dtype":"F64","shape":[0],"data_offsets":[11,11]}})",
                                            data));
  const Safetensors file(path);
  const std::span<const double> b = file.get<double>("b", {1});
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(b.data()) % alignof(double), 0u);
  EXPECT_EQ(b[0], 2.5);
  EXPECT_EQ(file.get<std::uint8_t>("a", {3})[2], 'c');
  EXPECT_TRUE(file.get<double>("c", {0}).empty());
}

TEST(SafetensorsReader, FilesThatAreNone) {
  const Scratch scratch;
  const std::string path = scratch.write("a.mercer", "svm_type c_svc\n");
  EXPECT_EQ(refusal([&] { Safetensors file(path); }),
            path +
                ": the header should have 7309475735946491507 bytes, 7 are there; this is no .mercer file, "
                "or it is cut short");
  EXPECT_EQ(refusal([] { Safetensors file("/nowhere/a.mercer"); }),
            "/nowhere/a.mercer: cannot be opened: No such file or directory");
}

}  // namespace
}  // namespace mercer

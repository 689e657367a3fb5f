#include "model/safetensors.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::refusal;
using testing::Scratch;

// Files put together by hand, independently of the writer.

/// The length of the header, little-endian, in front of it.
std::string with_length(std::uint64_t length, const std::string& rest) {
  std::string bytes;
  for (int i = 0; i < 8; ++i) bytes += char(length >> (8 * i) & 0xff);
  return bytes + rest;
}
std::string safetensors(const std::string& header, const std::string& data) {
  return with_length(header.size(), header + data);
}

/// A file of all types of tensors and some texts.
void write_example(const std::string& path) {
  static const double f64[] = {0.5, -1, 1e300};
  static const std::int64_t i64[] = {-1, 1LL << 40};
  static const float f32[] = {1.5f};
  static const std::int32_t i32[] = {7, -8, 9};
  static const std::uint8_t u8[] = {1, 2, 3, 4, 255};
  write_safetensors(path, {{"kernel", "rbf(gamma=0.5)"}, {"label \"é\"\n", ""}},
                    {{"bytes", Dtype::u8, {5}, u8},
                     {"weights", Dtype::f32, {1, 1}, f32},
                     {"alpha", Dtype::f64, {3, 1}, f64},
                     {"none", Dtype::f64, {4, 0}, nullptr},
                     {"codes", Dtype::i32, {3}, i32},
                     {"scalar", Dtype::f32, {}, f32},
                     {"starts", Dtype::i64, {2}, i64}});
}

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

// Hostile headers: each is refused with the field at fault, whatever it claims.
SafetensorsHeader parse_header(const std::string& bytes) { return parse_safetensors_header("f", bytes); }
std::string header_refusal(const std::string& bytes) {
  return refusal([&] { parse_header(bytes); });
}
/// The refusal of a tensor 'x' with the members given, over 16 bytes.
std::string tensor_refusal(const std::string& members) {
  return header_refusal(safetensors("{\"x\":{" + members + "}}", std::string(16, 'd')));
}
std::string shape_refusal(const std::string& shape) {
  return tensor_refusal(R"("dtype":"F64","data_offsets":[0,16],"shape":)" + shape);
}
std::string offsets_refusal(const std::string& offsets) {
  return tensor_refusal(R"("dtype":"F64","shape":[2],"data_offsets":)" + offsets);
}

TEST(SafetensorsHeader, ReadsTensorsInTheOrderOfTheirBytes) {
  const std::string bytes =
      safetensors(R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[8,9]},"__metadata__":{"k":"v","":"é"},)"
                  R"( "e" : {"data_offsets":[8,8],"shape":[0,18446744073709551615,3],"dtype":"F64"},)"
                  R"("a":{"dtype":"F32","shape":[2,1],"data_offsets":[0,8]}}   )",
                  "01234567x");
  const SafetensorsHeader header = parse_header(bytes);
  EXPECT_EQ(header.metadata, (std::map<std::string, std::string>{{"k", "v"}, {"", "é"}}));
  ASSERT_EQ(header.tensors.size(), 3u);
  EXPECT_EQ(header.tensors[0].name, "a");
  EXPECT_EQ(header.tensors[0].dtype, Dtype::f32);
  EXPECT_EQ(header.tensors[0].shape, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(static_cast<const char*>(header.tensors[0].data), bytes.data() + bytes.size() - 9);
  EXPECT_EQ(header.tensors[1].name, "e");
  EXPECT_EQ(header.tensors[1].count(), 0u);
  EXPECT_EQ(header.tensors[2].name, "b");
  EXPECT_TRUE(parse_header(safetensors("{}", "")).tensors.empty());
}

TEST(SafetensorsHeader, TheLengthIsCheckedAgainstTheBytesThere) {
  EXPECT_EQ(header_refusal(""), "f: has 0 bytes; a .mercer file has 8 at least, the length of its header");
  EXPECT_EQ(header_refusal("1234567"),
            "f: has 7 bytes; a .mercer file has 8 at least, the length of its header");
  const std::string tail = " are there; this is no .mercer file, or it is cut short";
  EXPECT_EQ(header_refusal(with_length(3, "{}")), "f: the header should have 3 bytes, 2" + tail);
  EXPECT_EQ(header_refusal(with_length(~0ull, "{}")),
            "f: the header should have 18446744073709551615 bytes, 2" + tail);
  EXPECT_EQ(header_refusal(with_length(1ull << 63, "{}")),
            "f: the header should have 9223372036854775808 bytes, 2" + tail);
  EXPECT_EQ(header_refusal(with_length(0, "")),
            "f: the header does not start with {; this is no .mercer file");
  EXPECT_EQ(header_refusal(safetensors(" {}", "")),
            "f: the header does not start with {; this is no .mercer file");
  EXPECT_EQ(header_refusal(safetensors("[]", "")),
            "f: the header does not start with {; this is no .mercer file");
}

TEST(SafetensorsHeader, JsonThatIsDamaged) {
  const std::string tail = "; the file is damaged, take another copy of it";
  EXPECT_EQ(header_refusal(safetensors("{", "")), "f: the header is not valid JSON at its byte 2" + tail);
  EXPECT_EQ(header_refusal(safetensors("{} x", "")), "f: the header is not valid JSON at its byte 4" + tail);
  EXPECT_EQ(header_refusal(safetensors("{\"a\xff\":{}}", "")),
            "f: the header is not valid JSON at its byte 4" + tail);
  EXPECT_EQ(header_refusal(safetensors("{\"a\":1e999}", "")),
            "f: the header is not valid JSON at its byte 10" + tail);
  EXPECT_EQ(header_refusal(safetensors(std::string("{\0}", 3), "")),
            "f: the header is not valid JSON at its byte 2" + tail);
}

TEST(SafetensorsHeader, NestingIsRefusedHoweverDeep) {
  const auto nested = [](const std::string& bracket, const std::string& where) {
    std::string deep;
    for (int i = 0; i < 1'000'000; ++i) deep += bracket;
    return header_refusal(safetensors(where + deep, ""));
  };
  const std::string tail = "; whole numbers from 0 to 2^64 - 1 are needed";
  EXPECT_EQ(nested("[", "{\"x\":{\"shape\":["), "f: field 'x': shape holds a list" + tail);
  EXPECT_EQ(nested("{\"a\":", "{\"x\":{\"shape\":["), "f: field 'x': shape holds an object" + tail);
  EXPECT_EQ(nested("{\"a\":", ""), "f: field 'a': has 'a'; a tensor has dtype, shape and data_offsets");
}

TEST(SafetensorsHeader, EveryValueHasItsType) {
  const std::string object = "; an object with dtype, shape and data_offsets is needed";
  EXPECT_EQ(header_refusal(safetensors(R"({"x":null})", "")), "f: field 'x': is null" + object);
  EXPECT_EQ(header_refusal(safetensors(R"({"x":[]})", "")), "f: field 'x': is a list" + object);
  EXPECT_EQ(header_refusal(safetensors(R"({"x":"y"})", "")), "f: field 'x': is the text 'y'" + object);
  EXPECT_EQ(header_refusal(safetensors(R"({"__metadata__":3})", "")),
            "f: field '__metadata__': is 3; an object that holds texts is needed");
  for (const std::string value : {"1", "-1", "true", "null", "1.5"})
    EXPECT_EQ(header_refusal(safetensors(R"({"__metadata__":{"k":)" + value + "}}", "")),
              "f: field 'k': is " + value + "; the metadata hold texts only");
  EXPECT_EQ(header_refusal(safetensors(R"({"__metadata__":{"k":{}}})", "")),
            "f: field 'k': is an object; the metadata hold texts only");
  EXPECT_EQ(tensor_refusal(R"("dtype":5)"), "f: field 'x': dtype is 5; a text such as \"F64\" is needed");
  EXPECT_EQ(tensor_refusal(R"("dtype":["F64"])"),
            "f: field 'x': dtype is a list; a text such as \"F64\" is needed");
  EXPECT_EQ(shape_refusal("2"), "f: field 'x': shape is 2; a list of whole numbers is needed");
  EXPECT_EQ(shape_refusal("\"2\""), "f: field 'x': shape is the text '2'; a list of whole numbers is needed");
  EXPECT_EQ(offsets_refusal("{}"),
            "f: field 'x': data_offsets is an object; a list of whole numbers is needed");
}

TEST(SafetensorsHeader, CountsAreWholeNumbers) {
  for (const std::string count : {"-1", "-0", "1e300", "2.0", "2e0", "18446744073709551616", "null", "true"})
    for (const bool shape : {true, false}) {
      const std::string list = shape ? "[" + count + "]" : "[0," + count + "]";
      EXPECT_EQ(shape ? shape_refusal(list) : offsets_refusal(list),
                std::string("f: field 'x': ") + (shape ? "shape" : "data_offsets") + " holds " +
                    (count == "-0" ? "0" : count) + "; whole numbers from 0 to 2^64 - 1 are needed");
    }
  EXPECT_EQ(shape_refusal("[\"2\"]"),
            "f: field 'x': shape holds the text '2'; whole numbers from 0 to 2^64 - 1 are needed");
}

TEST(SafetensorsHeader, ShapeAndOffsetsAgreeWithTheBytesThere) {
  EXPECT_EQ(shape_refusal("[3]"),
            "f: field 'x': shape [3] of F64 needs 24 bytes; data_offsets [0, 16] give 16");
  EXPECT_EQ(shape_refusal("[]"), "f: field 'x': shape [] of F64 needs 8 bytes; data_offsets [0, 16] give 16");
  EXPECT_EQ(shape_refusal("[0]"),
            "f: field 'x': shape [0] of F64 needs 0 bytes; data_offsets [0, 16] give 16");
  // 2⁶² · 4 · 8 and 2⁶¹ · 8 · 2 overflow to 0 and 16 more than that.
  for (const std::string shape : {"9223372036854775808", "4611686018427387904, 4", "2305843009213693954",
                                  "18446744073709551615, 18446744073709551615"})
    EXPECT_EQ(shape_refusal("[" + shape + "]"),
              "f: field 'x': shape [" + shape +
                  "] of F64 needs more than 2^64 bytes; data_offsets [0, 16] give 16");
  const std::string within =
      " do not lie within the 16 bytes of tensors that are there; the file is cut short or damaged";
  for (const std::string offsets :
       {"0, 17", "16, 0", "0, 18446744073709551615", "9223372036854775808, 9223372036854775824"})
    EXPECT_EQ(offsets_refusal("[" + offsets + "]"), "f: field 'x': data_offsets [" + offsets + "]" + within);
  EXPECT_EQ(offsets_refusal("[0]"),
            "f: field 'x': data_offsets holds 1 numbers; 2 are needed, begin and end");
  EXPECT_EQ(offsets_refusal("[0,16,16]"),
            "f: field 'x': data_offsets holds 3 numbers; 2 are needed, begin and end");
}

TEST(SafetensorsHeader, UnknownMissingAndRepeatedMembers) {
  EXPECT_EQ(tensor_refusal(""), "f: field 'x': is not whole; a tensor has dtype, shape and data_offsets");
  EXPECT_EQ(tensor_refusal(R"("dtype":"F64","shape":[2])"),
            "f: field 'x': is not whole; a tensor has dtype, shape and data_offsets");
  EXPECT_EQ(tensor_refusal(R"("stride":[2])"),
            "f: field 'x': has 'stride'; a tensor has dtype, shape and data_offsets");
  EXPECT_EQ(tensor_refusal(R"("shape":[2],"shape":[2])"), "f: field 'x': shape appears twice; give it once");
  for (const char* type : {"F16", "BOOL", "f64", ""})
    EXPECT_EQ(tensor_refusal(R"("shape":[2],"data_offsets":[0,16],"dtype":")" + std::string(type) + "\""),
              "f: field 'x': dtype '" + std::string(type) + "' is not known; F64, I64, F32, I32 and U8 are");
  const std::string tensor = R"("x":{"dtype":"U8","shape":[0],"data_offsets":[0,0]})";
  EXPECT_EQ(header_refusal(safetensors("{" + tensor + "," + tensor + "}", "")),
            "f: field 'x': appears twice; give each name once");
  EXPECT_EQ(header_refusal(safetensors(R"({"__metadata__":{"k":"1","k":"1"}})", "")),
            "f: field 'k': appears twice; give each name once");
  EXPECT_EQ(header_refusal(safetensors(R"({"__metadata__":{},"__metadata__":{}})", "")),
            "f: field '__metadata__': appears twice; give each name once");
}

TEST(SafetensorsHeader, NoHolesAndNoOverlaps) {
  const auto two = [](const std::string& a, const std::string& b) {
    return header_refusal(safetensors(R"({"b":{"dtype":"U8","shape":[4],"data_offsets":[)" + b +
                                          R"(]},"a":{"dtype":"U8","shape":[4],"data_offsets":[)" + a + "]}}",
                                      "12345678"));
  };
  const std::string tail = "; they must follow each other without holes or overlaps";
  EXPECT_EQ(two("0,4", "4,8"), "no error");
  EXPECT_EQ(two("0,4", "3,7"),
            "f: field 'b': starts at byte 3 of the tensors, where the one before ends at 4" + tail);
  EXPECT_EQ(two("1,5", "4,8"),
            "f: field 'a': starts at byte 1 of the tensors, where the one before ends at 0" + tail);
  EXPECT_EQ(two("0,4", "0,4"),
            "f: field 'a': starts at byte 0 of the tensors, where the one before ends at 4" + tail);
  EXPECT_EQ(header_refusal(safetensors("{}", "x")),
            "f: 1 bytes follow the last tensor; the file must end with it");
}

std::string example() {
  const testing::Scratch scratch;
  write_example(scratch.path("a"));
  return testing::Scratch::read(scratch.path("a"));
}

TEST(SafetensorsHeader, AFileCutAnywhereIsRefused) {
  const std::string whole = example();
  EXPECT_EQ(header_refusal(whole), "no error");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(header_refusal(whole.substr(0, size)), "no error") << size;
  EXPECT_NE(header_refusal(whole + "x"), "no error");
}

TEST(SafetensorsHeader, WhatIsAcceptedOfDamagedFilesIsSound) {
  const std::string whole = example();
  std::uint64_t length = 0;
  std::memcpy(&length, whole.data(), 8);
  const std::string_view meaningful = "{}[]\",:0123456789-.e\\ FIU";
  Random random(7);
  int refused = 0;
  constexpr int rounds = 20'000;
  for (int round = 0; round < rounds; ++round) {
    std::string bytes = whole, header = whole.substr(8, length);
    if (round % 2) {  // the length is made to agree, so that the damage gets past the first check
      testing::damage(header, meaningful, random);
      bytes = safetensors(header, whole.substr(8 + length));
    } else {
      testing::damage(bytes, meaningful, random);
    }
    try {
      const char *const first = bytes.data(), *const last = first + bytes.size();
      for (const TensorView& tensor : parse_header(bytes).tensors) {
        const char* const data = static_cast<const char*>(tensor.data);
        ASSERT_GE(data, first);
        ASSERT_LE(tensor.count(), bytes.size());
        ASSERT_LE(data + tensor.count() * dtype_info(tensor.dtype).bytes, last);
      }
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), ErrorKind::data);
      ++refused;
    }
  }
  EXPECT_GT(refused, rounds / 2);
  EXPECT_LT(refused, rounds);
}

TEST(SafetensorsWriter, TheBytesAreTheFormat) {
  const Scratch scratch;
  const std::string path = scratch.path("a.mercer");
  const std::uint8_t bytes[] = {'x', 'y', 'z'};
  const std::int32_t codes[] = {1, 256};
  const double alpha[] = {1};
  write_safetensors(path, {{"b", "2"}, {"a", "\"1\""}},
                    {{"bytes", Dtype::u8, {3}, bytes},
                     {"codes", Dtype::i32, {1, 2}, codes},
                     {"al\"pha", Dtype::f64, {}, alpha}});
  const std::string header =
      R"({"__metadata__":{"a":"\"1\"","b":"2"},"al\"pha":{"dtype":"F64","shape":[],"data_offsets":[0,8]},)"
      R"("codes":{"dtype":"I32","shape":[1,2],"data_offsets":[8,16]},)"
      R"("bytes":{"dtype":"U8","shape":[3],"data_offsets":[16,19]}})";
  ASSERT_EQ(header.size(), 214u);
  EXPECT_EQ(Scratch::read(path), std::string("\xf8\0\0\0\0\0\0\0", 8) + header + std::string(248 - 214, ' ') +
                                     std::string("\0\0\0\0\0\0\xf0\x3f\x01\0\0\0\0\x01\0\0xyz", 19));
  write_safetensors(path, {}, {});
  EXPECT_EQ(Scratch::read(path), std::string("8\0\0\0\0\0\0\0{}", 10) + std::string(54, ' '));
}

TEST(SafetensorsWriter, EveryHeaderLengthIsPaddedTo64Bytes) {
  const Scratch scratch;
  const std::string path = scratch.path("a.mercer");
  for (std::size_t size = 0; size < 70; ++size) {
    write_safetensors(path, {{"k", std::string(size, 'v')}}, {});
    EXPECT_EQ(std::filesystem::file_size(path) % 64, 0u) << size;
    EXPECT_LE(std::filesystem::file_size(path), 8 + 25 + size + 63) << size;
    EXPECT_EQ(Safetensors(path).metadata().at("k").size(), size);
  }
}

TEST(SafetensorsWriter, TensorsAreAlignedAndTheSameBytesComeEachTime) {
  const Scratch scratch;
  write_example(scratch.path("a"));
  write_example(scratch.path("b"));
  const std::string bytes = Scratch::read(scratch.path("a"));
  EXPECT_EQ(bytes, Scratch::read(scratch.path("b")));
  for (const TensorView& tensor : parse_safetensors_header("a", bytes).tensors)
    EXPECT_EQ((static_cast<const char*>(tensor.data) - bytes.data()) %
                  std::ptrdiff_t(dtype_info(tensor.dtype).bytes),
              0)
        << tensor.name;
}

TEST(SafetensorsWriter, PythonReadsTheFile) {
  if (std::system("python3 -c 'import json, struct'") != 0)
    GTEST_SKIP() << "there is no python3 to read the file with";
  const Scratch scratch;
  write_example(scratch.path("a.mercer"));
  const std::string script = scratch.write("read.py", R"(import json, struct, sys
bytes = open(sys.argv[1], 'rb').read()
length, = struct.unpack('<Q', bytes[:8])
header, data = json.loads(bytes[8:8 + length]), bytes[8 + length:]
assert header.pop('__metadata__') == {'kernel': 'rbf(gamma=0.5)', 'label "\u00e9"\n': ''}
expected = {'alpha': ('d', [3, 1], (0.5, -1, 1e300)), 'none': ('d', [4, 0], ()), 'starts': ('q', [2], (-1, 2**40)),
            'weights': ('f', [1, 1], (1.5,)), 'scalar': ('f', [], (1.5,)), 'codes': ('i', [3], (7, -8, 9)),
            'bytes': ('B', [5], (1, 2, 3, 4, 255))}
code = {'F64': 'd', 'I64': 'q', 'F32': 'f', 'I32': 'i', 'U8': 'B'}
assert header.keys() == expected.keys()
end = 0
for name, tensor in header.items():
    begin, after = tensor['data_offsets']
    assert begin == end
    end = after
    type, shape, values = expected[name]
    assert (code[tensor['dtype']], tensor['shape']) == (type, shape)
    assert struct.unpack('<%d%s' % (len(values), type), data[begin:end]) == values
assert end == len(data) and (8 + length) % 64 == 0
)");
  EXPECT_EQ(std::system(("python3 " + script + " " + scratch.path("a.mercer")).c_str()), 0);
}

TEST(SafetensorsWriter, RefusesNamesAndTextsThatTheFormatCannotHold) {
  const Scratch scratch;
  const std::string path = scratch.path("a.mercer");
  const double one = 1;
  const TensorView x{"x", Dtype::f64, {1}, &one};
  const std::string twice = "is given twice or reserved; give each tensor a name of its own";
  EXPECT_EQ(refusal([&] { write_safetensors(path, {}, {x, x}); }), path + ": field 'x': " + twice);
  EXPECT_EQ(refusal([&] {
              write_safetensors(path, {}, {{"__metadata__", Dtype::f64, {1}, &one}});
            }),
            path + ": field '__metadata__': " + twice);
  EXPECT_EQ(refusal([&] {
              write_safetensors(path, {{"label", "\xe9"}}, {x});
            }),
            path + ": field 'label': '\xe9' is not UTF-8; model files hold UTF-8 text");
  EXPECT_EQ(refusal([&] {
              write_safetensors(path, {{"k", std::string(100'000'000, 'v')}}, {});
            }),
            path + ": names and texts need 100000056 bytes; the format holds 100000000 of them");
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(SafetensorsWriter, AFullDiskLeavesTheOldFileAndNothingElse) {
  const Scratch scratch;
  const std::string path = scratch.path("a.mercer");
  write_example(path);
  const std::string before = Scratch::read(path);
  const std::vector<double> large(100'000);
  rlimit usual;
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &usual), 0);
  const rlimit small{4096, usual.rlim_max};
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);  // the write then fails, as on a full disk
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string message = refusal([&] {
    write_safetensors(path, {}, {{"x", Dtype::f64, {large.size()}, large.data()}});
  });
  ::setrlimit(RLIMIT_FSIZE, &usual);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(message, path + ": cannot be written: File too large");
  EXPECT_EQ(Scratch::read(path), before);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(std::filesystem::path(path).parent_path()), {}),
            1);
  if (::access("/dev/full", W_OK) == 0) {
    EXPECT_EQ(refusal([] { write_example("/dev/full"); }),
              "/dev/full: cannot be written: No space left on device");
  }
}

}  // namespace
}  // namespace mercer

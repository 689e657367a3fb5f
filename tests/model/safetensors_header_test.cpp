// Hostile headers: each is refused with the field at fault, whatever it claims.
#include "model/safetensors_header.hpp"

#include "model/safetensors_files.hpp"

namespace mercer {
namespace {

using testing::refusal;
using testing::safetensors;
using testing::with_length;

SafetensorsHeader parse(const std::string& bytes) { return parse_safetensors_header("f", bytes); }
std::string parse_refusal(const std::string& bytes) {
  return refusal([&] { parse(bytes); });
}
/// The refusal of a tensor 'x' with the members given, over 16 bytes.
std::string tensor_refusal(const std::string& members) {
  return parse_refusal(safetensors("{\"x\":{" + members + "}}", std::string(16, 'd')));
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
  const SafetensorsHeader header = parse(bytes);
  EXPECT_EQ(header.metadata, (std::map<std::string, std::string>{{"k", "v"}, {"", "é"}}));
  ASSERT_EQ(header.tensors.size(), 3u);
  EXPECT_EQ(header.tensors[0].name, "a");
  EXPECT_EQ(header.tensors[0].dtype, Dtype::f32);
  EXPECT_EQ(header.tensors[0].shape, (std::vector<std::size_t>{2, 1}));
  EXPECT_EQ(static_cast<const char*>(header.tensors[0].data), bytes.data() + bytes.size() - 9);
  EXPECT_EQ(header.tensors[1].name, "e");
  EXPECT_EQ(header.tensors[1].count(), 0u);
  EXPECT_EQ(header.tensors[2].name, "b");
  EXPECT_TRUE(parse(safetensors("{}", "")).tensors.empty());
}

TEST(SafetensorsHeader, TheLengthIsCheckedAgainstTheBytesThere) {
  EXPECT_EQ(parse_refusal(""), "f: has 0 bytes; a .mercer file has 8 at least, the length of its header");
  EXPECT_EQ(parse_refusal("1234567"),
            "f: has 7 bytes; a .mercer file has 8 at least, the length of its header");
  const std::string tail = " are there; this is no .mercer file, or it is cut short";
  EXPECT_EQ(parse_refusal(with_length(3, "{}")), "f: the header should have 3 bytes, 2" + tail);
  EXPECT_EQ(parse_refusal(with_length(~0ull, "{}")),
            "f: the header should have 18446744073709551615 bytes, 2" + tail);
  EXPECT_EQ(parse_refusal(with_length(1ull << 63, "{}")),
            "f: the header should have 9223372036854775808 bytes, 2" + tail);
  EXPECT_EQ(parse_refusal(with_length(0, "")),
            "f: the header does not start with {; this is no .mercer file");
  EXPECT_EQ(parse_refusal(safetensors(" {}", "")),
            "f: the header does not start with {; this is no .mercer file");
  EXPECT_EQ(parse_refusal(safetensors("[]", "")),
            "f: the header does not start with {; this is no .mercer file");
}

TEST(SafetensorsHeader, JsonThatIsDamaged) {
  const std::string tail = "; the file is damaged, take another copy of it";
  EXPECT_EQ(parse_refusal(safetensors("{", "")), "f: the header is not valid JSON at its byte 2" + tail);
  EXPECT_EQ(parse_refusal(safetensors("{} x", "")), "f: the header is not valid JSON at its byte 4" + tail);
  EXPECT_EQ(parse_refusal(safetensors("{\"a\xff\":{}}", "")),
            "f: the header is not valid JSON at its byte 4" + tail);
  EXPECT_EQ(parse_refusal(safetensors("{\"a\":1e999}", "")),
            "f: the header is not valid JSON at its byte 10" + tail);
  EXPECT_EQ(parse_refusal(safetensors(std::string("{\0}", 3), "")),
            "f: the header is not valid JSON at its byte 2" + tail);
}

TEST(SafetensorsHeader, NestingIsRefusedHoweverDeep) {
  const auto nested = [](const std::string& bracket, const std::string& where) {
    std::string deep;
    for (int i = 0; i < 1'000'000; ++i) deep += bracket;
    return parse_refusal(safetensors(where + deep, ""));
  };
  const std::string tail = "; whole numbers from 0 to 2^64 - 1 are needed";
  EXPECT_EQ(nested("[", "{\"x\":{\"shape\":["), "f: field 'x': shape holds a list" + tail);
  EXPECT_EQ(nested("{\"a\":", "{\"x\":{\"shape\":["), "f: field 'x': shape holds an object" + tail);
  EXPECT_EQ(nested("{\"a\":", ""), "f: field 'a': has 'a'; a tensor has dtype, shape and data_offsets");
}

TEST(SafetensorsHeader, EveryValueHasItsType) {
  const std::string object = "; an object with dtype, shape and data_offsets is needed";
  EXPECT_EQ(parse_refusal(safetensors(R"({"x":null})", "")), "f: field 'x': is null" + object);
  EXPECT_EQ(parse_refusal(safetensors(R"({"x":[]})", "")), "f: field 'x': is a list" + object);
  EXPECT_EQ(parse_refusal(safetensors(R"({"x":"y"})", "")), "f: field 'x': is the text 'y'" + object);
  EXPECT_EQ(parse_refusal(safetensors(R"({"__metadata__":3})", "")),
            "f: field '__metadata__': is 3; an object that holds texts is needed");
  for (const std::string value : {"1", "-1", "true", "null", "1.5"})
    EXPECT_EQ(parse_refusal(safetensors(R"({"__metadata__":{"k":)" + value + "}}", "")),
              "f: field 'k': is " + value + "; the metadata hold texts only");
  EXPECT_EQ(parse_refusal(safetensors(R"({"__metadata__":{"k":{}}})", "")),
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
  EXPECT_EQ(parse_refusal(safetensors("{" + tensor + "," + tensor + "}", "")),
            "f: field 'x': appears twice; give each name once");
  EXPECT_EQ(parse_refusal(safetensors(R"({"__metadata__":{"k":"1","k":"1"}})", "")),
            "f: field 'k': appears twice; give each name once");
  EXPECT_EQ(parse_refusal(safetensors(R"({"__metadata__":{},"__metadata__":{}})", "")),
            "f: field '__metadata__': appears twice; give each name once");
}

TEST(SafetensorsHeader, NoHolesAndNoOverlaps) {
  const auto two = [](const std::string& a, const std::string& b) {
    return parse_refusal(safetensors(R"({"b":{"dtype":"U8","shape":[4],"data_offsets":[)" + b +
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
  EXPECT_EQ(parse_refusal(safetensors("{}", "x")),
            "f: 1 bytes follow the last tensor; the file must end with it");
}

std::string example() {
  const testing::Scratch scratch;
  testing::write_example(scratch.path("a"));
  return testing::Scratch::read(scratch.path("a"));
}

TEST(SafetensorsHeader, AFileCutAnywhereIsRefused) {
  const std::string whole = example();
  EXPECT_EQ(parse_refusal(whole), "no error");
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_NE(parse_refusal(whole.substr(0, size)), "no error") << size;
  EXPECT_NE(parse_refusal(whole + "x"), "no error");
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
      for (const TensorView& tensor : parse(bytes).tensors) {
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

}  // namespace
}  // namespace mercer

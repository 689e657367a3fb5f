#include "data/npy_header.hpp"

#include "data/npy_bytes.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::npy;
using testing::npy_of_dict;
using testing::refusal;

NpyHeader parse(const std::string& bytes) { return parse_npy_header("f", bytes, bytes.size()); }
std::string parse_refusal(const std::string& bytes) {
  return refusal([&] { parse(bytes); });
}

TEST(NpyHeader, ReadsTypeOrderAndShape) {
  const NpyHeader header = parse(npy("<f4", "(2, 3)", std::string(24, 'x'), true));
  EXPECT_EQ(header.kind, 'f');
  EXPECT_EQ(header.item_bytes, 4u);
  EXPECT_TRUE(header.fortran);
  EXPECT_FALSE(header.swapped);
  EXPECT_EQ(header.shape, (std::vector<std::size_t>{2, 3}));
  EXPECT_TRUE(parse(npy(">i8", "(1,)", std::string(8, 'x'))).swapped);
  EXPECT_EQ(parse(npy("|b1", "()", "x")).count(), 1u);
  EXPECT_EQ(parse(npy("<U3", "(2,)", std::string(24, 'x'))).item_bytes, 12u);
  EXPECT_EQ(parse(npy("|S3", "(2L,)", std::string(6, 'x'))).count(), 2u);
  for (const char version : {1, 2, 3})
    EXPECT_EQ(
        parse(npy_of_dict("{\"shape\":(1,),'fortran_order':False,'descr':'|u1'}", "x", version)).count(), 1u);
}

TEST(NpyHeader, EveryCountIsCheckedAgainstTheBytesThere) {
  EXPECT_EQ(parse_refusal(npy("<f8", "(2, 3)", std::string(40, 'x'))),
            "f: the file is cut short: shape (2, 3) of '<f8' needs 48 bytes, 40 are there");
  EXPECT_EQ(parse_refusal(npy("<f8", "(2,)", std::string(20, 'x'))),
            "f: 4 bytes follow the array; save one array per .npy file, or several in a .npz file");
  EXPECT_EQ(parse_refusal(npy("<f8", "(4611686018427387904, 4611686018427387904)", "x")),
            "f: the file is cut short: shape (4611686018427387904, 4611686018427387904) of '<f8' needs more "
            "than 2^64 "
            "bytes, 1 are there");
  EXPECT_EQ(parse(npy("<f8", "(0, 4611686018427387904)", "")).count(), 0u);
  EXPECT_EQ(parse_refusal("\x93NUMPY\x01"), "f: this is not a .npy array; its first bytes are not NumPy's");
  EXPECT_EQ(parse_refusal(std::string("\x93NUMPY\x01\x00\xff\x00{}", 12)),
            "f: the file is cut short: its header needs 265 bytes, 12 are there");
}

TEST(NpyHeader, RefusesWhatItDoesNotKnow) {
  EXPECT_EQ(parse_refusal("not numpy at all"),
            "f: this is not a .npy array; its first bytes are not NumPy's");
  EXPECT_EQ(parse_refusal(npy_of_dict("{}", "", 4)), "f: .npy version 4 is not known; versions 1 to 3 are");
  for (const char* type : {"<f2", "<c16", "|O", "<M8[ns]", "<i3", "<f16", "", "f8", "<U", "<f8x"})
    EXPECT_EQ(parse_refusal(npy(type, "(1,)", "x")),
              "f: elements of type '" + std::string(type) +
                  "' cannot be read; use float32, float64, an integer type, bool, or text for labels");
  EXPECT_EQ(parse_refusal(npy_of_dict("{'descr': [('a', '<f8')], }", "")),
            "f: the array has named fields; save a plain array of numbers instead");
  const std::string broken = "; save the array again with numpy.save";
  EXPECT_EQ(parse_refusal(npy_of_dict("{'descr': '<f8', 'x': 1}", "")),
            "f: the .npy header cannot be read at ' 1}'" + broken);
  EXPECT_EQ(parse_refusal(npy_of_dict("{'descr': '<f8'}  ", "")),
            "f: the .npy header cannot be read at ''" + broken);
  EXPECT_EQ(parse_refusal(npy("<f8", "(-1,)", "")),
            "f: the .npy header cannot be read at '-1,), }\\x0a'" + broken);
  EXPECT_EQ(parse_refusal(npy("<f8", "(99999999999999999999,)", "")),
            "f: the .npy header cannot be read at '99999999999999999999,), }\\x0a'" + broken);
}

TEST(NpyHeader, WritesWhatItReads) {
  const std::string text = npy_header_text("<f8", {3, 4});
  EXPECT_EQ(text.size() % 64, 0u);
  const NpyHeader header = parse(text + std::string(96, 'x'));
  EXPECT_EQ(header.shape, (std::vector<std::size_t>{3, 4}));
  EXPECT_EQ(header.header_bytes, text.size());
  EXPECT_EQ(parse(npy_header_text("<i8", {2}) + std::string(16, 'x')).shape, std::vector<std::size_t>{2});
  EXPECT_TRUE(parse(npy_header_text("|S3", {}) + "csr").shape.empty());
}

TEST(NpyHeader, DamagedHeadersAreReadOrRefused) {
  Random random(12);
  const std::string good = npy("<f8", "(2, 3)", std::string(48, 'x'));
  for (int round = 0; round < 20000; ++round) {
    std::string bytes = good;
    for (std::uint64_t k = 0; k < 1 + random.below(3); ++k) {
      if (random.below(3) == 0)
        bytes.erase(random.below(bytes.size()), 1 + random.below(3));
      else
        bytes[random.below(bytes.size())] = char(random.below(256));
    }
    parse_refusal(bytes);
  }
}

}  // namespace
}  // namespace mercer

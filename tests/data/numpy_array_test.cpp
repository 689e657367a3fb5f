#include "data/numpy.hpp"

#include <cmath>

#include "data/npy_bytes.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::bytes_of;
using testing::npy;
using testing::refusal;

NpyArray open_array(const std::string& bytes) {
  NpyHeader header = parse_npy_header("f", bytes, bytes.size());
  std::string rest = bytes.substr(header.header_bytes);
  return NpyArray("f", std::move(header), [rest, at = std::size_t(0)](std::size_t size) mutable {
    at += size;
    return std::string_view(rest).substr(at - size, size);
  });
}

std::vector<double> values(const Dense<double>& dense) { return {dense.values.begin(), dense.values.end()}; }

template <class T>
void check_type(const std::string& code) {
  const std::vector<T> numbers = {T(1), T(2), T(-3), T(4), T(100), T(6)};
  std::vector<double> expected(numbers.begin(), numbers.end());
  for (const char order : {'<', '>'}) {
    const std::string bytes = bytes_of(numbers, order == '>');
    const Dense<double> dense = open_array(npy(order + code, "(2, 3)", bytes)).matrix<double>();
    EXPECT_EQ(values(dense), expected) << code;
    EXPECT_EQ(dense.rows, 2u);
    const Dense<float> floats = open_array(npy(order + code, "(3, 2)", bytes)).matrix<float>();
    EXPECT_EQ(floats.values[4], float(expected[4]));
    EXPECT_EQ(open_array(npy(order + code, "(6,)", bytes)).numbers(), expected);
  }
}

TEST(NpyArray, EveryTypeInEitherByteOrder) {
  check_type<float>("f4");
  check_type<double>("f8");
  check_type<std::int8_t>("i1");
  check_type<std::int16_t>("i2");
  check_type<std::int32_t>("i4");
  check_type<std::int64_t>("i8");
  check_type<std::uint8_t>("u1");
  check_type<std::uint16_t>("u2");
  check_type<std::uint32_t>("u4");
  EXPECT_EQ(open_array(npy("<u8", "(2,)", bytes_of<std::uint64_t>({1, 1ull << 53}))).numbers()[1],
            9007199254740992.0);
  EXPECT_EQ(open_array(npy("|b1", "(2,)", std::string("\0\1", 2))).numbers(), (std::vector<double>{0, 1}));
}

TEST(NpyArray, FortranOrderIsTurned) {
  const std::string bytes = bytes_of<double>({1, 4, 2, 5, 3, 6});
  EXPECT_EQ(values(open_array(npy("<f8", "(2, 3)", bytes, true)).matrix<double>()),
            (std::vector<double>{1, 2, 3, 4, 5, 6}));
  std::vector<double> large(200000);
  for (std::size_t k = 0; k < large.size(); ++k) large[k] = double(k);
  const Dense<double> dense = open_array(npy("<f8", "(1000, 200)", bytes_of(large), true)).matrix<double>();
  for (std::size_t i = 0; i < 1000; i += 37)
    for (std::size_t j = 0; j < 200; ++j) ASSERT_EQ(dense.row(i)[j], double(j * 1000 + i));
}

TEST(NpyArray, AListIsOneColumn) {
  const Dense<double> dense = open_array(npy("<f8", "(3,)", bytes_of<double>({1, 2, 3}))).matrix<double>();
  EXPECT_EQ(dense.rows, 3u);
  EXPECT_EQ(dense.cols, 1u);
}

TEST(NpyArray, RefusesOtherShapesAndNumbersItCannotHold) {
  const auto message = [](const std::string& bytes) {
    return refusal([&] { open_array(bytes).matrix<float>(); });
  };
  EXPECT_EQ(message(npy("<f8", "(1, 1, 1)", std::string(8, 0))),
            "f: the array has shape (1, 1, 1); points are a matrix, one row each");
  EXPECT_EQ(message(npy("<f8", "()", std::string(8, 0))),
            "f: the array has shape (); points are a matrix, one row each");
  EXPECT_EQ(message(npy("<f8", "(5, 0)", "")), "f: the points have 0 columns; from 1 to 2147483647 can be");
  EXPECT_EQ(message(npy("<U1", "(1, 1)", "xxxx")),
            "f: the array holds text where numbers are needed; save an array of numbers");
  EXPECT_EQ(message(npy("<f8", "(1, 2)", bytes_of<double>({1, 1e39}))),
            "f: element 2 is 1e+39, too large for a float32; use float64");
  EXPECT_EQ(message(npy("<i8", "(1, 1)", bytes_of<std::int64_t>({(1ll << 53) + 1}))),
            "f: element 1 is 9007199254740993, which a double cannot hold; the largest integer is "
            "9007199254740992");
  EXPECT_EQ(message(npy("<i8", "(1, 1)", bytes_of<std::int64_t>({std::numeric_limits<std::int64_t>::min()}))),
            "f: element 1 is -9223372036854775808, which a double cannot hold; the largest integer is "
            "9007199254740992");
  EXPECT_EQ(refusal([] { open_array(npy("<f8", "(2, 2)", std::string(32, 0))).numbers(); }),
            "f: the array has shape (2, 2); numbers, one per row, are a list");
  EXPECT_EQ(refusal([] { open_array(npy("<f8", "(1,)", std::string(8, 0))).integers(); }),
            "f: the array holds no integers; sparse indices are integers");
}

TEST(NpyArray, TextsAreUtf8) {
  const std::u32string code = U"aé€😀";
  const std::string bytes =
      bytes_of(std::vector<char32_t>(code.begin(), code.end())) + bytes_of<char32_t>({'b', 0, 0, 0});
  EXPECT_EQ(open_array(npy("<U4", "(2,)", bytes)).texts(), (std::vector<std::string>{"aé€😀", "b"}));
  EXPECT_EQ(open_array(npy("|S3", "(2,)", std::string("abcx\0\0", 6))).texts(),
            (std::vector<std::string>{"abc", "x"}));
  EXPECT_EQ(open_array(npy("|S3", "()", "csr")).texts(), std::vector<std::string>{"csr"});
  EXPECT_EQ(open_array(npy("<U0", "(2,)", "")).texts(), (std::vector<std::string>{"", ""}));
  EXPECT_EQ(refusal([] { open_array(npy("<U1", "(1,)", "\xff\xff\xff\xff")).texts(); }),
            "f: a text holds a character that Unicode does not have");
}

}  // namespace
}  // namespace mercer

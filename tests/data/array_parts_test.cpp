#include "data/array_parts.hpp"

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
  return NpyArray("f", std::move(header),
                  [rest](std::size_t size) { return std::string_view(rest).substr(0, size); });
}

Parts two_rows() {
  Parts parts;
  parts.storage = read_points(open_array(npy("<f8", "(2, 1)", bytes_of<double>({1, 2}))), {});
  return parts;
}

const double nan = std::numeric_limits<double>::quiet_NaN();

TEST(ArrayParts, TargetsThatAreMissing) {
  const std::string target = npy("<f8", "(2,)", bytes_of<double>({nan, 5}));
  Parts parts = two_rows();
  EXPECT_EQ(refusal([&] { read_target(open_array(target), {}, "y", parts); }),
            "f: row 1 is nan; use a finite number, or set missing to drop");
  const ReadOptions options{.missing = Missing::drop};
  read_target(open_array(target), options, "y", parts);
  const Dataset data = assemble_arrays(std::move(parts), options, "f");
  EXPECT_EQ(data.rows(), 1u);
  EXPECT_EQ(data.target.labels, std::vector<std::string>{"5"});
}

TEST(ArrayParts, AMatrixIsATargetOfSeveralColumns) {
  const std::string target = npy("<f8", "(2, 3)", bytes_of<double>({1, 2, 3, 4, 5, nan}));
  Parts parts = two_rows();
  EXPECT_EQ(refusal([&] { read_target(open_array(target), {}, "y", parts); }),
            "f: row 2 is nan; use a finite number, or set missing to drop");
  EXPECT_EQ(
      refusal([&] { read_target(open_array(target), {.task = Task::classification}, "y", parts); }),
      "f: a target of 3 columns is one of numbers, not of classes; give one column, or set the task to real");
  const ReadOptions options{.missing = Missing::drop};
  read_target(open_array(target), options, "y", parts);
  const Target read = assemble_arrays(std::move(parts), options, "f").target;
  EXPECT_EQ(read.values, (std::vector<double>{1, 2, 3}));
  EXPECT_EQ(read.outputs, 3u);
  EXPECT_EQ(read.name, "y");
  Parts fortran = two_rows();
  read_target(open_array(npy("<i4", "(2, 2)", bytes_of<std::int32_t>({1, 3, 2, 4}), true)), {}, "", fortran);
  EXPECT_EQ(assemble_arrays(std::move(fortran), {}, "f").target.values, (std::vector<double>{1, 2, 3, 4}));
  Parts flat = two_rows();  // a list that lies on its side is still a list
  read_target(open_array(npy("<f8", "(1, 2)", bytes_of<double>({0.5, 0.75}))), {}, "", flat);
  EXPECT_EQ(assemble_arrays(std::move(flat), {}, "f").target.outputs, 1u);
  Parts wrong = two_rows();
  EXPECT_EQ(
      refusal([&] { read_target(open_array(npy("<f8", "(3, 2)", std::string(48, 0))), {}, "y", wrong); }),
      "f: the array has shape (3, 2); numbers, one per row, are a list");
}

TEST(ArrayParts, TextsAreClassesAsTheyStand) {
  Parts parts = two_rows();
  const std::string target = npy("|S2", "(2,)",
                                 std::string("1\0"
                                             "01",
                                             4));
  read_target(open_array(target), {}, "y", parts);
  EXPECT_EQ(assemble_arrays(std::move(parts), {}, "f").target.labels, (std::vector<std::string>{"01", "1"}));
  Parts again = two_rows();
  EXPECT_EQ(refusal([&] { read_target(open_array(target), {.task = Task::regression}, "y", again); }),
            "f: the target is text; a real target needs numbers");
}

TEST(ArrayParts, WeightsThatAreMissing) {
  const std::string weights = npy("<f8", "(2,)", bytes_of<double>({1, HUGE_VAL}));
  Parts parts = two_rows();
  EXPECT_EQ(refusal([&] { read_weights(open_array(weights), {}, parts); }),
            "f: row 2 is inf; use a finite number, or set missing to drop");
  Parts other = two_rows();
  read_weights(open_array(weights), {.missing = Missing::drop}, other);
  EXPECT_EQ(assemble_arrays(std::move(other), {.missing = Missing::drop}, "f").weights,
            std::vector<double>{1});
}

}  // namespace
}  // namespace mercer

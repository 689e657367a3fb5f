#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "base/random.hpp"
#include "data/label_column.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::libsvm;
using testing::libsvm_refusal;
using testing::refusal;

/// The labels of the lines, through the LIBSVM reader.
Target target(const std::vector<std::string>& labels, const ReadOptions& options = {}) {
  std::string text;
  for (const std::string& label : labels) text += label + " 1:1\n";
  return libsvm(text, options, 16).target;
}

TEST(LabelColumn, TheSameNumberIsTheSameClassHoweverItIsWritten) {
  const Target classes = target({"+1", "-1", "1", "1.0", "-1e0", "1"});
  EXPECT_EQ(classes.task, Task::classification);
  EXPECT_EQ(classes.labels, (std::vector<std::string>{"-1", "1"}));
  EXPECT_EQ(classes.codes, (std::vector<std::int32_t>{1, 0, 1, 1, 0, 1}));
  EXPECT_EQ(classes.numbers(), (std::vector<double>{1, -1, 1, 1, -1, 1}));
  EXPECT_EQ(target({"-0", "0", "0.0", "1"}).labels, (std::vector<std::string>{"0", "1"}));
  EXPECT_TRUE(std::signbit(target({"-0", "0.5"}).values[0]));
}

TEST(LabelColumn, NumbersAscendBeforeTexts) {
  const Target classes = target({"b", "10", "9", "a", "b", "9", "-3", "9"});
  EXPECT_EQ(classes.labels, (std::vector<std::string>{"-3", "9", "10", "a", "b"}));
  EXPECT_EQ(classes.codes, (std::vector<std::int32_t>{4, 2, 1, 3, 4, 1, 0, 1}));
  EXPECT_EQ(refusal([&] { classes.numbers(); }),
            "class label 'a' is not a number; a real target needs numbers");
}

TEST(LabelColumn, FewIntegersAreClassesAndTheRestIsReal) {
  EXPECT_EQ(target({"1", "2"}).task, Task::classification);
  EXPECT_EQ(target({"1", "2", "3"}).task, Task::regression);
  EXPECT_EQ(target({"1", "2", "3", "1", "2", "3"}).task, Task::classification);
  EXPECT_EQ(target({"1.5", "1.7", "1.5", "1.7"}).task, Task::regression);
  std::vector<std::string> many;
  for (int i = 0; i < 500; ++i) many.push_back(std::to_string(i % 100));
  EXPECT_EQ(target(many).task, Task::classification);
  many.push_back("100");
  EXPECT_EQ(target(many).task, Task::regression);
}

TEST(LabelColumn, TheCallerHasTheLastWord) {
  const Target classes = target({"1.5", "1.7", "1.5"}, {.task = Task::classification});
  EXPECT_EQ(classes.labels, (std::vector<std::string>{"1.5", "1.7"}));
  const Target real = target({"1", "2", "1"}, {.task = Task::regression});
  EXPECT_EQ(real.values, (std::vector<double>{1, 2, 1}));
  EXPECT_EQ(libsvm_refusal("1 1:1\nx 1:1", {.task = Task::regression}),
            "f:2:1: target 'x' is not a number; a real target needs one in every row");
}

TEST(LabelColumn, ASlipAmongNumbersIsNotAClass) {
  EXPECT_EQ(libsvm_refusal("1.5 1:1\n2.5 1:1\n 3.x 1:1\n4.5 1:1"),
            "f:3:2: target '3.x' is not a number, as others are; write a number, or set the task to classes "
            "to take "
            "every value as a class");
  EXPECT_EQ(target({"1.5", "x", "2.5"}, {.task = Task::classification}).labels.size(), 3u);
}

TEST(LabelColumn, RefusesWhatCannotBeALabel) {
  EXPECT_EQ(libsvm_refusal("1 1:1\nnan 1:1"),
            "f:2:1: label 'nan' is missing or not finite; give the row a label, or set missing to drop");
  EXPECT_EQ(libsvm_refusal("inf 1:1", {.missing = Missing::mean}),
            "f:1:1: label 'inf' is missing or not finite; give the row a label, or set missing to drop");
  EXPECT_EQ(libsvm_refusal("1e400 1:1"),
            "f:1:1: '1e400' is too large for a double; the largest is 1.7976931348623157e+308");
  EXPECT_EQ(libsvm_refusal("9007199254740993 1:1"),
            "f:1:1: label '9007199254740993' is too large to be told from its neighbours; the largest "
            "integer label is "
            "9007199254740991");
  EXPECT_EQ(target({"9007199254740991", "9007199254740990"}).labels.size(), 2u);
  EXPECT_EQ(target({"9007199254740993"}, {.task = Task::regression}).values[0], 9007199254740992.0);
}

TEST(LabelColumn, SeveralColumnsAreNumbers) {
  const ReadOptions options{.missing = Missing::drop};
  LabelColumn column(4, 1, options, 2);
  EXPECT_FALSE(column.may_be_text());
  EXPECT_TRUE(LabelColumn(4, 1, options).may_be_text());
  for (const std::size_t row : {0, 1, 3})
    for (const std::size_t output : {0, 1})
      if (row != 1 || output == 0) column.set_number(row, double(10 * row + output), output);
  std::vector<char> marks(4);
  column.mark_missing(marks);
  EXPECT_EQ(marks, (std::vector<char>{0, 1, 1, 0}));
  column.keep({0, 3});
  const Target target = column.finish("a,b", "f");
  EXPECT_EQ(target.task, Task::regression);  // though they are few integers
  EXPECT_EQ(target.values, (std::vector<double>{0, 1, 30, 31}));
  EXPECT_EQ(target.outputs, 2u);
  EXPECT_EQ(target.size(), 2u);
}

TEST(LabelColumn, RowsWithoutALabelCanBeDropped) {
  const Dataset data = libsvm("a 1:1\nNA 1:2\nb 1:3\n? 1:4\na 1:5", {.missing = Missing::drop}, 8);
  EXPECT_EQ(data.rows(), 3u);
  EXPECT_EQ(data.points.row(2), std::vector<double>{5});
  EXPECT_EQ(data.target.codes, (std::vector<std::int32_t>{0, 1, 0}));
  const Dataset without = libsvm("a 1:1\nonly 1:nan\nb 1:3", {.missing = Missing::drop}, 8);
  EXPECT_EQ(without.target.labels, (std::vector<std::string>{"a", "b"}));
}

TEST(NumberCodes, CodesFollowTheOrderOfAppearance) {
  Random random(15);
  NumberCodes codes;
  std::map<double, std::int32_t> expected;
  for (int i = 0; i < 20000; ++i) {
    const double value = double(random.below(3000)) - 1500 + (random.below(2) ? 0.5 : 0);
    const auto [entry, added] = expected.try_emplace(value, std::int32_t(expected.size()));
    ASSERT_EQ(codes.code(value), entry->second);
  }
  ASSERT_EQ(codes.values().size(), expected.size());
  for (const auto& [value, code] : expected) EXPECT_EQ(codes.values()[std::size_t(code)], value);
}

}  // namespace
}  // namespace mercer

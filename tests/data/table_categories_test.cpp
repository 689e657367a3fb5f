#include "data/table_categories.hpp"

#include <fmt/format.h>

#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::csv;
using testing::csv_refusal;

TEST(TableCategories, OneColumnPerCategoryNumbersFirst) {
  for (const std::size_t chunk : {1, 6, 100000}) {
    const Dataset data = csv("a,code\n1,x\n2,10\n3,\"b\"\"q\"\"\"\n4,9\n5,x\n6,b\n", {}, chunk);
    EXPECT_EQ(data.points.names(),
              (std::vector<std::string>{"a", "code=9", "code=10", "code=b", "code=b\"q\"", "code=x"}));
    EXPECT_EQ(data.points.row(0), (std::vector<double>{1, 0, 0, 0, 0, 1}));
    EXPECT_EQ(data.points.row(2), (std::vector<double>{3, 0, 0, 0, 1, 0}));
    EXPECT_EQ(data.schema.columns[1].categories, (std::vector<std::string>{"9", "10", "b", "b\"q\"", "x"}));
  }
}

TEST(TableCategories, UnknownCategoriesAreNamed) {
  const Schema schema = csv("a,color\n1,red\n2,green\n").schema;
  EXPECT_EQ(csv_refusal("a,color\n1,red\n2,purple\n", {.schema = &schema}),
            "f:3:3: unknown category 'purple' in column 'color'; known are 'green', 'red'");
}

TEST(TableCategories, MissingCategories) {
  const std::string text = "a,color\n1,red\n2,\n3,NA\n4,blue\n";
  EXPECT_EQ(csv_refusal(text), "f:3:3: '' is a missing value; fill it in, or set missing to mean or drop");
  const Dataset filled = csv(text, {.missing = Missing::mean});
  EXPECT_EQ(filled.points.row(1), (std::vector<double>{2, 0, 0}));
  const Dataset kept = csv(text, {.missing = Missing::drop});
  EXPECT_EQ(kept.rows(), 2u);
  EXPECT_EQ(kept.points.row(1), (std::vector<double>{4, 1, 0}));
}

TEST(TableCategories, AThousandAreTheMost) {
  std::string text = "a,id\n";
  for (int i = 0; i < 1000; ++i) text += fmt::format("1,t{}\n1,t{}\n", i, i);
  EXPECT_EQ(csv(text, {}, 500).points.cols(), 1001u);
  text += "1,one more\n";
  for (const std::size_t chunk : {std::size_t(300), default_chunk_bytes})
    EXPECT_EQ(csv_refusal(text, {}, chunk),
              "f:1:3: column 'id' holds more than 1000 different texts; remove it, or make it the target");
}

}  // namespace
}  // namespace mercer

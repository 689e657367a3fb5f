#include "data/table_layout.hpp"

#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::csv;
using testing::csv_refusal;

const char* const training_table = "size,color,y,id\n1,red,a,7\n3,blue,b,8\n";

Schema schema_of(const char* text, std::vector<std::string> drop) {
  return csv(text, {.drop = std::move(drop)}).schema;
}

TEST(TableSchema, ColumnsLeftOutAreIgnoredElsewhere) {
  const Schema schema = schema_of(training_table, {"id"});
  EXPECT_EQ(schema.left_out, std::vector<std::string>{"id"});
  const Dataset with = csv("id,color,size\nfoo,red,7\n", {.schema = &schema}),
                without = csv("color,size\nred,7\n", {.schema = &schema});
  EXPECT_EQ(with.points.row(0), (std::vector<double>{7, 0, 1}));
  EXPECT_EQ(without.points.row(0), (std::vector<double>{7, 0, 1}));
  EXPECT_TRUE(with.notes.empty());
}

TEST(TableSchema, AllMissingColumnsAreNamed) {
  const Schema schema = schema_of(training_table, {"id"});
  EXPECT_EQ(csv_refusal("a,b\n1,2\n", {.schema = &schema}),
            "f:1:1: there are no columns 'size', 'color'; the columns are 'a', 'b'");
  EXPECT_EQ(csv_refusal("size,b\n1,2\n", {.tolerant = true, .schema = &schema}),
            "f:1:1: there is no column 'color'; the columns are 'size', 'b'");
}

TEST(TableSchema, OtherColumnsAreRefusedOrIgnored) {
  const Schema schema = schema_of(training_table, {"id"});
  EXPECT_EQ(csv_refusal("size,color,more\n1,red,5\n", {.schema = &schema}),
            "f:1:12: column 'more' is not one of those learned from; remove it");
  const Dataset data = csv("more,size,color,also\n?,1,red,x\n", {.tolerant = true, .schema = &schema});
  EXPECT_EQ(data.points.row(0), (std::vector<double>{1, 0, 1}));
  EXPECT_EQ(said(data.notes),
            std::vector<std::string>{"columns 'more', 'also' are ignored: not among those learned from"});
}

TEST(TableSchema, UnknownCategoriesAreNoneOfTheKnown) {
  const Schema schema = schema_of(training_table, {"id"});
  const Dataset data = csv("size,color\n1,red\n2,green\n3,pink\n4,\n",
                           {.missing = Missing::automatic, .tolerant = true, .schema = &schema}, 6);
  EXPECT_EQ(data.points.row(0), (std::vector<double>{1, 0, 1}));
  for (const std::size_t row : {1, 2, 3})
    EXPECT_EQ(data.points.row(row), (std::vector<double>{double(row + 1), 0, 0}));
  EXPECT_EQ(said(data.notes),
            (std::vector<std::string>{
                "column 'color': 2 cells have a category that was not learned, such as 'green': none of the "
                "known ones is set",
                "missing texts in columns that had none before are no known category: 'color' (1)"}));
}

TEST(TableSchema, WithoutAHeaderTheColumnsGoByPlace) {
  const Schema schema = csv("7,1,5,0\n8,2,6,1\n9,1,7,0\n1,3,8,1\n", {.target = "4", .drop = {"1"}}).schema;
  EXPECT_EQ(csv("9,5,4,1\n", {.schema = &schema}).points.row(0), (std::vector<double>{5, 4}));
  EXPECT_EQ(csv("9,5,4\n", {.schema = &schema}).points.row(0), (std::vector<double>{5, 4}));
  EXPECT_EQ(csv_refusal("5,4\n", {.schema = &schema}),
            "f:1:1: there is no column 'column 3'; the columns are 'column 1', 'column 2'");
}

TEST(TableSchema, TheColumnLeftOutMayStandAnywhere) {
  const Schema schema = csv("7,1,5,0\n8,2,6,1\n9,1,7,0\n1,3,8,1\n", {.target = "4", .drop = {"2"}}).schema;
  EXPECT_EQ(csv("9,5,4\n", {.schema = &schema}).points.row(0), (std::vector<double>{9, 4}));
}

TEST(TableSchema, TheStartOfANote) {
  EXPECT_EQ(columns_are({"a"}), "column 'a' is");
  EXPECT_EQ(columns_are({"a", "b"}, "holds", "hold"), "columns 'a', 'b' hold");
}

}  // namespace
}  // namespace mercer

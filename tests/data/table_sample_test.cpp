#include "data/table_sample.hpp"

#include "data/scratch.hpp"

namespace mercer {
namespace {

bool header(std::string_view text, const std::vector<std::string>& known = {}) {
  return take_sample(TextSource("f", text), ',', known).has_header;
}

TEST(TableSample, TextAboveNumbersIsAHeader) {
  EXPECT_TRUE(header("a,b\n1,2\n"));
  EXPECT_TRUE(header("0,1,target\n1,2,3\n"));
  EXPECT_TRUE(header(",a\n0,5\n"));
  EXPECT_TRUE(header("a,color\n1,red\n"));
  EXPECT_TRUE(header("a,b\n,\n3,\n"));
  EXPECT_FALSE(header("1,2\n3,4\n"));
  EXPECT_FALSE(header("1,red\n2,blue\n"));
  EXPECT_FALSE(header("NA,2\n3,4\n"));
  EXPECT_FALSE(header("1,2\n"));
}

TEST(TableSample, ARowOfTextsIsAHeaderUnlessOneAppearsAgain) {
  EXPECT_TRUE(header("color,size\nred,small\nblue,small\n"));
  EXPECT_FALSE(header("red,small\nblue,large\nred,large\n"));
  EXPECT_TRUE(header("a,b"));
}

TEST(TableSample, QuotesAroundAllNamesTellThemFromNumbers) {
  EXPECT_TRUE(header("\"1\",\"2\"\n3,4\n"));
  EXPECT_FALSE(header("\"1\",\"2\"\n\"3\",\"4\"\n"));
  EXPECT_FALSE(header("\"1\",2\n3,4\n"));
}

TEST(TableSample, NamesTheCallerKnowsAreAHeader) {
  EXPECT_FALSE(header("red,x\nred,y\n"));
  EXPECT_TRUE(header("red,x\nred,y\n", {"x"}));
}

TEST(TableSample, CountsTheKindsOfCells) {
  const TextSource source("f", "a,b\n1,x\n,y\ninf,3\n");
  const TableSample sample = take_sample(source, ',', {});
  EXPECT_EQ(sample.columns[0].numbers, 2u);
  EXPECT_EQ(sample.columns[0].texts, 0u);
  EXPECT_EQ(sample.columns[1].numbers, 1u);
  EXPECT_EQ(sample.columns[1].texts, 2u);
  EXPECT_EQ(sample.columns[1].first_text.text, "x");
  EXPECT_EQ(std::string_view(sample.body).substr(0, 3), "1,x");
}

}  // namespace
}  // namespace mercer

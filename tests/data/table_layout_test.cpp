#include "data/scratch.hpp"
#include "data/table_layout.hpp"

namespace mercer {
namespace {

using testing::csv;
using testing::csv_refusal;
using testing::refusal;

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

TEST(TableLayout, TheTargetByNameOrNumber) {
  const std::string text = "a,b,c\n1,2,0\n3,4,1\n5,6,0\n7,8,1\n";
  for (const char* target : {"c", "3", "-1"}) {
    const Dataset data = csv(text, {.target = target});
    EXPECT_EQ(data.target.name, "c") << target;
    EXPECT_EQ(data.points.names(), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(data.schema.target, "c");
  }
  EXPECT_EQ(csv(text, {.target = "-3"}).target.name, "a");
  EXPECT_EQ(csv(text, {.target = "none"}).points.cols(), 3u);
  EXPECT_EQ(csv(text).target.task, Task::none);
  EXPECT_EQ(csv_refusal(text, {.target = "4"}),
            "f: there is no column '4' for the target; the columns are 'a', 'b', 'c'");
  EXPECT_EQ(csv_refusal(text, {.target = "0"}),
            "f: there is no column '0' for the target; the columns are 'a', 'b', 'c'");
  EXPECT_EQ(
      csv_refusal("alpha,beta\n1,2", {.weights = "alhpa"}),
      "f: there is no column 'alhpa' for the weights; did you mean 'alpha'? the columns are 'alpha', 'beta'");
}

TEST(TableLayout, ATargetOfSeveralColumns) {
  const std::string text = "a,b,c\n1,2,0\n3,4,1\n5,6,0\n7,8,1\n";
  for (const char* target : {"c,a", "3,1", "-1,a"}) {
    const Dataset data = csv(text, {.target = target}, 5);
    EXPECT_EQ(data.target.name, "c,a") << target;
    EXPECT_EQ(data.schema.target, "c,a");
    EXPECT_EQ(data.target.task, Task::regression);
    EXPECT_EQ(data.target.outputs, 2u);
    EXPECT_EQ(data.target.values, (std::vector<double>{0, 1, 1, 3, 0, 5, 1, 7}));
    EXPECT_EQ(data.points.names(), std::vector<std::string>{"b"});
  }
  EXPECT_EQ(csv("1,2,3\n4,5,6\n", {.target = "1,3"}).target.name, "column 1,column 3");
  EXPECT_EQ(csv("\"u,v\",b,c\n1,2,3\n", {.target = "u,v"}).target.outputs, 1u);  // the whole is a name
}

TEST(TableLayout, RefusesATargetThatIsNotSeveralColumnsOfNumbers) {
  const std::string text = "a,b,c\n1,2,0\n3,x,1\n";
  EXPECT_EQ(csv_refusal(text, {.target = "a,d"}),
            "f: there is no column 'd' for the target; the columns are 'a', 'b', 'c'");
  EXPECT_EQ(csv_refusal(text, {.target = "a,"}),
            "f: there is no column '' for the target; the columns are 'a', 'b', 'c'");
  EXPECT_EQ(csv_refusal(text, {.target = "a,1"}),
            "f: column 'a' is named twice for the target; name it once");
  EXPECT_EQ(csv_refusal(text, {.target = "a,c", .weights = "c"}),
            "f: column 'c' cannot be both the target and the weights");
  EXPECT_EQ(csv_refusal(text, {.target = "a,b"}),
            "f:3:3: target 'x' is not a number; a real target needs one in every row");
  EXPECT_EQ(csv_refusal("a,b,c\n1,2,0\n3,\"x\"\"y\",1\n", {.target = "a,b"}).substr(0, 7), "f:3:4: ");
  EXPECT_EQ(
      csv_refusal(text, {.target = "a,c", .task = Task::classification}),
      "f: a target of 2 columns is one of numbers, not of classes; name one column, or set the task to real");
  EXPECT_EQ(csv_refusal("\"u,v\",b,c\n1,2,3\n", {.target = "1,b"}),
            "f: column 'u,v' has a comma in its name, so it cannot be one of several targets; rename it");
  EXPECT_EQ(csv_refusal("a,b,c\n1,2,0\n3,,1\n", {.target = "a,b"}),
            "f:3:3: label '' is missing or not finite; give the row a label, or set missing to drop");
  const Dataset dropped = csv("a,b,c\n1,2,0\n3,,1\n5,6,7\n", {.target = "a,b", .missing = Missing::drop});
  EXPECT_EQ(dropped.target.values, (std::vector<double>{1, 2, 5, 6}));
  EXPECT_EQ(dropped.points.row(1), std::vector<double>{7});
}

TEST(TableLayout, ASchemaKnowsSeveralTargets) {
  const Schema schema = csv("a,b,c\n1,2,0\n3,4,1\n", {.target = "c,a"}).schema;
  const Dataset same = csv("c,b,a\n7,8,9\n", {.schema = &schema});
  EXPECT_EQ(same.target.values, (std::vector<double>{7, 9}));
  EXPECT_EQ(same.target.name, "c,a");
  EXPECT_EQ(same.points.row(0), std::vector<double>{8});
  // What is left of the target is not a feature.
  for (const char* text : {"b\n8\n", "b,c\n8,1\n", "a,b\n1,8\n"}) {
    const Dataset without = csv(text, {.schema = &schema});
    EXPECT_EQ(without.target.task, Task::none) << text;
    EXPECT_EQ(without.points.row(0), std::vector<double>{8}) << text;
  }
  const Schema unnamed = csv("1,5,0\n2,6,1\n", {.target = "1,3"}).schema;
  EXPECT_EQ(csv("9,5,4\n", {.schema = &unnamed}).target.values, (std::vector<double>{9, 4}));
  EXPECT_EQ(csv("5\n", {.schema = &unnamed}).points.row(0), std::vector<double>{5});
}

TEST(TableLayout, ANameThatIsANumberComesBeforeThePosition) {
  EXPECT_EQ(csv("2,1,x\n5,6,7\n", {.target = "1"}).points.names(), (std::vector<std::string>{"2", "x"}));
}

TEST(TableLayout, TheCustomaryNameIfThereIsExactlyOne) {
  EXPECT_EQ(csv("a,Label\n1,2\n").target.name, "Label");
  EXPECT_EQ(csv("a,y\n1,2\n").target.name, "y");
  EXPECT_EQ(csv("class,y,a\n1,2,3\n").target.name, "class");
  EXPECT_EQ(csv("x,Y,Label\n1,2,3\n").target.name, "Label");
  EXPECT_EQ(csv("y,label,class,TARGET\n1,2,3,4\n").target.name, "TARGET");
  EXPECT_EQ(csv("x,y,Y\n1,2,3\n").target.task, Task::none);
}

TEST(TableLayout, TargetAndWeightsAreTwoColumns) {
  const Dataset data = csv("a,w,y\n1,0.5,3\n2,0,4\n", {.weights = "w"});
  EXPECT_EQ(data.weights, (std::vector<double>{0.5, 0}));
  EXPECT_EQ(data.points.cols(), 1u);
  EXPECT_EQ(data.schema.weights, "w");
  EXPECT_EQ(csv_refusal("a,y\n1,2\n", {.weights = "y"}),
            "f: column 'y' cannot be both the target and the weights");
}

TEST(TableLayout, NamesAreUnique) {
  EXPECT_EQ(csv_refusal("a,b,a\n1,2,3\n"), "f:1:5: a second column is called 'a'; give it another name");
  EXPECT_EQ(csv(",a\n1,2\n").points.names(), (std::vector<std::string>{"column 1", "a"}));
  EXPECT_TRUE(csv("1,2\n3,4\n").points.names().empty());
}

TEST(TableLayout, ToleratedASecondColumnOfANameGetsAnother) {
  const Dataset data = csv("a,b,a,a,a.2\n1,2,3,5,4\n2,9,5,1,7\n", {.tolerant = true});
  EXPECT_EQ(data.points.names(), (std::vector<std::string>{"a", "b", "a.2", "a.3", "a.2.2"}));
  EXPECT_EQ(said(data.notes),
            std::vector<std::string>{
                "columns 'a.2', 'a.3', 'a.2.2' are called so here: another has the name already"});
}

TEST(TableLayout, ColumnsToLeaveOut) {
  const std::string text = "a,b,y\n1,2,0\n3,x,1\n";
  EXPECT_EQ(csv(text, {.drop = {"b"}}).points.names(), std::vector<std::string>{"a"});
  EXPECT_EQ(csv(text, {.drop = {"2"}}).points.names(), std::vector<std::string>{"a"});
  EXPECT_EQ(csv_refusal(text, {.drop = {"c"}}),
            "f: there is no column 'c' to leave out; the columns are 'a', 'b', 'y'");
  EXPECT_EQ(csv_refusal(text, {.drop = {"y"}}),
            "f: column 'y' is the target, so it cannot be dropped; name another");
  EXPECT_EQ(csv_refusal(text, {.weights = "a", .drop = {"a"}}),
            "f: column 'a' is the column of weights, so it cannot be dropped; name another");
  EXPECT_EQ(csv_refusal(text, {.tolerant = true, .drop = {"b"}, .keep = {"b"}}),
            "f: column 'b' cannot be both kept and dropped");
  EXPECT_EQ(csv_refusal(text, {.tolerant = true, .keep = {"c"}}),
            "f: there is no column 'c' to keep; the columns are 'a', 'b', 'y'");
  EXPECT_EQ(csv_refusal(text, {.drop = {"a", "b"}}),
            "f:1:1: there is no column beside the target and the weights; add one");
}

TEST(TableLayout, ATextAmongNumbersIsASlip) {
  EXPECT_EQ(csv_refusal("a,b\n1,2\n3,4\n5x,6\n"),
            "f:4:1: '5x' is not a number, though most of column 'a' are; write a number, or leave the cell "
            "empty if it is "
            "missing");
  EXPECT_EQ(csv("a,b\n1,2\nx,4\ny,6\n").points.cols(), 4u);
}

TEST(TableLayout, AHeaderNeedsRows) {
  EXPECT_EQ(csv_refusal("a,b\n"), "f:1:1: the table has a header and no rows; rows of data are needed");
  EXPECT_EQ(csv_refusal(""), "f:1:1: the file is empty; rows of data are needed");
}

const char* const training = "size,color,y\n1,red,a\n3,blue,b\n";

TEST(TableLayout, ASchemaEncodesOtherTablesTheSameWay) {
  const Schema schema = csv(training).schema;
  const Dataset same = csv("y,color,size\nb,red,7\n", {.schema = &schema});
  EXPECT_EQ(same.points.names(), (std::vector<std::string>{"size", "color=blue", "color=red"}));
  EXPECT_EQ(same.points.row(0), (std::vector<double>{7, 0, 1}));
  EXPECT_EQ(same.target.labels, std::vector<std::string>{"b"});
  const Dataset without = csv("color,size\nblue,7\nred,8\n", {.schema = &schema});
  EXPECT_EQ(without.target.task, Task::none);
  EXPECT_EQ(without.points.row(0), (std::vector<double>{7, 1, 0}));
  EXPECT_EQ(csv("y,color,size\nb,red,7\n", {.target = "none", .schema = &schema}).target.task, Task::none);
}

TEST(TableLayout, ASchemaRefusesOtherColumns) {
  const Schema schema = csv(training).schema;
  EXPECT_EQ(csv_refusal("size,colour\n1,red\n", {.schema = &schema}),
            "f:1:1: there is no column 'color'; the columns are 'size', 'colour'");
  EXPECT_EQ(csv_refusal("size,color,id\n1,red,5\n", {.schema = &schema}),
            "f:1:12: column 'id' is not one of those learned from; remove it");
  EXPECT_EQ(csv_refusal("1,red\n2,red\n", {.schema = &schema}),
            "f:1:1: there are no columns 'size', 'color'; the columns are 'column 1', 'column 2'");
}

TEST(TableLayout, ASchemaWithoutNamesGoesByPosition) {
  const Schema schema = csv("1,5,0\n2,6,1\n1,7,0\n3,8,1\n", {.target = "1"}).schema;
  EXPECT_EQ(schema.columns[0].name, "column 2");
  EXPECT_EQ(csv("9,5,4\n", {.schema = &schema}).points.row(0), (std::vector<double>{5, 4}));
  EXPECT_EQ(csv("5,4\n", {.schema = &schema}).points.row(0), (std::vector<double>{5, 4}));
  EXPECT_EQ(csv_refusal("5,4,3,2\n", {.schema = &schema}),
            "f:1:7: column 'column 4' is not one of those learned from; remove it");
}

}  // namespace
}  // namespace mercer

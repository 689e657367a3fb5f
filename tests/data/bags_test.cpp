#include "data/bags.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"

namespace mercer {
namespace {

/// Members in the sets a, b, a, c, a, as a table is read.
Dataset members() {
  Dataset data;
  data.points = Points(std::vector<std::vector<double>>{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}})
                    .with_objects({Objects("molecule", Domain::symbols,
                                           std::vector<std::string>{"a", "b", "a", "c", "a"})});
  data.target = {
      .task = Task::classification, .name = "y", .labels = {"no", "yes"}, .codes = {0, 1, 0, 1, 0}};
  data.weights = {2, 1, 2, 3, 2};
  data.schema.columns = {{.name = "molecule", .categories = {}, .objects = Domain::symbols},
                         {.name = "x", .categories = {}},
                         {.name = "z", .categories = {}}};
  return data;
}

std::vector<double> numbers_of(const Bags& bags, std::size_t i) {
  return {bags.values.data() + bags.starts[i] * bags.columns,
          bags.values.data() + bags.starts[i + 1] * bags.columns};
}

TEST(Grouped, RowsOfOneNameAreOneSet) {
  const Dataset sets = grouped(members(), "f.csv");
  ASSERT_EQ(sets.rows(), 3u);
  EXPECT_EQ(sets.points.cols(), 0u);
  const Objects& column = sets.points.objects().at(0);
  EXPECT_EQ(column.name(), "bag");
  ASSERT_EQ(column.domain(), Domain::vectors);
  EXPECT_EQ(numbers_of(column.bags(), 0), (std::vector<double>{1, 2, 5, 6, 9, 10}));
  EXPECT_EQ(numbers_of(column.bags(), 1), (std::vector<double>{3, 4}));
  EXPECT_EQ(numbers_of(column.bags(), 2), (std::vector<double>{7, 8}));
  EXPECT_EQ(sets.target.codes, (std::vector<std::int32_t>{0, 1, 1}));
  EXPECT_EQ(sets.weights, (std::vector<double>{2, 1, 3}));
  EXPECT_EQ(sets.schema.columns[0].objects, Domain::vectors);
  EXPECT_EQ(sets.schema.columns.size(), 3u);
}

TEST(Grouped, SaysWhatTheColumnWasTakenFor) {
  Dataset noted = members();
  noted.notes = {{"column 'molecule' holds sets of symbols", {}, "molecule"}, "column 'z' holds dates"};
  EXPECT_EQ(said(grouped(noted, "f.csv").notes),
            (std::vector<std::string>{"column 'molecule' groups the rows: 3 sets of 5 rows",
                                      "column 'z' holds dates"}));
}

TEST(Grouped, MembersOfASetMustAgree) {
  Dataset two_labels = members();
  two_labels.target.codes[4] = 1;
  EXPECT_EQ(refusal(ErrorKind::data, [&] { grouped(two_labels, "f.csv"); }),
            "f.csv: set 'a' has the target 'no' in row 1 and 'yes' in row 5; all members of a set must have "
            "the same");
  Dataset numbers = members();
  numbers.target = {
      .task = Task::regression, .name = "y", .labels = {}, .codes = {}, .values = {1, 2, 1.5, 2, 1}};
  EXPECT_EQ(refusal(ErrorKind::data, [&] { grouped(numbers, "f.csv"); }),
            "f.csv: set 'a' has the target '1' in row 1 and '1.5' in row 3; all members of a set must have "
            "the same");
  Dataset weights = members();
  weights.weights[2] = 1;
  EXPECT_EQ(
      refusal(ErrorKind::data, [&] { grouped(weights, "f.csv"); }),
      "f.csv: set 'a' has the weight 2 in row 1 and 1 in row 3; all members of a set must have the same");
}

TEST(Grouped, RefusesRowsOfNoSetAndSetsOfNothing) {
  Dataset unnamed = members();
  unnamed.points = unnamed.points.with_objects(
      {Objects("molecule", Domain::symbols, std::vector<std::string>{"a", " ", "a", "c", "a"})});
  EXPECT_EQ(refusal(ErrorKind::data, [&] { grouped(unnamed, "f.csv"); }),
            "f.csv: row 2 does not say which set it belongs to; fill the cell in");
  Dataset empty = members();
  empty.points = Points(empty.points.objects()[0]);
  EXPECT_EQ(refusal(ErrorKind::data, [&] { grouped(empty, "f.csv"); }),
            "f.csv: beside the column 'molecule' of sets there are no numbers; the members of sets are rows "
            "of numbers");
}

TEST(Ungrouped, HasARowForEachMember) {
  const Dataset sets = grouped(members(), "f.csv");
  const Dataset rows = with_a_row_for_each_member(sets, "f.csv");
  EXPECT_EQ(rows.points.names(), (std::vector<std::string>{"bag", "x", "z"}));
  ASSERT_EQ(rows.rows(), 5u);
  EXPECT_EQ(rows.points.row(1), (std::vector<double>{1, 5, 6}));
  EXPECT_EQ(rows.points.row(4), (std::vector<double>{3, 7, 8}));
  EXPECT_EQ(rows.target.codes, (std::vector<std::int32_t>{0, 0, 0, 1, 1}));
  EXPECT_EQ(rows.weights, (std::vector<double>{2, 2, 2, 1, 3}));
  Dataset empty;
  Bags bags{Buffer<std::size_t>(2, 0), 1, {}};
  empty.points = Points(Objects("bag", Domain::vectors, std::move(bags)));
  EXPECT_EQ(refusal(ErrorKind::data, [&] { with_a_row_for_each_member(empty, "f.csv"); }),
            "f.csv: set 1 is empty, and a table has a row for each member only; write .sets");
}

TEST(Grouped, ATableIsReadAsSetsAndSoAreOthersLikeIt) {
  const ScratchFolder folder;
  std::ofstream(folder / "t.csv") << "id,y,x,colour\nm1,yes,1,red\nm2,no,2,red\nm1,yes,3,blue\n7,no,4,blue\n";
  const Dataset sets = read(folder / "t.csv", {.target = "y", .bag = "id"});
  ASSERT_EQ(sets.rows(), 3u);
  const Bags& bags = sets.points.objects().at(0).bags();
  EXPECT_EQ(bags.columns, 3u) << "x and two colours";
  EXPECT_EQ(numbers_of(bags, 0), (std::vector<double>{1, 0, 1, 3, 1, 0}));
  EXPECT_EQ(sets.target.codes, (std::vector<std::int32_t>{1, 0, 0}));
  std::ofstream(folder / "new.csv") << "x,colour,id\n5,blue,a\n6,red,b\n7,red,a\n";
  const Dataset other = read(folder / "new.csv", {.target = "none", .schema = &sets.schema});
  ASSERT_EQ(other.rows(), 2u);
  EXPECT_EQ(numbers_of(other.points.objects().at(0).bags(), 0), (std::vector<double>{5, 1, 0, 7, 0, 1}));
  std::ofstream(folder / "bare.csv") << "1,0,0.5\n1,0,1.5\n2,1,2.5\n";
  EXPECT_EQ(read(folder / "bare.csv", {.target = "2", .bag = "1"}).rows(), 2u) << "columns by number";
  std::ofstream(folder / "t.svm") << "1 1:2\n";
  EXPECT_NE(refusal(ErrorKind::usage, [&] { read(folder / "t.svm", {.bag = "1"}); })
                .find("only a column of a .csv or .tsv table can"),
            std::string::npos);
}

TEST(BagReading, KeepsTheNamesOfSetsAsObjects) {
  EXPECT_FALSE(BagReading({}, "f.csv").bags());
  // An unnamed column can only be that of the sets.
  const BagReading reading({.objects = {{"", Domain::text}}, .bag = "2"}, "f.csv");
  EXPECT_TRUE(reading.bags());
  ASSERT_EQ(reading.of_members().objects.size(), 1u);
  EXPECT_EQ(reading.of_members().objects[0].column, "2");
  Schema schema;
  schema.columns = {{.name = "molecule", .categories = {}, .objects = Domain::vectors},
                    {.name = "x", .categories = {}}};
  const BagReading again({.schema = &schema}, "f.csv");
  EXPECT_TRUE(again.bags());
  EXPECT_EQ(again.of_members().schema->columns[0].objects, Domain::symbols);
  EXPECT_NE(refusal(ErrorKind::usage,
                    [] {
                      BagReading({.objects = {{"note", Domain::text}}, .bag = "id"}, "f.csv");
                    })
                .find("so column 'note' cannot hold texts beside them"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer

#include "data/cell_notes.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

namespace mercer {
namespace {

TableLayout layout_of(std::size_t columns, TableColumn::Role role) {
  TableLayout layout;
  for (std::size_t j = 0; j < columns; ++j) {
    layout.columns.emplace_back().name = fmt::format("c{}", j);
    layout.columns.back().role = role;
  }
  return layout;
}

TEST(CellNotes, TheExampleIsTheFirstOfTheFileWhateverThePiecesOrder) {
  CellNotes notes;
  CellsOfColumns later, earlier;
  later[0].add_strange("late");
  later[0].add_strange("later");
  earlier[0].add_strange("early");
  notes.add(5, later);
  notes.add(2, earlier);
  notes.add(3, {{0, {.missing = 4}}});
  EXPECT_EQ(
      notes.sentences(layout_of(1, TableColumn::Role::numeric), false),
      std::vector<std::string>{"column 'c0': 3 cells are no number, such as 'early': taken as missing"});
  EXPECT_EQ(notes.sentences(layout_of(1, TableColumn::Role::numeric), true).back(),
            "missing numbers take the mean of their column: 'c0' (4)");
}

TEST(CellNotes, MissingTextsHaveACategoryOrNone) {
  CellNotes notes;
  notes.add(0, {{0, {.missing = 1}}, {1, {.missing = 2}}});
  TableLayout layout = layout_of(2, TableColumn::Role::categorical);
  layout.columns[1].category_number.emplace(missing_category, 0);
  EXPECT_EQ(notes.sentences(layout, true),
            (std::vector<std::string>{
                "missing texts are a category of their own: 'c1' (2)",
                "missing texts in columns that had none before are no known category: 'c0' (1)"}));
}

TEST(CellNotes, ManyColumnsAreNotAllNamed) {
  CellNotes notes;
  CellsOfColumns found;
  for (std::size_t j = 0; j < 30; ++j) {
    found[j].missing = 1;
    found[j].add_strange("x");
  }
  notes.add(0, found);
  const std::vector<std::string> sentences = notes.sentences(layout_of(30, TableColumn::Role::date), true);
  ASSERT_EQ(sentences.size(), 22u);
  EXPECT_EQ(sentences[0], "column 'c0': 1 cell is no date, such as 'x': taken as missing");
  EXPECT_EQ(sentences[20], "10 more columns hold such cells");
  EXPECT_EQ(sentences[21].substr(sentences[21].size() - 20), "'c9' (1) and 20 more");
}

TEST(CellNotes, NothingFoundNothingSaid) { EXPECT_TRUE(CellNotes().sentences({}, true).empty()); }

}  // namespace
}  // namespace mercer

#include "data/table_survey.hpp"

#include <fmt/format.h>

#include "data/scratch.hpp"

namespace mercer {
namespace {

std::vector<ColumnSurvey> survey_of(std::string_view text, std::size_t chunk = default_chunk_bytes,
                                    int threads = 1) {
  const TextSource source("f", text);
  TableLayout layout = lay_out(source, {.target = "none", .tolerant = true}, ',');
  return survey(source, cut_at_records(source, layout.body, chunk, threads), threads, layout,
                std::vector<char>(layout.columns.size(), 1));
}

TEST(TableSurvey, CountsWhatTheCellsAre) {
  const auto columns = survey_of(
      "a,b,c,d\n1,x y,2024-01-31,\n2,\"p \"\"q\"\" r\",2024-02-01,NA\ninf,x y,,?\n 4 ,5,2024-02-01,null\n");
  EXPECT_EQ(columns[0].numbers, 3u);
  EXPECT_EQ(columns[0].missing, 1u);
  EXPECT_EQ(columns[0].least, 1);
  EXPECT_EQ(columns[0].greatest, 4);
  EXPECT_TRUE(columns[0].whole);
  EXPECT_FALSE(columns[0].counts_up);
  EXPECT_FALSE(columns[0].repeats);
  EXPECT_EQ(columns[1].texts, 3u);
  EXPECT_EQ(columns[1].numbers, 1u);
  EXPECT_EQ(columns[1].words, 7u);
  EXPECT_EQ(columns[1].bytes, 13u);
  EXPECT_EQ(columns[1].text, "x y");
  EXPECT_EQ(std::vector(columns[1].different.begin(), columns[1].different.end()),
            (std::vector<std::string>{"p \"q\" r", "x y"}));
  EXPECT_EQ(columns[2].dates.order(columns[2].texts), Schema::Dates::year_first);
  EXPECT_EQ(columns[3].missing, 4u);
}

TEST(TableSurvey, NumbersThatRepeatOrCountUp) {
  const auto columns = survey_of("a,b,c\n5,1,0\n6,3,-0\n7,1,2\n");
  EXPECT_TRUE(columns[0].counts_up);
  EXPECT_EQ(columns[0].first, 5);
  EXPECT_FALSE(columns[0].repeats);
  EXPECT_TRUE(columns[1].repeats);
  EXPECT_TRUE(columns[2].repeats);
}

TEST(TableSurvey, PiecesAddUpToTheWhole) {
  Random random(4);
  for (int round = 0; round < 30; ++round) {
    std::string text = "id,x,word,when\n";
    const std::size_t rows = 1 + random.below(150);
    for (std::size_t i = 0; i < rows; ++i)
      text += fmt::format("{},{},w{},{}\n", i + random.below(round % 3 + 1),
                          random.below(5) ? fmt::format("{}", random.normal()) : "", random.below(9),
                          random.below(7) ? "2024-01-31" : "soon");
    const auto whole = survey_of(text);
    for (const std::size_t chunk : {1, 40, 300})
      for (const int threads : {1, 3}) {
        const auto parts = survey_of(text, chunk, threads);
        for (std::size_t j = 0; j < whole.size(); ++j) {
          const ColumnSurvey &a = whole[j], &b = parts[j];
          EXPECT_EQ(std::tuple(a.missing, a.numbers, a.texts, a.least, a.greatest, a.first, a.last, a.words,
                               a.text),
                    std::tuple(b.missing, b.numbers, b.texts, b.least, b.greatest, b.first, b.last, b.words,
                               b.text));
          EXPECT_EQ(std::tuple(a.counts_up, a.whole, a.repeats, a.different),
                    std::tuple(b.counts_up, b.whole, b.repeats, b.different));
          EXPECT_EQ(a.dates.order(a.texts), b.dates.order(b.texts));
        }
      }
  }
}

}  // namespace
}  // namespace mercer

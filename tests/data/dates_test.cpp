#include "data/dates.hpp"

#include <gtest/gtest.h>

#include <ctime>

#include "base/random.hpp"
#include "data/scratch.hpp"

namespace mercer {
namespace {

using Dates = Schema::Dates;

TEST(Dates, AgreeWithTheSystemsCalendar) {
  Random random(3);
  for (int round = 0; round < 2000; ++round) {
    const auto day = std::time_t(random.below(80000)) - 20000;
    const std::time_t seconds = day * 86400;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[64];
    const std::pair<const char*, Dates> ways[] = {{"%Y-%m-%d", Dates::year_first},
                                                  {"%Y/%m/%d", Dates::year_first},
                                                  {"%d/%m/%Y", Dates::day_first},
                                                  {"%d.%m.%Y", Dates::day_first},
                                                  {"%m/%d/%Y", Dates::month_first}};
    for (const auto& [format, order] : ways) {
      ASSERT_GT(std::strftime(text, sizeof text, format, &parts), 0u);
      ASSERT_EQ(days_of(text, order), double(day)) << text;
    }
  }
}

TEST(Dates, TimesArePartsOfADay) {
  EXPECT_EQ(days_of("1970-01-02T12:00", Dates::year_first), 1.5);
  EXPECT_EQ(days_of("1970-01-02 06:00:00", Dates::year_first), 1.25);
  EXPECT_EQ(days_of("1970-01-02 6:00:00", Dates::year_first), 1.25);
  EXPECT_EQ(days_of("1970-01-01T00:00:43.2Z", Dates::year_first), 0.0005);
  EXPECT_EQ(days_of("1970-01-02T02:00+02:00", Dates::year_first), 1);
  EXPECT_EQ(days_of("1970-01-02T02:00-0100", Dates::year_first), 1.125);
  EXPECT_EQ(days_of("31/01/1970 12:00", Dates::day_first), 30.5);
}

TEST(Dates, AreWrittenAsTheyAreRead) {
  for (const char* text : {"1970-01-01", "2024-02-29", "1899-12-31", "0001-01-01", "9999-12-31"}) {
    const double days = days_of(text, Schema::Dates::year_first).value();
    EXPECT_EQ(date_text(days), text);
    EXPECT_EQ(date_text(days + 0.9), text);
    EXPECT_EQ(date_text(days - 1e-9), text);  // what scaling and back may leave
  }
  EXPECT_EQ(date_text(1e9), "1e+09");
  EXPECT_EQ(date_text(-1e9), "-1e+09");
  EXPECT_EQ(date_text(NAN), "nan");
}

TEST(Dates, WhatIsNone) {
  for (const char* text : {"",
                           "x",
                           "2024",
                           "2024-01",
                           "2024-13-01",
                           "2023-02-29",
                           "2024-00-10",
                           "2024-1-32",
                           "20240131",
                           "2024-01/31",
                           "2024-01-31x",
                           "2024-01-31T",
                           "2024-01-31T25:00",
                           "2024-01-31T10",
                           "2024-01-31T10:60",
                           "2024-01-31T10:00:61",
                           "2024-01-31T10:00:1.",
                           "2024-01-31T10:00+99:00",
                           "2024-01-31T10:00+",
                           "2024-01-31T10:00 ",
                           "-2024-01-31",
                           "99999-01-01"})
    EXPECT_FALSE(days_of(text, Dates::year_first)) << text;
  EXPECT_FALSE(days_of("31/01/2024", Dates::month_first));
  EXPECT_FALSE(days_of("01/31/2024", Dates::day_first));
  EXPECT_FALSE(days_of("01.31.2024", Dates::month_first));
  EXPECT_FALSE(days_of("31/01/24", Dates::day_first));
  EXPECT_FALSE(days_of("2024-01-31", Dates::none));
  EXPECT_TRUE(days_of("2024-02-29", Dates::year_first));
}

TEST(Dates, TheCellsTogetherTellTheOrder) {
  const auto order = [](std::initializer_list<const char*> cells) {
    DateCells all, half;  // two parts, as pieces of a file are
    std::size_t k = 0;
    for (const char* cell : cells) (k++ % 2 ? half : all).add(cell);
    all.add(half);
    return std::pair(all.order(k), all.ambiguous(k));
  };
  EXPECT_EQ(order({"2024-01-31", "2024-01-02T10:00"}), std::pair(Dates::year_first, false));
  EXPECT_EQ(order({"01/02/2024", "31/01/2024"}), std::pair(Dates::day_first, false));
  EXPECT_EQ(order({"01/02/2024", "01/31/2024"}), std::pair(Dates::month_first, false));
  EXPECT_EQ(order({"01.02.2024", "3.4.2024"}), std::pair(Dates::day_first, false));
  EXPECT_EQ(order({"01/02/2024", "11/12/2024"}), std::pair(Dates::none, true));
  EXPECT_EQ(order({"13/02/2024", "01/31/2024"}), std::pair(Dates::none, false));
  EXPECT_EQ(order({"2024-01-31", "soon"}), std::pair(Dates::none, false));
  EXPECT_EQ(order({}), std::pair(Dates::none, false));
}

TEST(Dates, AnyBytesAreADateOrNone) {
  Random random(8);
  for (int round = 0; round < 20000; ++round) {
    std::string text = "2024-01-31T10:30:15.25+02:00";
    testing::damage(text, "0123456789-/:.TZ+ ", random);
    for (const Dates order : {Dates::none, Dates::year_first, Dates::day_first, Dates::month_first})
      EXPECT_LT(std::abs(days_of(text, order).value_or(0)), 4e6) << text;
  }
}

}  // namespace
}  // namespace mercer

#include "plot/page.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "page_text.hpp"

namespace mercer {
namespace {

const std::string small = "<svg width=\"400\" height=\"300\" viewBox=\"0 0 400 300\"></svg>",
                  middle = "<svg width=\"620\" height=\"300\" viewBox=\"0 0 620 300\"></svg>",
                  wide = "<svg width=\"1120\" height=\"300\" viewBox=\"0 0 1120 300\"></svg>";

TEST(Page, HasItsPartsInTheOrderGiven) {
  Page page("Title");
  page.lead("First.");
  page.tile("7", "seven");
  page.section("one", "One");
  page.paragraph("Words.");
  page.section("two", "Two");
  page.list(std::vector<std::string>{"a", "b"});
  page.code("mercer fit x.csv");
  const std::string html = page.html();
  ASSERT_TRUE(page_is_sound(html));
  std::size_t before = 0;
  for (const char* part :
       {"<!DOCTYPE html>", "<title>Title</title>", "<h1>Title</h1>", "First.", "<dt>seven</dt><dd>7</dd>",
        "<a href=\"#one\">One</a>", "<a href=\"#two\">Two</a>", "<section id=\"one\">", "<p>Words.</p>",
        "<section id=\"two\">", "<li>a</li>", "<li>b</li>", "mercer fit x.csv", "</html>"}) {
    const std::size_t at = html.find(part, before);
    ASSERT_NE(at, std::string::npos) << part;
    before = at;
  }
}

TEST(Page, EscapesEveryText) {
  const std::string hostile = "<script>alert('&\"')</script>\xff";
  Page page(hostile);
  page.lead(hostile);
  page.tile(hostile, hostile);
  page.section("s", hostile);
  page.heading(hostile);
  page.paragraph(hostile);
  page.list(std::vector<std::string>{hostile});
  page.code(hostile);
  page.table({.columns = {{hostile, PageTable::Kind::text}, {hostile, PageTable::Kind::code}},
              .rows = {{hostile, PageCell(hostile, 0.5)}}});
  page.picture(small, hostile);
  page.missing_picture(hostile);
  const std::string html = page.html();
  ASSERT_TRUE(page_is_sound(html));
  EXPECT_EQ(count(html, "<script"), 0u);
  EXPECT_EQ(count(html, "\xff"), 0u);
  EXPECT_EQ(count(html, "&lt;script&gt;alert(&#39;&amp;&quot;&#39;)&lt;/script&gt;\xef\xbf\xbd"), 16u);
}

TEST(Page, PicturesThatFollowEachOtherShareAGrid) {
  Page page("t");
  page.section("a", "A");
  page.picture(small, "one");
  page.picture(wide, "two");
  page.paragraph("between");
  page.picture(middle, "three");
  page.section("b", "B");
  page.picture(small, "four");
  const std::string html = page.html();
  ASSERT_TRUE(page_is_sound(html));
  EXPECT_EQ(count(html, "<div class=\"pictures\">"), 3u);
  EXPECT_EQ(count(html, "<figure style=\"--least:276px\">"), 2u);  // 0.69 · 400
  EXPECT_EQ(count(html, "<figure style=\"--least:428px\">"), 1u);
  EXPECT_EQ(count(html, "<figure class=\"wide\" style=\"--least:773px\">"), 1u);
  EXPECT_LT(html.find("two</figcaption>"), html.find("between"));
}

TEST(Page, LongCellsAreBroken) {
  Page page("t");
  page.section("a", "A");
  page.table(
      {.columns = {{"name"}, {"number", PageTable::Kind::number}},
       .rows = {{std::string(28, 'w'), std::string(29, '1')}, {std::string(29, 'w'), std::string("2")}}});
  EXPECT_EQ(count(page.html(), "<td>www"), 1u);
  EXPECT_EQ(count(page.html(), "<td class=\"long\">www"), 1u);
}

TEST(Page, TablesAlignNumbersAndDrawShares) {
  Page page("t");
  page.section("a", "A");
  page.table({.columns = {{"name"}, {"rows", PageTable::Kind::number}, {"share"}},
              .rows = {{std::string("x"), std::string("12"), {"25 %", 0.25}},
                       {std::string("y"), std::string("1"), {"odd", NAN}},
                       {std::string("z"), std::string("2"), {"all", 7}}}});
  const std::string html = page.html();
  ASSERT_TRUE(page_is_sound(html));
  EXPECT_EQ(count(html, "<td class=\"number\">12</td>"), 1u);
  EXPECT_EQ(count(html, "25 %<span class=\"bar\" style=\"width:25.0%\">"), 1u);
  EXPECT_EQ(count(html, "odd<span class=\"bar\" style=\"width:0.0%\">"), 1u);
  EXPECT_EQ(count(html, "all<span class=\"bar\" style=\"width:100.0%\">"), 1u);
}

TEST(Page, OfNothingIsStillAPage) {
  const std::string html = Page("t").html();
  EXPECT_TRUE(page_is_sound(html));
  EXPECT_EQ(count(html, "<nav"), 0u);
  Page page("t");
  page.section("a", "A");
  page.list({});
  EXPECT_EQ(count(page.html(), "<ul>"), 0u);
}

}  // namespace
}  // namespace mercer

#include "data/joined_rows.hpp"

#include <gtest/gtest.h>

#include "message_of.hpp"
#include "random_objects.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

TEST(JoinedRows, HoldsBothOneBelowTheOther) {
  for (const Kind first : {Kind::dense64, Kind::dense32, Kind::sparse64, Kind::sparse32})
    for (const Kind second : {Kind::dense64, Kind::sparse32})
      for (const std::size_t n : {0u, 1u, 5u}) {
        const auto a = random_rows(n, 3, 1), b = random_rows(4, 3, 2);
        const Points one =
            n == 0 ? as_points(random_rows(1, 3, 1), first).select_rows({}) : as_points(a, first);
        const Points both = joined_rows(one, as_points(b, second));
        ASSERT_EQ(both.rows(), n + 4);
        EXPECT_EQ(both.sparse(), one.sparse());
        for (std::size_t i = 0; i < n + 4; ++i) EXPECT_EQ(both.row(i), i < n ? a[i] : b[i - n]);
      }
}

TEST(JoinedRows, JoinsObjectsOfEveryKind) {
  for (const Domain domain : every_domain) {
    const Objects column = random_objects(domain, 7, 3);
    const Points all{column};
    const std::vector<std::size_t> first{0, 1, 2}, second{3, 4, 5, 6};
    const Points both = joined_rows(all.select_rows(first), all.select_rows(second));
    ASSERT_EQ(both.rows(), 7u);
    for (std::size_t i = 0; i < 7; ++i)
      EXPECT_TRUE(both.objects()[0].equal(i, column, i)) << name_of(column.domain());
  }
}

TEST(JoinedRows, RefusesOtherColumns) {
  EXPECT_NE(message_of([] {
              joined_rows(as_points(random_rows(2, 2, 1)), as_points(random_rows(2, 1, 1)));
            }).find("the same"),
            std::string::npos);
  const std::vector<std::string> texts{"a"};
  EXPECT_NE(message_of([&] {
              joined_rows(Points(Objects("t", Domain::text, texts)),
                          Points(Objects("u", Domain::text, texts)));
            }).find("those before them texts in 't'"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer

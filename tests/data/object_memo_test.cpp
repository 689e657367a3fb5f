#include "data/object_memo.hpp"

#include <gtest/gtest.h>

#include "random_objects.hpp"

namespace mercer {
namespace {

TEST(ObjectMemo, KeepsTablesAndThoseOfChosenRows) {
  const Objects objects = random_objects(Domain::text, 3, 1);
  EXPECT_EQ(objects.memo().find("a"), nullptr);
  objects.memo().keep("a",
                      std::make_shared<FeatureTable>(FeatureTable{{0, 1, 1, 3}, {7, 8, 9}, {0.5, 1, 2}}));
  const Objects copy = objects;
  ASSERT_NE(copy.memo().find("a"), nullptr);
  const std::vector<std::size_t> rows{2, 1, 2};
  const auto some = objects.select_rows(rows).memo().find("a");
  ASSERT_NE(some, nullptr);
  EXPECT_EQ(some->starts, (std::vector<std::size_t>{0, 2, 2, 4}));
  EXPECT_EQ(some->keys, (std::vector<std::uint64_t>{8, 9, 8, 9}));
  EXPECT_EQ(some->values, (std::vector<double>{1, 2, 1, 2}));
  EXPECT_EQ(objects.as(Domain::sequence).memo().find("a"), nullptr);  // other kernels see other things
}

TEST(ObjectMemo, DoesNotKeepWhatIsTooLarge) {
  const ObjectMemo memo;
  auto large = std::make_shared<FeatureTable>();
  large->keys.resize((std::size_t(256) << 20) / 16 + 1);
  memo.keep("large", large);
  EXPECT_EQ(memo.find("large"), nullptr);
}

}  // namespace
}  // namespace mercer

#include "kernels/members.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "kernels/set_samples.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

using Starts = std::vector<std::size_t>;

TEST(Members, OfBagsAreTheirVectors) {
  const Members members = members_of("set").apply(bags_of({{{1, 2}, {3, 4}}, {}, {{5, 6}}}, 2));
  EXPECT_EQ(members.starts, (Starts{0, 2, 2, 3}));
  ASSERT_EQ(members.points.rows(), 3u);
  EXPECT_EQ(members.points.row(2), (std::vector<double>{5, 6}));
}

TEST(Members, OfTextsAreTheirWordsAsOftenAsTheyOccur) {
  const Members members = members_of("set").apply(texts_of({"a B a", "", "c"}, Domain::text));
  EXPECT_EQ(members.starts, (Starts{0, 3, 3, 4}));
  const Texts& words = members.points.objects().at(0).texts();
  EXPECT_EQ(words[1], "b");
  EXPECT_EQ(words[3], "c");
}

TEST(Members, CountedAreDistinct) {
  const Members members =
      counted_symbols("general_set", SetCounts::raw).apply(texts_of({"b a b", "", "b"}, Domain::symbols));
  EXPECT_EQ(members.starts, (Starts{0, 2, 2, 3}));
  const Texts& words = members.points.objects().at(0).texts();
  EXPECT_EQ(members.points.names(), (std::vector<std::string>{"count"}));
  EXPECT_EQ(words[0], "a");
  EXPECT_EQ(words[1], "b");
  EXPECT_EQ(members.points.row(1), (std::vector<double>{2}));
}

TEST(Members, AreLookedForInOneColumn) {
  const Objects one("x", Domain::symbols, std::vector<std::string>{"a"}),
      two("z", Domain::symbols, std::vector<std::string>{"b"});
  const Points both = Points(one).with_objects({one, two});
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { members_of("set").apply(both); }),
            "set could compare the columns 'x' (sets of symbols), 'z' (sets of symbols); name one: set@x");
}

TEST(Members, HaveInverseSizes) {
  const MemberMap members = members_of("set");
  EXPECT_EQ(inverse_size(members, starts_of(members)).apply(bags_of({{}, {{1}}, {{1}, {2}, {3}, {4}}}, 1)),
            (std::vector<double>{0, 1, 0.25}));
}

TEST(Members, CannotBeComparedByAKernelOfAllPoints) {
  EXPECT_NO_THROW(check_for_members(normalize(bow()) + rbf(), "set"));
  EXPECT_EQ(refusal(ErrorKind::usage, [] { check_for_members(2 * bow({.weight = "tfidf"}), "set"); }),
            "bow(weight=tfidf, ngrams=1, letters=lower) depends on all points that are compared, so it "
            "cannot compare the members of two sets; put it around "
            "set(…) instead");
}

}  // namespace
}  // namespace mercer

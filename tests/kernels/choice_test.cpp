#include "kernels/choice.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"

namespace mercer {
namespace {

std::string choice_refusal(const Combinator::Arguments& arguments) {
  return refusal(ErrorKind::usage, [&] { choose(point_maps(), arguments); });
}

TEST(Choose, FindsANameAndItsDefault) {
  const Choice powers = choose(point_maps(), "powers");
  ASSERT_NE(powers.info, nullptr);
  EXPECT_EQ(powers.info->name, "powers");
  EXPECT_EQ(powers.text(), "by=powers, degree=3");
  EXPECT_EQ(choose(point_maps(), "unit").text(), "by=unit");
}

TEST(Choose, TakesTheParameterInAnyOrder) {
  EXPECT_EQ(choose(point_maps(), {{"degree", 5.0}, {"by", Word{"powers"}}}).text(), "by=powers, degree=5");
  EXPECT_EQ(choose(point_functions(), {{"by", Word{"exp_norm"}}, {"sigma", 0.5}}).text(),
            "by=exp_norm, sigma=0.5");
}

TEST(Choose, KeepsAnUnknownNameAsAColumn) {
  const Choice column = choose(point_functions(), "body mass");
  EXPECT_EQ(column.info, nullptr);
  EXPECT_EQ(column.text(), "by=\"body mass\"");
  EXPECT_EQ(choose(point_functions(), {{"by", 2.0}}).name, "2");
}

TEST(Choose, RefusesWhatDoesNotFit) {
  const auto powers = [](Argument degree) {
    return choice_refusal({{"by", Word{"powers"}}, {"degree", degree}});
  };
  EXPECT_EQ(powers(0.0), "degree must be a whole number from 1 to 1000, not 0");
  EXPECT_EQ(powers(2.5), "degree must be a whole number from 1 to 1000, not 2.5");
  EXPECT_EQ(powers(1001.0), "degree must be a whole number from 1 to 1000, not 1001");
  EXPECT_EQ(powers(Word{"two"}), "degree must be a whole number from 1 to 1000, not two");
  EXPECT_EQ(choice_refusal({{"by", Word{"unit"}}, {"degree", 2.0}}), "by=unit takes no parameter degree");
  EXPECT_EQ(choice_refusal({{"by", std::vector<double>{1}}}), "by must be a name, not a list");
  for (const double sigma : {0.0, -1.0, double(INFINITY)})
    EXPECT_EQ(refusal(ErrorKind::usage,
                      [&] {
                        choose(point_functions(), {{"by", Word{"exp_norm"}}, {"sigma", sigma}});
                      }),
              "sigma must be > 0, not " + to_text(sigma));
}

TEST(UserKey, IsNeverTheSameAndNeverParses) {
  const std::string first = user_key(), second = user_key();
  EXPECT_NE(first, second);
  EXPECT_THROW(Kernel::parse("mapped(linear, " + first + ")"), Error);
}

}  // namespace
}  // namespace mercer

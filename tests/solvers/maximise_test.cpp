#include "solvers/maximise.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"

namespace mercer {
namespace {

// A long curved ridge with its maximum 0 at (1, 1) (Rosenbrock 1960, upside down).
double ridge(std::span<const double> t, std::span<double> gradient) {
  const double a = 1 - t[0], b = t[1] - t[0] * t[0];
  gradient[0] = 2 * a + 400 * t[0] * b;
  gradient[1] = -200 * b;
  return -a * a - 100 * b * b;
}

// −½ tᵀHt + cᵀt with H = [4 1; 1 3], c = (1, 2): its maximum lies at (1/11, 7/11).
double bowl(std::span<const double> t, std::span<double> gradient) {
  gradient[0] = 1 - 4 * t[0] - t[1];
  gradient[1] = 2 - t[0] - 3 * t[1];
  return t[0] + 2 * t[1] - 2 * t[0] * t[0] - t[0] * t[1] - 1.5 * t[1] * t[1];
}

const Box wide{{-5, -5}, {5, 5}};
const std::vector<double> away{-1.2, 1};

TEST(Search, FindsTheMaximumOfARidge) {
  const Maximum found = search(ridge, wide, away, {.gain = 1e-12});
  EXPECT_TRUE(found.found);
  EXPECT_NEAR(found.at[0], 1, 1e-4);
  EXPECT_NEAR(found.at[1], 1, 1e-4);
  EXPECT_GT(found.value, -1e-8);
  EXPECT_GT(found.evaluations, 5u);
}

// Two hills: a small steep one on which the start stands, and a wide low one far away, at the foot of which a
// long step ends.
TEST(Search, ClimbsTheHillOnWhichItBegins) {
  const SmoothFunction f = [](std::span<const double> t, std::span<double> gradient) {
    const double near = 1000 * std::exp(-0.5 * t[0] * t[0]),
                 far = 10 * std::exp(-0.5 * std::pow((t[0] - 8) / 2, 2));
    gradient[0] = -t[0] * near - (t[0] - 8) / 4 * far;
    return near + far;
  };
  for (const double start : {-1.5, -0.5, 0.7, 1.5}) {
    const Maximum found = search(f, {{-20}, {20}}, std::vector<double>{start}, {.gain = 1e-9});
    EXPECT_TRUE(found.found);
    EXPECT_NEAR(found.at[0], 0, 0.01) << start;
  }
}

TEST(Search, DoesNotClimbAHillTwice) {
  const SmoothFunction f = [](std::span<const double> t, std::span<double> gradient) {
    const double near = std::exp(-0.5 * t[0] * t[0]), far = 2 * std::exp(-0.5 * std::pow(t[0] - 8, 2));
    gradient[0] = -t[0] * near - (t[0] - 8) * far;
    return near + far;
  };
  const Box box{{-20}, {20}};
  const std::vector<Maximum> known{search(f, box, std::vector<double>{1}, {.gain = 1e-9})};
  ASSERT_TRUE(known[0].found);
  const Maximum again = search(f, box, std::vector<double>{-1}, {.gain = 1e-9, .known = known});
  EXPECT_FALSE(again.found);
  EXPECT_LE(again.value, known[0].value);
  const Maximum other = search(f, box, std::vector<double>{7}, {.gain = 1e-9, .known = known});
  EXPECT_TRUE(other.found);
  EXPECT_NEAR(other.at[0], 8, 1e-3);
}

TEST(Search, LeavesWhatCannotMove) {
  const Maximum found = search(bowl, {{2, -5}, {2, 5}}, std::vector<double>{2, 4}, {.gain = 1e-12});
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.at[0], 2);
  EXPECT_NEAR(found.at[1], 0, 1e-5);  // (2 − 2)/3
  const std::vector<double> H = curvature_at(bowl, {{2, -5}, {2, 5}}, found);
  EXPECT_NEAR(H[3], 3, 1e-6);
  EXPECT_EQ(H[1], 0);
}

TEST(Search, StaysWithinTheBounds) {
  const Maximum found = search(bowl, {{0.5, -5}, {5, 5}}, std::vector<double>{9, 0}, {.gain = 1e-12});
  EXPECT_NEAR(found.at[0], 0.5, 1e-9);
  EXPECT_NEAR(found.at[1], 0.5, 1e-5);  // (2 − 0.5)/3
}

TEST(Climb, NeedsOneStepWhereTheCurvatureIsRight) {
  const Maximum found = climb(bowl, wide, away, {4, 1, 1, 3}, {});
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.evaluations, 2u);
  EXPECT_NEAR(found.at[0], 1 / 11.0, 1e-9);
  EXPECT_NEAR(found.at[1], 7 / 11.0, 1e-9);
}

TEST(Climb, LearnsACurvatureThatIsWrong) {
  for (const double off : {0.2, 5.0}) {
    const Maximum found = climb(bowl, wide, away, {4 * off, 0, 0, 3 * off}, {.gain = 1e-12});
    EXPECT_TRUE(found.found);
    EXPECT_LT(found.evaluations, 25u);
    EXPECT_NEAR(found.at[0], 1 / 11.0, 1e-5);
    EXPECT_NEAR(found.at[1], 7 / 11.0, 1e-5);
  }
  EXPECT_GT(climb(ridge, wide, away, {1, 0, 0, 1}, {.gain = 1e-10}).value, -1e-6);
}

TEST(Climb, StaysWithinTheBounds) {
  const Maximum found =
      climb(bowl, {{0.5, -5}, {5, 5}}, std::vector<double>{2, 2}, {4, 1, 1, 3}, {.gain = 1e-12});
  EXPECT_TRUE(found.found);
  EXPECT_EQ(found.at[0], 0.5);
  EXPECT_NEAR(found.at[1], 0.5, 1e-6);
}

TEST(Climb, StepsBackWhereTheFunctionHasNoValue) {
  const SmoothFunction f = [](std::span<const double> t, std::span<double> gradient) {
    return t[0] > 0.2 ? std::nullopt : std::optional(bowl(t, gradient));
  };
  EXPECT_NEAR(climb(f, wide, away, {0.5, 0, 0, 0.5}, {.gain = 1e-12}).at[0], 1 / 11.0, 1e-5);
  EXPECT_NEAR(search(f, wide, away, {.gain = 1e-12}).at[1], 7 / 11.0, 1e-3);
}

TEST(Curvature, IsThatOfTheFunctionAtItsMaximum) {
  Maximum maximum = search(bowl, wide, away, {.gain = 1e-14});
  const std::vector<double> H = curvature_at(bowl, wide, maximum);
  const std::vector<double> expected{4, 1, 1, 3};
  for (std::size_t e = 0; e < 4; ++e) EXPECT_NEAR(H[e], expected[e], 1e-9);
}

TEST(Maximisers, EndWithTheBestWhenToldToStop) {
  for (const bool climbs : {false, true}) {
    std::size_t asked = 0;
    const MaximiseOptions options{.gain = 1e-14,
                                  .progress = [&](std::string_view, double) { return ++asked <= 4; }};
    const Maximum found =
        climbs ? climb(ridge, wide, away, {1, 0, 0, 1}, options) : search(ridge, wide, away, options);
    EXPECT_FALSE(found.found);
    EXPECT_EQ(found.evaluations, 4u);
    EXPECT_GE(found.value, -24.2 - 1e-9);  // that of the start
    const Maximum nothing =
        climbs ? climb(ridge, wide, away, {1, 0, 0, 1},
                       {.progress = [](std::string_view, double) { return false; }})
               : search(ridge, wide, away, {.progress = [](std::string_view, double) { return false; }});
    EXPECT_TRUE(nothing.at.empty());
    EXPECT_FALSE(nothing.found);
  }
}

TEST(Maximisers, LetErrorsThrough) {
  const SmoothFunction f = [](std::span<const double>, std::span<double>) -> double {
    throw Error(ErrorCode::cancelled, "no more");
  };
  EXPECT_EQ(refusal(ErrorKind::cancelled, [&] { search(f, wide, away, {}); }), "no more");
  EXPECT_EQ(refusal(ErrorKind::cancelled, [&] { climb(f, wide, away, {1, 0, 0, 1}, {}); }), "no more");
}

TEST(Maximisers, FindNothingWhereTheStartHasNoValue) {
  const SmoothFunction nowhere = [](std::span<const double>, std::span<double>) { return std::nullopt; };
  EXPECT_TRUE(search(nowhere, wide, away, {}).at.empty());
  EXPECT_TRUE(climb(nowhere, wide, away, {1, 0, 0, 1}, {}).at.empty());
}

}  // namespace
}  // namespace mercer

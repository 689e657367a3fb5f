#include "methods/class_factors.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

TEST(ClassFactors, AreOneUnlessSomethingIsSaid) {
  Target target{Task::classification, "", {"a", "b", "c"}, {0, 0, 0, 1, 2, 2}, {}};
  EXPECT_EQ(class_factors(target, {}), (std::vector<double>{1, 1, 1}));
  EXPECT_EQ(class_factors(target, {.class_weights = {{"b", 3}}}), (std::vector<double>{1, 3, 1}));
  EXPECT_EQ(class_factors(target, {.balanced = true}), (std::vector<double>{6.0 / 9, 6.0 / 3, 6.0 / 6}));
  EXPECT_EQ(class_factors(target, {.class_weights = {{"b", 3}}, .balanced = true}),
            (std::vector<double>{6.0 / 9, 3, 6.0 / 6}));
}

TEST(ClassFactors, RefuseWhatIsNoClassOrNoWeight) {
  const Target classes{Task::classification, "", {"a", "b"}, {0, 1}, {}};
  const Target numbers{Task::regression, "", {}, {}, {1, 2}};
  EXPECT_THROW(class_factors(numbers, {.balanced = true}), Error);
  EXPECT_THROW(class_factors(classes, {.class_weights = {{"d", 1}}}), Error);
  EXPECT_THROW(class_factors(classes, {.class_weights = {{"a", 0}}}), Error);
  EXPECT_THROW(class_factors(classes, {.class_weights = {{"a", INFINITY}}}), Error);
}

}  // namespace
}  // namespace mercer

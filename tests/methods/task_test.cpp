#include "mercer/task.hpp"

#include <gtest/gtest.h>

#include "mercer/method.hpp"

namespace mercer {
namespace {

TEST(Task, HasANameAndSaysWhetherThereIsATarget) {
  EXPECT_EQ(name_of(Task::none), "none");
  EXPECT_EQ(name_of(Task::projection), "projection");
  EXPECT_EQ(name_of(method_named("svr")->task()), "regression");
  EXPECT_EQ(name_of(method_named("kmeans")->task()), "clustering");
  EXPECT_TRUE(supervised(method_named("knn")->task()));
  EXPECT_FALSE(supervised(method_named("one_class")->task()));
  EXPECT_FALSE(supervised(Task::none));
}

}  // namespace
}  // namespace mercer

#include "mercer/task.hpp"

#include <gtest/gtest.h>

#include "mercer/method.hpp"

namespace mercer {
namespace {

TEST(Task, HasANameAndSaysWhetherThereIsATarget) {
  EXPECT_EQ(name_of(Task::none), "none");
  EXPECT_EQ(name_of(Task::projection), "projection");
  EXPECT_EQ(name_of(method_named("svr")->traits().task), "regression");
  EXPECT_EQ(name_of(method_named("kmeans")->traits().task), "clustering");
  EXPECT_TRUE(supervised(method_named("knn")->traits().task));
  EXPECT_FALSE(supervised(method_named("one_class")->traits().task));
  EXPECT_FALSE(supervised(Task::none));
}

}  // namespace
}  // namespace mercer

#include "base/blas.hpp"

#include <cblas.h>
#include <gtest/gtest.h>

#include <stdexcept>

namespace mercer {
namespace {

class BlasThreads : public ::testing::Test {
 protected:
  void SetUp() override {
    before_ = openblas_get_num_threads();
    openblas_set_num_threads(2);
    if (openblas_get_num_threads() != 2) GTEST_SKIP() << "this OpenBLAS has one thread";
  }
  void TearDown() override { openblas_set_num_threads(before_); }
  int before_ = 1;
};

TEST_F(BlasThreads, AreOneInsideAndComeBackAfterwards) {
  {
    const SingleThreadedBlas outer;
    EXPECT_EQ(openblas_get_num_threads(), 1);
    { const SingleThreadedBlas inner; }
    EXPECT_EQ(openblas_get_num_threads(), 1) << "the inner one must not end the outer one";
  }
  EXPECT_EQ(openblas_get_num_threads(), 2);
}

TEST_F(BlasThreads, ComeBackWhenAnExceptionPasses) {
  try {
    const SingleThreadedBlas one;
    throw std::runtime_error("");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(openblas_get_num_threads(), 2);
}

}  // namespace
}  // namespace mercer

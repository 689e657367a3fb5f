#include <cblas.h>
#include <gtest/gtest.h>
#include <omp.h>

#include <stdexcept>
#include <thread>
#include <vector>

#include "base/blas.hpp"

namespace mercer {
namespace {

TEST(BlasCore, IsKnownByTheInstructionsOfItsKernels) {
  for (const char* core : {"Prescott", "Core2", "Nehalem", "Opteron_SSE3", "generic", "prescott"})
    EXPECT_EQ(level_of_core(core), VectorLevel::baseline) << core;
  for (const char* core : {"Sandybridge", "Piledriver"})
    EXPECT_EQ(level_of_core(core), VectorLevel::avx) << core;
  for (const char* core : {"Haswell", "Zen", "Excavator"})
    EXPECT_EQ(level_of_core(core), VectorLevel::avx2) << core;
  for (const char* core : {"SkylakeX", "Cooperlake", "SapphireRapids"})
    EXPECT_EQ(level_of_core(core), VectorLevel::avx512) << core;
  EXPECT_EQ(level_of_core("SomethingOfNextYear"), VectorLevel::avx512)
      << "an unknown core is newer than the list, and is left alone";
}

TEST(BlasCore, ForALevelUsesItsInstructions) {
  for (const VectorLevel level : {VectorLevel::avx, VectorLevel::avx2, VectorLevel::avx512})
    EXPECT_EQ(level_of_core(core_for(level)), level);
  EXPECT_STREQ(core_for(VectorLevel::baseline), "");
}

class BlasThreads : public ::testing::Test {
 protected:
  void SetUp() override {
    if (openblas_get_parallel() != OPENBLAS_OPENMP) GTEST_SKIP() << "this OpenBLAS was not built with OpenMP";
    omp_set_num_threads(2);
  }
  void TearDown() override { omp_set_num_threads(before_); }
  int before_ = omp_get_max_threads();
};

TEST_F(BlasThreads, AreOneInsideAndComeBackAfterwards) {
  {
    const SingleThreadedBlas outer;
    EXPECT_EQ(omp_get_max_threads(), 1);
    { const SingleThreadedBlas inner; }
    EXPECT_EQ(omp_get_max_threads(), 1) << "the inner one must not end the outer one";
  }
  EXPECT_EQ(omp_get_max_threads(), 2);
}

TEST_F(BlasThreads, ComeBackWhenAnExceptionPasses) {
  try {
    const SingleThreadedBlas one;
    throw std::runtime_error("");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(omp_get_max_threads(), 2);
}

// A program may call us from threads of its own, which OpenMP knows nothing of.
TEST_F(BlasThreads, GiveTheSameBitsInThreadsOfTheCaller) {
  constexpr int n = 300;
  std::vector<double> a(n * n);
  for (int i = 0; i < n * n; ++i) a[i] = 1.0 / (i + 3);
  const auto product = [&] {
    const SingleThreadedBlas one;
    std::vector<double> c(n * n);
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasTrans, n, n, n, 1, a.data(), n, a.data(), n, 0, c.data(),
                n);
    return c;
  };
  const std::vector<double> expected = product();
  std::vector<std::vector<double>> found(4);
  {
    std::vector<std::jthread> callers;
    for (auto& c : found) callers.emplace_back([&] { c = product(); });
  }
  for (const auto& c : found) EXPECT_EQ(c, expected);
}

}  // namespace
}  // namespace mercer

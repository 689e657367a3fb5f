#include "base/blas_core.hpp"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace mercer

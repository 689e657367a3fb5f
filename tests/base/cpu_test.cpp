#include "base/cpu.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace mercer {
namespace {

/// Whether the system's own list of the processor's features has all of these.
bool system_lists(std::initializer_list<const char*> features) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("flags")) continue;
    for (const char* feature : features)
      if ((line + " ").find(std::string(" ") + feature + " ") == line.npos) return false;
    return true;
  }
  return false;
}

TEST(Cpu, HasTheVectorInstructionsThatTheSystemLists) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "levels are those of x86-64";
#endif
  EXPECT_EQ(vector_level() >= VectorLevel::avx, system_lists({"avx"}));
  EXPECT_EQ(vector_level() >= VectorLevel::avx2, system_lists({"avx2", "fma"}));
  EXPECT_EQ(vector_level() >= VectorLevel::avx512,
            system_lists({"avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl"}));
}

TEST(Cpu, HasTheMatrixInstructionsThatTheSystemLists) {
  EXPECT_EQ(has_byte_matrices(), system_lists({"amx_tile", "amx_int8"}));
}

TEST(Cpu, HasAName) { EXPECT_FALSE(cpu_name().empty()); }

}  // namespace
}  // namespace mercer

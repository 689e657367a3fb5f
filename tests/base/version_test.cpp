#include "mercer/version.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "base/refusal.hpp"

namespace mercer {
namespace {

TEST(Version, IsTheOneOfTheBuild) {
  const auto build = std::filesystem::path(__FILE__).parent_path() / "../../CMakeLists.txt";
  const std::string text = bytes_of(build.string());
  if (text.empty())
    GTEST_SKIP() << "CMakeLists.txt, which has the version, is not where this test was compiled";
  EXPECT_NE(text.find(std::string("project(mercer VERSION ") + version() + " "), std::string::npos)
      << version();
}

}  // namespace
}  // namespace mercer

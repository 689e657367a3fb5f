#include "methods/whole_number.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"

namespace mercer {
namespace {

TEST(WholeNumber, IsACountOrRefused) {
  EXPECT_EQ(whole_number("pca", "components", 1), 1u);
  EXPECT_EQ(whole_number("pca", "components", 12), 12u);
  for (const double wrong : {0.0, 2.5, -1.0, 1e300})
    EXPECT_NE(refusal(ErrorKind::usage, [&] { whole_number("pca", "components", wrong); })
                  .find("pca: components must be a whole number ≥ 1, not "),
              std::string::npos);
}

}  // namespace
}  // namespace mercer

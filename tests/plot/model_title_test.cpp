#include "plot/model_title.hpp"

#include <gtest/gtest.h>

#include "mercer/generate.hpp"
#include "mercer/methods/svm.hpp"

namespace mercer {
namespace {

TEST(ModelTitle, NamesWhatIsNotTheDefault) {
  EXPECT_EQ(method_title(*AnyMethod(Svm{})), "svm");
  EXPECT_EQ(method_title(*AnyMethod(Svm{.C = 10, .multiclass = Svm::Multiclass::ovr})),
            "svm C=10 multiclass=ovr");
  EXPECT_EQ(model_title(fit(Svm{.C = 2}, Kernel::parse("rbf(gamma=0.5)"), generate("moons", {.n = 10}))),
            "svm C=2 · rbf(gamma=0.5)");
}

TEST(ModelTitle, LongNumbersAreRounded) {
  EXPECT_EQ(rounded("2.3241999459606086*rbf(gamma=0.9799512361014175)"), "2.324*rbf(gamma=0.98)");
  EXPECT_EQ(rounded("rbf(gamma=0.125) + poly(degree=2)"), "rbf(gamma=0.125) + poly(degree=2)");
  EXPECT_EQ(rounded("laplace(sigma=1.2345678e-07)"), "laplace(sigma=1.235e-07)");
  EXPECT_EQ(rounded("map_1234567.89(x)"), "map_1234567.89(x)");
  EXPECT_EQ(rounded("chi2"), "chi2");
  EXPECT_EQ(rounded(""), "");
}

}  // namespace
}  // namespace mercer

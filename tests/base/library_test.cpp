#include "base/library.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "mercer/error.hpp"
#include "message_of.hpp"

namespace mercer {
namespace {

TEST(Library, FindsFunctionsOfTheFirstFileThatCanBeLoaded) {
  const Library library({"libno_such_library.so.1", "libm.so.6"}, "a cosine", "libc6");
  EXPECT_EQ(library.function<double(double)>("cos")(1.0), std::cos(1.0));
  EXPECT_EQ(library.find<void()>("no_such_function"), nullptr);
  const std::string message = message_of([&] { library.function<void()>("no_such_function"); });
  EXPECT_NE(message.find("libm.so.6 has no function no_such_function"), message.npos) << message;
}

TEST(Library, SaysWhatIsMissingAndWhichPackageHasIt) {
  const std::string message =
      message_of([] { Library({"libno_such_library.so.1"}, "a cosine", "libcosine1"); });
  EXPECT_NE(message.find("a cosine needs a library that cannot be loaded"), message.npos) << message;
  EXPECT_NE(message.find("libno_such_library.so.1"), message.npos) << message;
  EXPECT_NE(message.find("install libcosine1"), message.npos) << message;
}

}  // namespace
}  // namespace mercer

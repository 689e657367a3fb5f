#include "data/libzip.hpp"

#include <gtest/gtest.h>

namespace mercer {
namespace {

TEST(LibZip, IsTheLibraryOfTheHeaders) {
  zip_error_t error;
  libzip().error_init_with_code(&error, ZIP_ER_NOENT);
  EXPECT_STREQ(libzip().error_strerror(&error), "No such file");
  libzip().error_fini(&error);
}

}  // namespace
}  // namespace mercer

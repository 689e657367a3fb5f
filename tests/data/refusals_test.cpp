#include "data/refusals.hpp"

#include <cmath>

#include "data/scratch.hpp"

namespace mercer {
namespace {

using testing::refusal;

TEST(Refusals, OneWordingForEveryTextFormat) {
  const TextSource source("f", "inf NA 1e400 1e-400 abc");
  const auto field = [&](std::size_t begin, std::size_t size) { return source.text().substr(begin, size); };
  const auto message = [&](std::string_view text, Missing missing) {
    return refusal([&] { unusual_value(source, text, missing, "write it so"); });
  };
  EXPECT_EQ(message(field(0, 3), Missing::refuse),
            "f:1:1: 'inf' is not finite; use a finite number, or set missing to mean or drop");
  EXPECT_EQ(message(field(4, 2), Missing::refuse),
            "f:1:5: 'NA' is a missing value; fill it in, or set missing to mean or drop");
  EXPECT_EQ(message(field(7, 5), Missing::drop),
            "f:1:8: '1e400' is too large for a double; the largest is 1.7976931348623157e+308");
  EXPECT_EQ(message(field(20, 3), Missing::drop), "f:1:21: 'abc' is not a number; write it so");
  EXPECT_TRUE(std::isnan(unusual_value(source, field(0, 3), Missing::drop)));
  EXPECT_TRUE(std::isnan(unusual_value(source, field(4, 2), Missing::mean)));
  EXPECT_EQ(unusual_value(source, field(13, 6), Missing::refuse), 0);
  EXPECT_EQ(refusal([&] { refuse_float(source, field(7, 5)); }),
            "f:1:8: '1e400' is too large for a float32; use float64");
}

}  // namespace
}  // namespace mercer

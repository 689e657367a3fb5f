#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "mercer/tune.hpp"

namespace mercer {
namespace {

TEST(ParseAxis, StepsThroughExponents) {
  const GridAxis axis = parse_axis("C=2^-5:2^15:2");
  EXPECT_EQ(axis.parameter, "C");
  ASSERT_EQ(axis.values.size(), 11u);
  for (int i = 0; i < 11; ++i) EXPECT_EQ(axis.values[std::size_t(i)], std::pow(2.0, -5 + 2 * i));
  EXPECT_EQ(parse_axis("rbf.gamma=10^-1:10^0:0.5").values,
            (std::vector<double>{std::pow(10, -1.0), std::pow(10, -0.5), 1}));
  EXPECT_EQ(parse_axis("C=2^3:2^1:-1").values, (std::vector<double>{8, 4, 2}));
}

TEST(ParseAxis, StepsThroughNumbersAndReadsLists) {
  EXPECT_EQ(parse_axis("epsilon=0.1:0.3:0.1").values.size(), 3u);
  EXPECT_EQ(parse_axis("C=1,10,2^10").values, (std::vector<double>{1, 10, 1024}));
  EXPECT_EQ(parse_axis("C=7").values, std::vector<double>{7});
}

TEST(ParseAxis, RefusesWhatCannotBeMeant) {
  for (const auto& [text, part] : {std::pair{"C", "name"},
                                   {"=1", "name"},
                                   {"C=", "'' is not a number"},
                                   {"C=1:2", "a step"},
                                   {"C=1:2:0", "does not lead"},
                                   {"C=1:2:-1", "does not lead"},
                                   {"C=2^1:3^2:1", "same number"},
                                   {"C=2^1:8:1", "same number"},
                                   {"C=x,1", "'x'"},
                                   {"C=1:1e9:1", "over 1000"},
                                   {"C=1,,2", "''"},
                                   {"C=inf", "'inf'"},
                                   {"C=-2^1:-2^3:1", "base"},
                                   {"C=2^5000", "overflows"}})
    EXPECT_NE(refusal(ErrorKind::usage, [&] { parse_axis(text); }).find(part), std::string::npos) << text;
}

}  // namespace
}  // namespace mercer

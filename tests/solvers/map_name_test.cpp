#include "solvers/map_name.hpp"

#include <gtest/gtest.h>

#include "base/refusal.hpp"

namespace mercer {
namespace {

TEST(MapName, IsReadAndWrittenNormalised) {
  const auto normalised = [](const char* text) { return MapName::parse(text).text(); };
  for (const char* text : {"nystrom:2000", "nystrom:500:uniform", "nystrom:1:kmeans++", "fourier:4096",
                           "sketch:1024", "explicit"})
    EXPECT_EQ(normalised(text), text);
  EXPECT_EQ(normalised("nystrom:7:pivoted"), "nystrom:7");
  EXPECT_EQ(normalised("fourier:7"), "fourier:8");
  EXPECT_EQ(normalised("sketch:1025"), "sketch:2048");
  EXPECT_EQ(normalised("sketch:1"), "sketch:1");
}

TEST(MapName, Refuses) {
  const auto message = [](const char* text) {
    return refusal(ErrorKind::usage, [&] { MapName::parse(text); });
  };
  EXPECT_EQ(message("nystrm:10"), "unknown feature map 'nystrm'; did you mean 'nystrom'?");
  EXPECT_EQ(message(""), "unknown feature map ''; there are nystrom, fourier, sketch, explicit");
  EXPECT_EQ(message("nystrom:10:unifrom"), "unknown choice of landmarks 'unifrom'; did you mean 'uniform'?");
  EXPECT_EQ(message("nystrom:10:best"),
            "unknown choice of landmarks 'best'; there are pivoted, uniform, kmeans++");
  EXPECT_EQ(message("fourier:0"),
            "the count of a feature map must be a whole number from 1 to 16777216, not '0' in 'fourier:0'; "
            "e.g. fourier:1000");
  for (const char* text : {"sketch", "nystrom:", "nystrom:-3", "fourier:1.5", "fourier:12x",
                           "sketch:99999999", "nystrom::uniform", "fourier:99999999999999999999999"})
    EXPECT_EQ(message(text).find("the count of a feature map must be"), 0u) << text;
  for (const char* text : {"explicit:10", "fourier:10:uniform", "nystrom:10:uniform:3"})
    EXPECT_NE(message(text).find("says more than"), std::string::npos) << text;
}

}  // namespace
}  // namespace mercer

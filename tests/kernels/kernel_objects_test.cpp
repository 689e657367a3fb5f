#include "mercer/kernel_objects.hpp"

#include <gtest/gtest.h>

namespace mercer {
namespace {

std::string listed(const char* kernel) {
  std::string list;
  for (const auto& kept : objects_compared(Kernel::parse(kernel)))
    list += kept.column + ":" + std::string(name_of(kept.domain)) + " ";
  return list;
}

TEST(ObjectsCompared, AreThoseOfTheLeavesUnderTheirColumns) {
  EXPECT_EQ(listed("rbf(gamma=1) + linear@[a, b]"), "");
  EXPECT_EQ(listed("spectrum(k=3)"), ":sequence ");
  EXPECT_EQ(listed("0.5*normalize(spectrum(k=3))@dna + rbf(gamma=1)@[mass, logp]"), "dna:sequence ");
  EXPECT_EQ(listed("exp(spectrum(k=3)@a * spectrum(k=4)@b) + spectrum(k=5)@a"), "a:sequence b:sequence ");
}

TEST(ComparedColumns, NameEveryDomainThatALeafTakes) {
  std::string list;
  for (const auto& [column, domains] : compared_columns(
           Kernel::parse("wl(iterations=2)@g + normalize(set(rbf(gamma=1)))@bag + rbf(gamma=1)@x"))) {
    list += column + ":";
    for (const Domain domain : domains) list += " " + std::string(name_of(domain));
    list += "; ";
  }
  EXPECT_EQ(list, "g: graph molecule; bag: vectors graph; ");
  EXPECT_TRUE(compared_columns(Kernel::parse("linear + rbf(gamma=1)")).empty());
}

TEST(SetColumns, AreThoseOfJaccardAndIntersection) {
  EXPECT_EQ(
      set_columns(Kernel::parse("0.5*jaccard@tags + exp(intersection)@more + rbf(gamma=1)@x + jaccard@tags")),
      (std::vector<std::string>{"tags", "more"}));
  EXPECT_TRUE(set_columns(Kernel::parse("jaccard + linear@tags")).empty());
}

}  // namespace
}  // namespace mercer

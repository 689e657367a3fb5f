#include "kernels/terms.hpp"

#include <gtest/gtest.h>

#include "mercer/leaf.hpp"

namespace mercer {
namespace {

std::vector<std::string> terms(const std::string& text) {
  std::vector<std::string> all;
  for (const Kernel& term : terms_of(Kernel::parse(text))) all.push_back(term.text());
  return all;
}

using Texts = std::vector<std::string>;

TEST(Terms, OfASumAreItsParts) {
  EXPECT_EQ(terms("linear"), Texts{"linear"});
  EXPECT_EQ(terms("2*rbf(gamma=1)"), Texts{"2*rbf(gamma=1)"});
  EXPECT_EQ(terms("rbf(gamma=1) + 0.5*linear"), (Texts{"rbf(gamma=1)", "0.5*linear"}));
  EXPECT_EQ(terms("rbf(gamma=1) - linear").size(), 2u);
  EXPECT_EQ(terms("exp(linear + rbf(gamma=1))").size(), 1u);
  EXPECT_EQ(terms("linear*(linear + rbf(gamma=1))").size(), 1u);
}

TEST(Terms, AFactorGoesIntoTheSum) {
  EXPECT_EQ(terms("2*(rbf(gamma=1) + linear)"), (Texts{"2*rbf(gamma=1)", "2*linear"}));
  EXPECT_EQ(terms("2*(rbf(gamma=1) + 3*(linear + delta))"), (Texts{"2*rbf(gamma=1)", "6*linear", "6*delta"}));
  EXPECT_EQ(terms("2*(0.25*linear + delta)"), (Texts{"0.5*linear", "2*delta"}));
  EXPECT_EQ(terms("2*(3*linear)"), Texts{"6*linear"});
}

TEST(Terms, LeavesAreFoundAnywhere) {
  const auto linear = [](const Leaf& leaf) { return leaf.name() == "linear"; };
  EXPECT_TRUE(any_leaf(Kernel::parse("exp(2*rbf(gamma=1)*normalize(linear))"), linear));
  EXPECT_FALSE(any_leaf(Kernel::parse("exp(rbf(gamma=1))"), linear));
}

}  // namespace
}  // namespace mercer

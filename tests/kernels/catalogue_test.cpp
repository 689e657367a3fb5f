#include "kernels/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "mercer/kernels/linear.hpp"

namespace mercer {
namespace {

bool is_plain(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
  });
}

TEST(Catalogue, NamesEverythingOnceAndPlainly) {
  std::set<std::string_view> names;
  for (const auto& leaf : leaves())
    EXPECT_TRUE(is_plain(leaf->name()) && names.insert(leaf->name()).second) << leaf->name();
  for (const Combinator* rule : combinators())
    EXPECT_TRUE(is_plain(rule->name) && names.insert(rule->name).second) << rule->name;
}

TEST(Catalogue, HoldsTheKernelsOfTheLectures) {
  for (const std::string_view name : {"linear", "poly", "rbf", "laplace", "exponential", "quadratic_form",
                                      "constant", "delta", "intersection", "matern", "rational_quadratic",
                                      "chi2", "cosine", "sigmoid", "anova", "periodic", "jaccard", "bow"})
    EXPECT_NE(std::ranges::find(leaves(), name, &Leaf::name), leaves().end()) << name;
  for (const std::string_view name : {"exp", "polynomial", "normalize", "center", "weighted", "mapped",
                                      "scaled", "mkl", "set", "general_set", "mmd"})
    EXPECT_NE(std::ranges::find(combinators(), name, &Combinator::name), combinators().end()) << name;
}

TEST(EveryLeaf, IsDocumentedAndValidAtItsDefaults) {
  for (const auto& leaf : leaves()) {
    EXPECT_FALSE(leaf->formula().empty() || leaf->summary().empty()) << leaf->name();
    for (const auto& p : leaf->parameters()) EXPECT_FALSE(p.meaning.empty()) << leaf->name() << " " << p.name;
    if (leaf->name() == "quadratic_form") continue;  // has no default matrix
    const Kernel k = make_kernel(leaf);
    EXPECT_EQ(k.text().substr(0, leaf->name().size()), leaf->name());
    EXPECT_EQ(Kernel::parse(leaf->name()).text(), k.text());
  }
}

TEST(EveryLeaf, ThatClaimsADiagonalClaimsABoundToMatch) {
  for (const auto& leaf : leaves()) {
    const Properties p = leaf->properties();
    if (p.diagonal && p.psd) {
      EXPECT_EQ(p.bound, *p.diagonal) << leaf->name();
    }  // Cauchy–Schwarz
    if (p.radial) {
      EXPECT_TRUE(p.translation_invariant) << leaf->name();
    }
  }
}

TEST(EveryCombinator, IsDocumentedAndBuildsAKernelOfItsName) {
  for (const Combinator* rule : combinators()) {
    EXPECT_FALSE(rule->formula.empty() || rule->summary.empty()) << rule->name;
    Combinator::Arguments arguments;
    for (const auto& p : rule->parameters) {
      EXPECT_FALSE(p.meaning.empty()) << rule->name << " " << p.name;
      if (p.name == "coefficients") arguments.emplace_back(p.name, std::vector<double>{1, 2});
      if (p.name == "by" && rule->name == "scaled")
        arguments.emplace_back(p.name, std::vector<double>{0.5, 2});
      else if (p.name == "by")
        arguments.emplace_back(p.name, Word{rule->name == "mapped" ? "squares" : "norm"});
    }
    const std::vector<Kernel> kernels(rule->name == "general_set" ? 2 : 1, linear());
    const Kernel k = rule->build(kernels, arguments);
    EXPECT_EQ(k.text().find(std::string(rule->name) + "(linear"), 0u) << k.text();
    EXPECT_EQ(Kernel::parse(k.text()).text(), k.text());
  }
}

}  // namespace
}  // namespace mercer

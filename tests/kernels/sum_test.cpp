#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

TEST(Scaled, PrintsItsCoefficientExactly) {
  EXPECT_EQ((0.5 * linear()).text(), "0.5*linear");
  EXPECT_EQ((linear() * 3).text(), "3*linear");
  EXPECT_EQ(((0.1 + 0.2) * linear()).text(), "0.30000000000000004*linear");
  EXPECT_EQ((2 * (linear() + delta())).text(), "2*(linear + delta)");
  EXPECT_EQ((2 * (linear() * delta())).text(), "2*(linear*delta)");
  EXPECT_EQ((2 * (3 * linear())).text(), "2*(3*linear)");
}

TEST(Scaled, ByMinusOneNegatesWhatIsThere) {
  EXPECT_EQ((-1 * linear()).text(), "-1*linear");
  EXPECT_EQ((-1 * (2 * linear())).text(), "-2*linear");
  EXPECT_EQ((-1 * (-1 * linear())).text(), "1*linear");
  EXPECT_EQ((-1 * (linear() + delta())).text(), "-1*(linear + delta)");
}

TEST(Scaled, ScalesBoundAndDiagonal) {
  const Properties p = (-3 * rbf({.gamma = 1})).properties();
  EXPECT_EQ(p.bound, 3);
  EXPECT_EQ(p.diagonal, -3);
  EXPECT_TRUE(p.translation_invariant && p.radial);
  EXPECT_EQ((2 * linear()).properties().bound, INFINITY);
  EXPECT_EQ((0 * linear()).properties().bound, 0) << "0·∞ is 0 here: k is finite";
}

TEST(Scaled, IsValidUnlessNegative) {
  EXPECT_TRUE((2 * linear()).properties().psd);
  EXPECT_EQ((2 * linear()).prove().because,
            "a positive multiple of a valid kernel; linear is positive semidefinite");
  EXPECT_FALSE((-2 * linear()).properties().psd);
  EXPECT_EQ((-2 * linear()).prove().because, "-2*linear has a negative coefficient, which no rule allows");
  EXPECT_EQ((2 * sigmoid()).prove().because, "sigmoid is not positive semidefinite in general");
  EXPECT_TRUE((0 * linear()).prove().psd);
}

TEST(Scaled, HasOnePartThatCanBeReplaced) {
  const Kernel k = 2 * linear();
  ASSERT_EQ(k.parts().size(), 1u);
  EXPECT_EQ(k.node().with_parts({delta()}).text(), "2*delta");
}

TEST(Scaled, NeedsAFiniteCoefficient) {
  for (const double bad : {double(INFINITY), -double(INFINITY), double(NAN)})
    EXPECT_EQ(refusal(ErrorKind::usage, [&] { bad* linear(); }),
              "the coefficient of a kernel must be a finite number");
}

TEST(Sum, PrintsNegativeTermsAsDifferences) {
  const Kernel a = linear(), b = delta(), c = cosine();
  EXPECT_EQ((a + b + c).text(), "linear + delta + cosine");
  EXPECT_EQ((a - b).text(), "linear - delta");
  EXPECT_EQ((a - 2 * b).text(), "linear - 2*delta");
  EXPECT_EQ((a + -2 * b).text(), "linear - 2*delta");
  EXPECT_EQ((a - -2 * b).text(), "linear + 2*delta");
  EXPECT_EQ((a - (b - c)).text(), "linear - (delta - cosine)");
  EXPECT_EQ((a + (b + c)).text(), "linear + (delta + cosine)");
  EXPECT_EQ((a - b * c).text(), "linear - (delta*cosine)");
  EXPECT_EQ((-1 * a + b).text(), "-1*linear + delta");
}

TEST(Sum, AddsBoundsAndDiagonals) {
  const Properties p = (2 * rbf({.gamma = 1}) - 0.5 * delta()).properties();
  EXPECT_EQ(p.bound, 2.5);
  EXPECT_EQ(p.diagonal, 1.5);
  EXPECT_TRUE(p.translation_invariant && p.radial);
  const Properties mixed = (rbf({.gamma = 1}) + linear()).properties();
  EXPECT_TRUE(mixed.psd);
  EXPECT_FALSE(mixed.translation_invariant || mixed.radial || mixed.diagonal);
  EXPECT_EQ(mixed.bound, INFINITY);
  EXPECT_FALSE((rbf({.gamma = 1}) + manhattan()).properties().radial);
  EXPECT_TRUE((rbf({.gamma = 1}) + manhattan()).properties().translation_invariant);
}

TEST(Sum, IsValidWhereAllTermsAre) {
  EXPECT_EQ((linear() + delta()).prove().because, "a sum of valid kernels");
  EXPECT_EQ((linear() - delta()).prove().because,
            "-1*delta has a negative coefficient, which no rule allows");
  EXPECT_FALSE((linear() - delta()).properties().psd);
  EXPECT_EQ((linear() + sigmoid()).prove().because, "sigmoid is not positive semidefinite in general");
}

TEST(Sum, FlattensToTheLeftAlone) {
  EXPECT_EQ((linear() + delta() + cosine()).parts().size(), 3u);
  EXPECT_EQ((linear() + (delta() + cosine())).parts().size(), 2u);
  EXPECT_EQ((linear() - delta()).node().with_parts({cosine(), linear()}).text(), "cosine + linear");
}

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

TEST(Sum, KeepsTheOrderOfKernelsThatAreValidConditionally) {
  const auto order = [](const char* text) {
    const Properties p = Kernel::parse(text).properties();
    EXPECT_FALSE(p.psd) << text;
    return p.conditional_order;
  };
  EXPECT_EQ(order("distance"), 1);
  EXPECT_EQ(order("0.5*distance"), 1);
  EXPECT_EQ(order("distance + rbf(gamma=1)"), 1);
  EXPECT_EQ(order("distance + 2*multiquadric + linear"), 1);
  EXPECT_EQ(order("distance + thin_plate"), 2);
  EXPECT_EQ(order("scaled(thin_plate, by=[1, 2])"), 2) << "polynomials of Dx are polynomials of x";
  EXPECT_EQ(order("thin_plate@[1, 2]"), 2);
  EXPECT_EQ(order("mapped(distance, by=squares)"), 1);
  for (const char* text : {"-1*distance", "linear - distance", "distance + sigmoid", "sigmoid + distance",
                           "distance*rbf(gamma=1)", "distance^2", "mapped(thin_plate, by=squares)",
                           "weighted(distance, by=norm)", "normalize(distance)", "center(thin_plate)",
                           "exp(thin_plate)", "polynomial(distance, coefficients=[0, 1])"})
    EXPECT_EQ(order(text), 0) << text;
}

TEST(Schoenberg, CentresAndExponentialsOfConditionalKernelsAreValid) {
  EXPECT_EQ(center(distance()).prove().because,
            "a kernel that is conditionally positive semidefinite of order 1, centred (Schoenberg 1938)");
  EXPECT_EQ(
      exp(distance()).prove().because,
      "the exponential of a kernel that is conditionally positive semidefinite of order 1 (Schoenberg 1938)");
  const Properties p = Kernel::parse("exp(0.5*distance(beta=1.5) + 2*multiquadric(c=3))").properties();
  EXPECT_TRUE(p.psd && p.radial);
  EXPECT_EQ(p.conditional_order, 0);
  EXPECT_DOUBLE_EQ(p.bound, std::exp(-6.0));
  EXPECT_TRUE((center(distance()) + linear()).prove().psd);
}

}  // namespace
}  // namespace mercer

#include <gtest/gtest.h>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

TEST(Mapped, PrintsItsMapWithItsParameter) {
  EXPECT_EQ(mapped(linear(), "squares").text(), "mapped(linear, by=squares)");
  EXPECT_EQ(mapped(linear() + delta(), "powers").text(), "mapped(linear + delta, by=powers, degree=3)");
  EXPECT_EQ(Kernel::parse("mapped(linear, degree=7, by=powers)").text(),
            "mapped(linear, by=powers, degree=7)");
}

TEST(Mapped, KeepsBoundAndDiagonalButNotInvariance) {
  const Properties p = mapped(2 * rbf({.gamma = 1}), "squares").properties();
  EXPECT_TRUE(p.psd);
  EXPECT_EQ(p.bound, 2);
  EXPECT_EQ(p.diagonal, 2);
  EXPECT_FALSE(p.translation_invariant || p.radial);
}

TEST(Mapped, IsValidWhereItsKernelIs) {
  EXPECT_EQ(mapped(linear(), "unit").prove().because, "a valid kernel of mapped points");
  const Proof proof = mapped(sigmoid(), "unit").prove();
  EXPECT_FALSE(proof.psd);
  EXPECT_EQ(proof.because, "sigmoid is not positive semidefinite in general");
}

TEST(Mapped, HasOnePartThatCanBeReplaced) {
  const Kernel k = mapped(linear(), "squares");
  ASSERT_EQ(k.parts().size(), 1u);
  EXPECT_EQ(k.parts()[0].text(), "linear");
  EXPECT_EQ(k.node().with_parts({delta()}).text(), "mapped(delta, by=squares)");
}

TEST(Mapped, ShowsItsPartTheImages) {
  EXPECT_EQ(mapped(linear(), "squares").node().points_inside(Points({{2, 3}})).row(0),
            (std::vector<double>{4, 9}));
  EXPECT_EQ(on_columns(linear(), {"2"}).node().points_inside(Points({{2, 3}})).row(0),
            (std::vector<double>{3}));
  const auto sum = [](std::span<const double> x) { return std::vector{x[0] + x[1]}; };
  EXPECT_EQ(mapped(linear(), sum).node().points_inside(Points({{2, 3}})).row(0), (std::vector<double>{5}));
}

TEST(Mapped, RefusesAnUnknownMap) {
  const auto message = [](const std::string& by) {
    return refusal(ErrorKind::usage, [&] { mapped(linear(), by); });
  };
  EXPECT_EQ(message("power"), "unknown map 'power'; did you mean 'powers'?");
  EXPECT_TRUE(
      message("norm").starts_with("unknown map 'norm'; the maps are squares, powers, append_norm, unit, "))
      << "and kernels with features";
  EXPECT_EQ(message("rbf").substr(0, 18), "unknown map 'rbf';") << "it has no features";
}

TEST(Mapped, TakesTheFeaturesOfAnotherKernel) {
  EXPECT_EQ(mapped(chi2({.gamma = 2}), "histogram").text(),
            "mapped(chi2(gamma=2), by=\"histogram(levels=16, count=shares)\")");
  const Kernel k = Kernel::parse("mapped(linear, by=\"spectrum(k=2)\")");
  EXPECT_EQ(k.text(), "mapped(linear, by=\"spectrum(k=2, reverse_complement=no)\")");
  EXPECT_EQ(Kernel::parse(k.text()).text(), k.text());
  EXPECT_EQ(k.node().with_parts({delta()}).text(),
            "mapped(delta, by=\"spectrum(k=2, reverse_complement=no)\")");
  EXPECT_EQ(k.node().domains(), std::vector<Domain>{Domain::sequence});
  const std::vector<std::string> sequences{"ACAC", "CAAA"};
  const Points points(Objects("s", Domain::sequence, sequences));
  std::vector<double> values(4), wanted(4);
  KernelOperator<double>(k, points).tile({0, 2}, {0, 2}, values);
  KernelOperator<double>(spectrum({.k = 2}), points).tile({0, 2}, {0, 2}, wanted);
  EXPECT_EQ(values, wanted) << "linear of its features is the kernel itself";
}

TEST(Mapped, RefusesMoreThanOneKernelToTakeFeaturesOf) {
  const auto message = [](const char* text) {
    return refusal(ErrorKind::usage, [&] { Kernel::parse(text); });
  };
  EXPECT_TRUE(
      message("mapped(linear, by=\"histogram + histogram\")")
          .starts_with(
              "by=\"histogram + histogram\" is more than one kernel; name one, such as \"histogram\""));
  EXPECT_TRUE(
      message("mapped(linear, by=histogram, degree=2)")
          .starts_with(
              "by=histogram takes no parameter degree; parameters of a kernel stand with it, in quotes"));
  EXPECT_TRUE(message("mapped(linear, by=nothing, degree=2)").starts_with("unknown map 'nothing'; "));
  EXPECT_TRUE(message("mapped(linear, by=\"histogram(levels=0)\")")
                  .starts_with("histogram: levels must be a whole number from 1 to 256, not 0"));
}

TEST(OnColumns, PrintsItsColumnsSoThatTheyParse) {
  EXPECT_EQ(on_columns(linear(), {"mass"}).text(), "linear@mass");
  EXPECT_EQ(on_columns(linear(), {"3"}).text(), "linear@\"3\"");
  EXPECT_EQ(on_columns(linear(), {"a", "b c", "größe", "x\"\\"}).text(),
            R"(linear@[a, "b c", "größe", "x\"\\"])");
  EXPECT_EQ(on_columns(linear() + delta(), {"a"}).text(), "(linear + delta)@a");
  EXPECT_EQ(on_columns(2 * linear(), {"a"}).text(), "(2*linear)@a");
  EXPECT_EQ(on_columns(pow(linear(), 2), {"a"}).text(), "(linear^2)@a");
  EXPECT_EQ(pow(on_columns(linear(), {"a"}), 2).text(), "linear@a^2");
  EXPECT_EQ(on_columns(on_columns(linear(), {"a", "b"}), {"1"}).text(), "linear@[a, b]@\"1\"");
}

TEST(OnColumns, StaysInvariantButIsNotRadial) {
  const Properties p = on_columns(rbf({.gamma = 1}), {"1"}).properties();
  EXPECT_TRUE(p.psd && p.translation_invariant);
  EXPECT_FALSE(p.radial);
  EXPECT_EQ(p.bound, 1);
  EXPECT_EQ(p.diagonal, 1);
  EXPECT_EQ(on_columns(linear(), {"1"}).prove().because, "a valid kernel of mapped points");
}

TEST(OnColumns, KeepsItsColumnsWhenItsPartIsReplaced) {
  const Kernel k = on_columns(linear(), {"2"}).node().with_parts({delta()});
  EXPECT_EQ(k.text(), "delta@\"2\"");
  EXPECT_EQ(k.node().points_inside(Points({{2, 3}})).row(0), (std::vector<double>{3}));
}

TEST(OnColumns, NeedsAColumn) {
  EXPECT_EQ(refusal(ErrorKind::usage, [] { on_columns(linear(), {}); }), "name at least one column after @");
}

}  // namespace
}  // namespace mercer

#include "kernels/mkl.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "mercer/error.hpp"
#include "mercer/kernels.hpp"

namespace mercer {
namespace {

std::string fault(const std::string& text) {
  const std::string whole = refusal(ErrorKind::usage, [&] { Kernel::parse(text); });
  return whole.substr(0, whole.find('\n'));
}

TEST(Mkl, ReadsAnyNumberOfKernelsAndPrintsThem) {
  for (const char* text : {"mkl(linear)", "mkl(rbf(gamma=0.1), poly(degree=2, scale=1, offset=1), linear)",
                           "mkl(linear, delta, norm=2)", "mkl(0.5*linear + delta, linear@[a, b])",
                           "0.1*delta + mkl(linear, delta, norm=1.5)@x", "mkl(linear, delta)*rbf(gamma=1)"})
    EXPECT_EQ(Kernel::parse(text).text(), text);
  EXPECT_EQ(Kernel::parse(" mkl( linear ,2 , norm = 1 ) ").text(), "mkl(linear, constant(c=2))");
  EXPECT_EQ(mkl({linear(), delta()}, 2).text(), "mkl(linear, delta, norm=2)");
}

TEST(Mkl, SaysWhatIsWrong) {
  EXPECT_EQ(fault("mkl()"), "expected a kernel, a number or '(' here");
  EXPECT_EQ(fault("mkl"), "mkl needs a kernel: mkl(rbf(gamma=1))");
  EXPECT_EQ(fault("mkl(norm=2)"),
            "unknown kernel 'norm'; did you mean 'normalize'? (the catalogue of kernels lists all)");
  EXPECT_EQ(fault("mkl(linear, norm=0.5)"), "norm must be a number ≥ 1, not 0.5");
  EXPECT_EQ(fault("mkl(linear, norm=-1)"), "norm must be a number ≥ 1, not -1");
  EXPECT_EQ(fault("mkl(linear, norm=many)"), "norm must be a number ≥ 1, not many");
  EXPECT_EQ(fault("mkl(linear, nom=1)"), "mkl has no parameter 'nom'; did you mean 'norm'?");
  EXPECT_EQ(fault("mkl(linear, norm=1, delta)"), "mkl has no parameter 'delta'; it has norm");
  EXPECT_EQ(fault("mkl(linear, linear)"), "mkl has linear twice; nothing could tell their weights apart");
  EXPECT_EQ(fault("mkl(linear, 2*mkl(delta))"), "mkl stands inside mkl; put all kernels into one");
  EXPECT_EQ(fault("mkl(linear,"), "a kernel is missing at the end");
  EXPECT_EQ(fault("mkl(linear delta)"), "expected ',' or ')' here");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { mkl({}); }),
            "mkl needs a kernel, as in mkl(rbf(gamma=1), linear)");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { mkl({linear()}, INFINITY); }),
            "norm must be a number ≥ 1, not inf");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { mkl({linear()}, NAN); }), "norm must be a number ≥ 1, not nan");
  std::vector<Kernel> many;
  for (int i = 1; i <= 201; ++i) many.push_back(rbf({.gamma = double(i)}));
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { mkl(many); }), "mkl has 201 kernels; it takes at most 200");
  many.pop_back();
  EXPECT_EQ(mkl(many).parts().size(), 200u);
}

TEST(Mkl, IsValidWhereAllItsKernelsAre) {
  const Properties p = mkl({rbf({.gamma = 1}), delta()}).properties();
  EXPECT_TRUE(p.psd && p.radial && p.translation_invariant);
  EXPECT_EQ(p.bound, INFINITY) << "the weights are not known";
  EXPECT_FALSE(p.diagonal);
  EXPECT_FALSE(mkl({rbf({.gamma = 1}), linear()}).properties().radial);
  EXPECT_EQ(mkl({linear(), delta()}).prove().because, "a sum of valid kernels with weights ≥ 0");
  const Kernel indefinite = Kernel::parse("mkl(linear, sigmoid)");
  EXPECT_FALSE(indefinite.properties().psd);
  EXPECT_EQ(indefinite.prove().because, "sigmoid is not positive semidefinite in general");
}

TEST(Mkl, CannotBeResolvedWithoutATarget) {
  const Kernel k = Kernel::parse("delta + mkl(linear, rbf(gamma=1))");
  EXPECT_FALSE(k.resolved());
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [&] {
                      k.resolve(Points({{1.0, 2.0}, {3.0, 4.0}}));
                    }),
            "the weights of mkl(linear, rbf(gamma=1)) are learned from a target by a method that has one "
            "(mercer fit); elsewhere write a sum with "
            "weights of your own, such as 0.5*rbf(gamma=1) + 2*linear");
  EXPECT_TRUE(OpenWeights::find(k)->with(linear()).resolved());
}

TEST(OpenWeights, AreFoundWhereverTheKernelIsLinearInThem) {
  EXPECT_FALSE(OpenWeights::find(Kernel::parse("linear + delta")));
  struct Case {
    const char *text, *with, *added;
  };
  for (const auto& [text, with, added] : std::vector<Case>{
           {"mkl(linear, norm=3)", "cosine", "cosine"},
           {"mkl(linear) + 0.1*delta", "cosine + 0.1*delta", "cosine"},
           {"3*mkl(linear)*rbf(gamma=1) - delta", "3*cosine*rbf(gamma=1) - delta", "3*cosine*rbf(gamma=1)"},
           {"center(delta + mkl(linear)@[a, b])", "center(delta + cosine@[a, b])", "center(cosine@[a, b])"},
           {"weighted(mapped(scaled(mkl(linear), by=[1, 2]), by=unit), by=norm)",
            "weighted(mapped(scaled(cosine, by=[1, 2]), by=unit), by=norm)",
            "weighted(mapped(scaled(cosine, by=[1, 2]), by=unit), by=norm)"}}) {
    const auto open = OpenWeights::find(Kernel::parse(text));
    ASSERT_TRUE(open) << text;
    ASSERT_EQ(open->terms().size(), 1u);
    EXPECT_EQ(open->terms()[0].text(), "linear");
    EXPECT_EQ(open->with(cosine()).text(), with);
    EXPECT_EQ(open->added_by(cosine()).text(), added);
  }
  EXPECT_EQ(OpenWeights::find(Kernel::parse("mkl(linear, norm=3)"))->norm(), 3);
  for (const char* text :
       {"mkl(linear) + delta", "delta + mkl(linear)", "delta + mkl(linear) + rbf(gamma=1)"}) {
    const Kernel sum = OpenWeights::find(Kernel::parse(text))->with(2 * linear() + 3 * cosine());
    EXPECT_EQ(Kernel::parse(sum.text()).text(), sum.text()) << "no brackets that would be lost";
    EXPECT_EQ(sum.text().find('('), std::string(text).find("rbf") == std::string::npos
                                        ? std::string::npos
                                        : sum.text().find("rbf") + 3);
  }
}

TEST(OpenWeights, AreRefusedElsewhere) {
  for (const char* text : {"normalize(mkl(linear))", "exp(mkl(linear))", "mkl(linear)^2",
                           "polynomial(mkl(linear), coefficients=[1, 2])"})
    EXPECT_EQ(
        refusal(ErrorKind::usage, [&] { OpenWeights::find(Kernel::parse(std::string("delta + ") + text)); })
            .find(std::string(text) + " is not linear in the weights"),
        0u)
        << text;
  for (const char* text : {"mkl(linear) + mkl(delta)", "mkl(linear)*mkl(delta)"})
    EXPECT_EQ(refusal(ErrorKind::usage, [&] { OpenWeights::find(Kernel::parse(text)); }),
              std::string(text) + " has mkl more than once; put all kernels with weights to learn into one");
}

TEST(OpenWeights, ShowThePointsThatTheTermsSee) {
  const Points points({{1, 2, 3}, {4, 5, 6}});
  const auto open = OpenWeights::find(Kernel::parse("delta + scaled(mkl(linear), by=[10, 2])@[3, 1]"));
  const Points inside = open->points_inside(points);
  EXPECT_EQ(inside.row(0), (std::vector<double>{30, 2}));
  EXPECT_EQ(inside.row(1), (std::vector<double>{60, 8}));
}

}  // namespace
}  // namespace mercer

// Every number is found where it is printed, and another in its place makes the kernel that the new text
// says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "base/refusal.hpp"
#include "kernels/node.hpp"
#include "kernels/random_kernel.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernel_parameters.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

std::vector<double> values_of(const Kernel& k) {
  std::vector<double> values;
  for (const KernelParameter& parameter : numeric_parameters(k)) values.push_back(parameter.value);
  return values;
}

std::vector<std::string> names_of(const std::string& text) {
  std::vector<std::string> names;
  for (const KernelParameter& parameter : numeric_parameters(Kernel::parse(text)))
    names.push_back(parameter.name);
  return names;
}

std::string changed(const std::string& text, const std::vector<double>& values) {
  return with_parameters(Kernel::parse(text), values).text();
}

std::vector<double> matrix(const Kernel& k, const Points& points) {
  std::vector<double> K(points.rows() * points.rows());
  KernelOperator<double>(k, points, {.threads = 1}).matrix(K);
  return K;
}

double another(const KernelParameter& parameter) {
  return parameter.value == 0 ? 0.5 : 1.25 * parameter.value;
}

using Names = std::vector<std::string>;

TEST(NumericParameters, AreNamedByWhatTheyAreTheOnlyOnesOf) {
  EXPECT_EQ(names_of("linear"), Names{});
  EXPECT_EQ(names_of("rbf(gamma=2)"), Names{"gamma"});
  EXPECT_EQ(names_of("rbf(sigma=2)"), Names{"sigma"});
  EXPECT_EQ(names_of("0.5*poly(degree=2, scale=3, offset=4)"), (Names{"factor", "scale", "offset"}));
  EXPECT_EQ(names_of("rbf(gamma=1) + rbf(sigma=2)"), (Names{"gamma", "sigma"}));
  EXPECT_EQ(names_of("rbf(gamma=1) + rbf(gamma=2)"), (Names{"rbf[1].gamma", "rbf[2].gamma"}));
  EXPECT_EQ(names_of("rbf(gamma=1) + rbf(sigma=2) + exp(rbf(gamma=3))"),
            (Names{"rbf[1].gamma", "sigma", "rbf[3].gamma"}));
  EXPECT_EQ(names_of("matern(nu=2.5, length=1)*periodic(period=2, length=3)"),
            (Names{"matern.length", "period", "periodic.length"}));
  EXPECT_EQ(names_of("2*linear + 3*(4*delta)"), (Names{"factor[1]", "factor[2]", "factor[3]"}));
}

TEST(NumericParameters, AreOnlyThoseThatMayBeAnyNumber) {
  EXPECT_EQ(names_of("matern(nu=1.5, length=2)"), Names{"length"});
  EXPECT_EQ(names_of("anova(gamma=2, degree=3)"), Names{"gamma"});
  EXPECT_EQ(names_of("quadratic_form(A=[[2, 1], [1, 2]])"), Names{});
  EXPECT_EQ(names_of("polynomial(linear, coefficients=[1, 2])^3"), Names{});
  EXPECT_EQ(names_of("weighted(mapped(delta, by=powers), by=exp_norm, sigma=2)"), Names{});
}

TEST(NumericParameters, CarryTheirValuesAndIntervals) {
  const auto parameters = numeric_parameters(
      Kernel::parse("0.5*poly(degree=2, scale=3, offset=0) - 2*sigmoid(scale=1, offset=-4)"));
  ASSERT_EQ(parameters.size(), 6u);
  const auto is = [&](std::size_t i, double value, double low, bool open) {
    return parameters[i].value == value && parameters[i].interval.low == low &&
           parameters[i].interval.open == open;
  };
  EXPECT_TRUE(is(0, 0.5, 0, true));  // a factor above 0 stays there
  EXPECT_TRUE(is(1, 3, 0, true));
  EXPECT_TRUE(is(2, 0, 0, false));
  EXPECT_TRUE(is(3, -2, std::numeric_limits<double>::lowest(), false));
  EXPECT_EQ(parameters[5].value, -4);
}

TEST(WithParameters, PutsOtherNumbersInPlaceThroughEveryRule) {
  EXPECT_EQ(changed("rbf(gamma=2)", {3}), "rbf(gamma=3)");
  EXPECT_EQ(changed("rbf(sigma=2)", {3}), "rbf(sigma=3)");
  EXPECT_EQ(changed("1*rbf(gamma=2) + linear*(3*poly(degree=2, scale=4, offset=5))^2", {9, 8, 7, 6, 0}),
            "9*rbf(gamma=8) + linear*(7*poly(degree=2, scale=6, offset=0))^2");
  for (const char* rule :
       {"exp({})", "normalize({})", "center({})", "weighted({}, by=norm)",
        "weighted({}, by=exp_norm, sigma=2)", "mapped({}, by=squares)", "{}@x", "{}@[\"1\", y]",
        "polynomial({}, coefficients=[1, 2])", "{}^3", "linear + {}", "delta*{}"}) {
    std::string before = rule, after = rule;
    before.replace(before.find("{}"), 2, "rbf(gamma=1)");
    after.replace(after.find("{}"), 2, "rbf(gamma=7)");
    EXPECT_EQ(changed(before, {7}), Kernel::parse(after).text()) << rule;
  }
  // A difference has the factor −1.
  EXPECT_EQ(changed("linear - rbf(gamma=1)", {-2, 7}), "linear - 2*rbf(gamma=7)");
}

TEST(WithParameters, KeepsTheTreeWhereAFactorBecomesMinusOne) {
  const Kernel k = -0.5 * (2 * rbf({.gamma = 1}));
  const Kernel once = with_parameters(k, std::vector<double>{-1, 2, 1});
  EXPECT_EQ(values_of(once), (std::vector<double>{-1, 2, 1}));
  EXPECT_EQ(with_parameters(once, std::vector<double>{-3, 4, 5}).text(), "-3*(4*rbf(gamma=5))");
}

TEST(WithParameters, TheSameNumbersPrintTheSameText) {
  for (const Numbers numbers : {Numbers::tame, Numbers::wild}) {
    RandomKernel random(1, numbers);
    for (int i = 0; i < 500; ++i) {
      const Kernel k = random(i % 6);
      if (!k.resolved()) continue;
      EXPECT_EQ(with_parameters(k, values_of(k)).text(), k.text());
      std::set<std::string> names;
      for (const KernelParameter& parameter : numeric_parameters(k)) {
        EXPECT_TRUE(parameter.interval.contains(parameter.value)) << parameter.name;
        EXPECT_TRUE(names.insert(parameter.name).second) << parameter.name << " twice in " << k.text();
      }
    }
  }
}

TEST(WithParameters, EveryNumberOfEveryLeafMatters) {
  const Points points = as_points(random_rows(6, 2, 3, true));
  for (const AnyLeaf& standard : leaves()) {
    AnyLeaf leaf = standard;
    if (leaf->traits().statistic == Statistic::tile || leaf->name() == "quadratic_form" ||
        leaf->name() == "spectral_mixture" || !leaf->traits().domains.empty())
      continue;  // they have no such number
    const Kernel k = make_kernel(leaf).resolve(points);
    std::size_t continuous = 0;
    for (const Leaf::Parameter& p : k.node().leaf()->parameters())
      continuous += !p.integer && !p.word && p.name != "nu" && p.get(*k.node().leaf());
    const auto parameters = numeric_parameters(k);
    EXPECT_EQ(parameters.size(), continuous) << k.text();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      std::vector<double> values = values_of(k);
      values[i] = another(parameters[i]);
      const Kernel other = with_parameters(k, values);
      EXPECT_EQ(values_of(other), values);
      EXPECT_NE(matrix(other, points), matrix(k, points)) << k.text() << " " << parameters[i].name;
      EXPECT_EQ(matrix(other, points), matrix(Kernel::parse(other.text()), points)) << other.text();
    }
  }
}

TEST(WithParameters, AnotherNumberIsTheKernelOfTheNewText) {
  RandomKernel random(2, Numbers::tame);
  const Points points = as_points(random_rows(4, 2, 5, true));
  std::size_t compared = 0;
  for (int round = 0; round < 200; ++round) {
    const Kernel unresolved = random(round % 4);
    try {
      const Kernel k = unresolved.resolve(points);
      const auto parameters = numeric_parameters(k);
      if (parameters.empty()) continue;
      const std::size_t i = std::size_t(round) % parameters.size();
      std::vector<double> values = values_of(k);
      values[i] = another(parameters[i]);
      const Kernel other = with_parameters(k, values);
      EXPECT_EQ(values_of(Kernel::parse(other.text())), values) << other.text();
      const std::vector<double> K = matrix(other, points);
      if (!std::ranges::all_of(K, [](double entry) { return std::isfinite(entry); })) continue;
      EXPECT_EQ(K, matrix(Kernel::parse(other.text()), points)) << other.text();
      ++compared;
    } catch (const Error&) {  // a column that is not there, the root of a negative k(x, x)
    }
  }
  EXPECT_GT(compared, 60u);
}

TEST(WithParameters, RefusesWhatIsOutsideOrTooMany) {
  const auto refused = [](const std::string& text, const std::vector<double>& values) {
    return refusal(ErrorKind::usage, [&] { changed(text, values); });
  };
  EXPECT_EQ(refused("rbf(gamma=1) + rbf(gamma=2)", {1, 0}), "rbf[2].gamma must be > 0, not 0");
  EXPECT_EQ(refused("poly(degree=2)", {1, -1}), "offset must be ≥ 0, not -1");
  EXPECT_EQ(refused("2*linear", {-1}), "factor must be > 0 and finite, not -1");
  EXPECT_EQ(refused("-2*linear", {INFINITY}), "factor must be a finite number, not inf");
  EXPECT_EQ(refused("rbf(gamma=1)", {NAN}), "gamma must be > 0, not nan");
  EXPECT_EQ(refused("rbf(gamma=1)", {}), "rbf(gamma=1) takes 1 number, not 0");
  EXPECT_EQ(refused("linear", {1}), "linear takes 0 numbers, not 1");
  EXPECT_EQ(refused("2*rbf", {1, 2}),
            "2*rbf(gamma=scale) has words in the place of numbers; resolve it on points first");
}

}  // namespace
}  // namespace mercer

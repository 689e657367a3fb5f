#include "kernels/column_formula.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "base/random.hpp"
#include "mercer/kernel.hpp"

namespace mercer {
namespace {

Points table() {
  Dense<double> rows{300, 3, Buffer<double>(900)};
  Random random(7);
  for (double& value : rows.values) value = random.uniform(0.1, 2);
  return Points(std::move(rows), {"x", "net income", "z"});
}

TEST(ColumnFormulas, GiveWhatTheArithmeticOfCppGives) {
  const Points points = table();
  const struct {
    const char* text;
    double (*value)(double, double, double);
  } cases[] = {
      {"[x]", [](double x, double, double) { return x; }},
      {"[x + \"net income\" - z]", [](double x, double y, double z) { return x + y - z; }},
      {"[x - (z - 1)]", [](double x, double, double z) { return x - (z - 1); }},
      {"[-x^2]", [](double x, double, double) { return -(x * x); }},
      {"[2^x^z]", [](double x, double, double z) { return std::pow(2, std::pow(x, z)); }},
      {"[(2^x)^z]", [](double x, double, double z) { return std::pow(std::pow(2, x), z); }},
      {"[x/z/2]", [](double x, double, double z) { return x / z / 2; }},
      {"[x/(z/2)]", [](double x, double, double z) { return x / (z / 2); }},
      {"[x^-1*@3]", [](double x, double, double z) { return std::pow(x, -1) * z; }},
      {"[max(x, min(z, 1)) + abs(-x)]",
       [](double x, double, double z) { return std::max(x, std::min(z, 1.0)) + std::abs(-x); }},
      {"[exp(sin(x)) + log(z) - cos(x)*tanh(z) + sqrt(x)]",
       [](double x, double, double z) {
         return std::exp(std::sin(x)) + std::log(z) - std::cos(x) * std::tanh(z) + std::sqrt(x);
       }},
      {"[1.5e1 - x*-z]", [](double x, double, double z) { return 15 - x * -z; }},
  };
  for (const auto& one : cases) {
    const ColumnFormulas formulas = ColumnFormulas::parse(one.text);
    const std::vector<double> found = formulas.values(points), sparse = formulas.values(points.to_sparse()),
                              again = ColumnFormulas::parse(formulas.text()).values(points);
    EXPECT_EQ(ColumnFormulas::parse(formulas.text()).text(), formulas.text());
    for (std::size_t i = 0; i < points.rows(); ++i) {
      const std::vector<double> row = points.row(i);
      EXPECT_NEAR(found[i], one.value(row[0], row[1], row[2]), 1e-14) << one.text << " row " << i;
      EXPECT_EQ(found[i], sparse[i]) << one.text;
      EXPECT_EQ(found[i], again[i]) << one.text << " printed as " << formulas.text();
    }
  }
}

TEST(ColumnFormulas, OfAListAreColumnsWithTheirNames) {
  const Points points = table(), images = ColumnFormulas::parse("[x,x^2+z, 3]").apply(points);
  EXPECT_EQ(images.names(), (std::vector<std::string>{"x", "x^2 + z", "3"}));
  for (std::size_t i = 0; i < points.rows(); ++i) {
    const std::vector<double> row = points.row(i);
    EXPECT_EQ(images.row(i), (std::vector<double>{row[0], row[0] * row[0] + row[2], 3}));
  }
  EXPECT_EQ(ColumnFormulas::parse("[x]").apply(Points(Dense<double>{0, 3, {}}, points.names())).rows(), 0u);
}

TEST(ColumnFormulas, WithoutNamesColumnsAreX1AndSoOn) {
  const Points points(std::vector<std::vector<double>>{{1, 2}, {3, 4}});
  EXPECT_EQ(ColumnFormulas::parse("[x2*10 + x1]").values(points), (std::vector<double>{21, 43}));
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { ColumnFormulas::parse("[x3]").values(points); }),
            "no column 'x3' in the data; columns have no names: they are x1 to x2");
}

TEST(ColumnFormulas, FaultsNameThePlace) {
  const auto fault = [](const char* text) {
    return refusal(ErrorKind::usage, [&] { ColumnFormulas::parse(text); });
  };
  EXPECT_EQ(fault("[x y]"), "expected an operator, ',' or ']' before 'y]' in the formula");
  EXPECT_EQ(fault("[x +]"), "expected a name, a number or '(' before ']' in the formula");
  EXPECT_EQ(fault("[(x]"), "expected ')' before ']' in the formula");
  EXPECT_EQ(fault("[x"), "expected an operator, ',' or ']' at the end of the formula");
  EXPECT_EQ(fault("[max(x)]"), "max takes two numbers: expected ',' before ')]' in the formula");
  EXPECT_EQ(fault("[sine(x)]"), "no function 'sine' in formulas; did you mean 'sin'?");
  EXPECT_EQ(fault("[1e999]"), "expected a number of double precision before '1e999]' in the formula");
  EXPECT_NE(fault(("[" + std::string(5000, '(')).c_str()), "no error");
  EXPECT_NE(fault(("[" + std::string(5000, '-')).c_str()), "no error");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { ColumnFormulas::parse("[incme]").values(table()); }),
            "no column 'incme' in the data; columns are named, or numbered from 1 to 3");
}

TEST(ColumnFormulas, StandInExpressions) {
  for (const char* text : {"mapped(rbf(gamma=1), by=[x, x^2 + z])", "weighted(linear, by=[exp(-x^2)])",
                           "mapped(linear, by=[\"net income\"/2, max(x, z)])", "weighted(linear, by=x)"})
    EXPECT_EQ(Kernel::parse(text).text(), text);
  EXPECT_EQ(Kernel::parse("weighted(linear, by=exp(-x^2))").text(), "weighted(linear, by=[exp(-x^2)])");
  EXPECT_EQ(Kernel::parse("weighted(linear, by=x*z) + 1").text(),
            "weighted(linear, by=[x*z]) + constant(c=1)");
  EXPECT_EQ(mapped(Kernel::parse("linear"), "[x, z]").text(), "mapped(linear, by=[x, z])");
  EXPECT_NE(refusal(ErrorKind::usage, [] { Kernel::parse("weighted(linear, by=[x, z])"); })
                .find("by has 2 formulas; a weight is one number"),
            std::string::npos);
  EXPECT_NE(refusal(ErrorKind::usage, [] { Kernel::parse("mapped(linear, by=[x], degree=2)"); })
                .find("formulas over columns take no parameter degree"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer

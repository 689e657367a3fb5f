#include "base/arithmetic.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"

namespace mercer {
namespace {

double value_of(const std::string& text, double x) {
  std::vector<std::string> variables;
  return Arithmetic::parse(text, variables)
      .run<double>(
          [&](const Arithmetic::Step& step) {
            return step.operation == Arithmetic::Operation::number ? step.number : x;
          },
          [](Arithmetic::Operation operation, double& a) { a = applied(operation, a); },
          [](Arithmetic::Operation operation, double& a, double b) { a = applied(operation, a, b); });
}

TEST(Arithmetic, BindsAsMathematicsDoes) {
  const double x = 0.7;
  EXPECT_EQ(value_of("1 - 2 - 3", x), -4);
  EXPECT_EQ(value_of("1 - (2 - 3)", x), 2);
  EXPECT_EQ(value_of("2*3^2", x), 18);
  EXPECT_EQ(value_of("-2^2", x), -4);
  EXPECT_EQ(value_of("2^3^2", x), 512);
  EXPECT_EQ(value_of("8/4/2", x), 1);
  EXPECT_EQ(value_of("2^-1", x), 0.5);
  EXPECT_EQ(value_of("--x", x), x);
  EXPECT_EQ(value_of("min(1, max(x, 0.5))*abs(-2)", x), std::min(1.0, std::max(x, 0.5)) * 2);
  EXPECT_EQ(value_of("sin(x)+cos(x)+exp(x)+log(x)+sqrt(x)+tanh(x)", x),
            std::sin(x) + std::cos(x) + std::exp(x) + std::log(x) + std::sqrt(x) + std::tanh(x));
}

TEST(Arithmetic, PrintsWhatItReads) {
  for (const char* text :
       {"x", "x + y - 1", "x - (y - 1)", "-x^2", "(-x)^2", "(x + 1)*y", "x/(y*2)", "x/y*2", "2^x^y",
        "(2^x)^y", "max(x, \"net income\")", "-(x + y)", "x^-1", "x^(y + 1)", "-(-x)"}) {
    std::vector<std::string> variables, again;
    const Arithmetic once = Arithmetic::parse(text, variables);
    EXPECT_EQ(Arithmetic::parse(once.text, again).text, once.text) << text;
    EXPECT_EQ(variables, again);
    EXPECT_EQ(once.steps.size(), Arithmetic::parse(once.text, again).steps.size())
        << text << " " << once.text;
  }
}

TEST(Arithmetic, RefusesWhatFollows) {
  std::vector<std::string> variables;
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { Arithmetic::parse("x y", variables); }),
            "expected an operator before 'y' in the formula");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { Arithmetic::parse("", variables); }),
            "expected a name, a number or '(' at the end of the formula");
}

TEST(WordText, QuotesWhatIsNoWord) {
  EXPECT_EQ(word_text("x1"), "x1");
  EXPECT_EQ(word_text("1x"), "\"1x\"");
  EXPECT_EQ(word_text("a\"b\\"), "\"a\\\"b\\\\\"");
  EXPECT_EQ(word_text(""), "\"\"");
  EXPECT_EQ(shortest_digits(0.1), "0.1");
}

}  // namespace
}  // namespace mercer

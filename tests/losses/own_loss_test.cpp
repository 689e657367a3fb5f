// Losses of the user's: formulas over y and f, and functions.
#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"
#include "mercer/loss.hpp"

namespace mercer {
namespace {

struct Numbers {
  double value, first, root;  // root of the second derivative
};
Numbers at(const Loss& loss, double y, double f) {
  Numbers n{loss.value(y, {&f, 1}), 0, 0};
  double u = 0;
  loss.derivative(y, {&f, 1}, {&n.first, 1});
  loss.curvature(y, {&f, 1}, {&n.root, 1}, {&u, 1});
  EXPECT_EQ(u, 0);
  return n;
}

TEST(LossOfFormula, HasTheDerivativesOfTheFormula) {
  const char* formulas[] = {"(y - f)^2",
                            "log(exp(f - y) + exp(y - f))",
                            "exp(f) - y*f",
                            "sqrt(1 + (y - f)^2)",
                            "log(1 + exp(-y*f))",
                            "max(0, 1 - y*f)^2",
                            "abs(y - f)^3",
                            "1 - cos(f - y)",
                            "sin(f)*tanh(y*f)/(2 + f^2)",
                            "2^f + f^y",
                            "min(f, y)^2 - -f"};
  for (const char* formula : formulas) {
    const AnyLoss loss = loss_of_formula(formula);
    for (const double y : {-1.0, 0.5, 2.0})
      for (const double f : {0.3, 0.9, 1.7}) {
        const double h = 1e-4;
        const double low = loss->value(y, std::vector{f - h}), mid = loss->value(y, std::vector{f}),
                     high = loss->value(y, std::vector{f + h});
        const Numbers n = at(*loss, y, f);
        EXPECT_EQ(n.value, mid);
        EXPECT_NEAR(n.first, (high - low) / (2 * h), 1e-6 * (1 + std::abs(n.first)))
            << formula << " y " << y << " f " << f;
        const double second = (high - 2 * mid + low) / (h * h);
        EXPECT_NEAR(n.root * n.root, std::max(second, 0.0), 1e-5 * (1 + std::abs(second)))
            << formula << " y " << y << " f " << f;
      }
  }
}

TEST(LossOfFormula, OfTwoClassesSeesTheSecondAsOne) {
  const AnyLoss loss = loss_of_formula("exp(-2*y*f) + f", LossTarget::signs);  // not symmetric
  // A solver's y is −1 for the second class: L(1, f) is asked for as (−1, −f).
  const Numbers n = at(*loss, -1, -0.3);
  EXPECT_DOUBLE_EQ(n.value, std::exp(-0.6) + 0.3);
  EXPECT_DOUBLE_EQ(n.first, -(-2 * std::exp(-0.6) + 1));
}

TEST(LossOfFormula, RefusesWhatIsNoLoss) {
  EXPECT_EQ(refusal(ErrorKind::usage, [] { loss_of_formula("(y - g)^2"); }),
            "a loss is a formula over y and f, not 'g'");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { loss_of_formula("y^2"); }),
            "the loss y^2 does not depend on f; f is the prediction and y the target, as in (y - f)^2");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { loss_of_formula("(y - f"); }),
            "expected ')' at the end of the formula");
}

OwnLoss cosh_loss() {
  return {.name = "log_cosh",
          .value =
              [](auto y, auto f, auto out) {
                for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::log(std::cosh(f[i] - y[i]));
              },
          .derivative =
              [](auto y, auto f, auto out) {
                for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::tanh(f[i] - y[i]);
              }};
}

TEST(OwnLoss, FindsTheSecondDerivativeFromDifferences) {
  const AnyLoss loss = make_loss(cosh_loss()), formula = loss_of_formula("log(exp(f - y)/2 + exp(y - f)/2)");
  for (const double f : {-3.0, -0.2, 0.0, 1.5}) {
    const Numbers own = at(*loss, 0.4, f), exact = at(*formula, 0.4, f);
    EXPECT_NEAR(own.value, exact.value, 1e-14);
    EXPECT_NEAR(own.first, exact.first, 1e-14);
    EXPECT_NEAR(own.root, exact.root, 1e-8);
  }
  EXPECT_EQ(loss->name(), "log_cosh");
  EXPECT_FALSE(loss->conjugate(0, std::vector{0.1}));
}

TEST(OwnLoss, NeedsAValueAndADerivative) {
  OwnLoss without = cosh_loss();
  without.derivative = {};
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { make_loss(without); }),
            "log_cosh: a loss needs its value and its derivative");
  OwnLoss classes = cosh_loss();
  classes.target = LossTarget::classes;
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { make_loss(classes); }),
            "log_cosh: a loss of your own is of one number f; its target is real, counts or signs");
}

}  // namespace
}  // namespace mercer

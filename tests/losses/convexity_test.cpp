#include "losses/convexity.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/refusal.hpp"

namespace mercer {
namespace {

const std::vector<double> targets{-3, -1, 0, 0.5, 2, 7};
const std::vector<double> signs{1, -1};

TEST(Convexity, NothingIsFoundAgainstLossesOfTheCatalogue) {
  for (const AnyLoss& loss : losses()) {
    if (loss->target() == LossTarget::classes) continue;
    std::vector<double> y = loss->target() == LossTarget::signs ? signs : targets;
    if (loss->target() == LossTarget::counts) y = {0, 1, 5};
    EXPECT_FALSE(find_nonconvexity(*loss, y)) << loss->name();
    EXPECT_NO_THROW(check_derivative(*loss, y)) << loss->name();
  }
}

TEST(Convexity, ACounterexampleIsOne) {
  for (const char* formula :
       {"log(1 + (y - f)^2)", "1 - exp(-(y - f)^2)", "tanh((y - f)^2)", "1/(1 + exp(y*f))"}) {
    const AnyLoss loss = loss_of_formula(formula, std::string_view(formula).find("y*f") == std::string::npos
                                                      ? LossTarget::real
                                                      : LossTarget::signs);
    const auto found = find_nonconvexity(*loss, loss->target() == LossTarget::real ? targets : signs);
    ASSERT_TRUE(found) << formula;
    double y = 0, first = 0, left = 0, second = 0, right = 0;
    ASSERT_EQ(std::sscanf(found->c_str(), "at y = %lf its slope falls from %lf at f = %lf to %lf at f = %lf",
                          &y, &first, &left, &second, &right),
              5)
        << *found;
    EXPECT_LT(left, right);
    EXPECT_GT(first, second);
  }
}

TEST(Convexity, AWrongDerivativeIsRefusedWithThePlace) {
  const OwnLoss wrong{.name = "wrong",
                      .value = [](auto y, auto f, auto out) { out[0] = (f[0] - y[0]) * (f[0] - y[0]); },
                      .derivative = [](auto y, auto f, auto out) { out[0] = f[0] - y[0]; }};
  const std::string message =
      refusal(ErrorKind::usage, [&] { check_derivative(*make_loss(wrong), targets); });
  EXPECT_NE(message.find("wrong: the derivative is "), std::string::npos) << message;
  EXPECT_NE(message.find(" at y = -3, f = "), std::string::npos) << message;
  EXPECT_NE(message.find("but the value's differences give "), std::string::npos) << message;
}

TEST(Convexity, ALossWithoutAValueIsRefusedWithThePlace) {
  const std::string message =
      refusal(ErrorKind::data, [&] { check_derivative(*loss_of_formula("log(f - y)"), targets); });
  EXPECT_NE(message.find("the loss or its derivative is not finite at y = -3, f = "), std::string::npos)
      << message;
}

}  // namespace
}  // namespace mercer

#include "mercer/loss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "mercer/error.hpp"

namespace mercer {
namespace {

std::string refusal(ErrorKind kind, const auto& action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), kind) << error.what();
    return error.what();
  }
  return "nothing refused";
}

TEST(LossNamed, SuggestsForAnUnknownName) {
  const auto message = [](const char* name) { return refusal(ErrorKind::usage, [&] { loss_named(name); }); };
  EXPECT_EQ(message("hubber"), "unknown loss 'hubber'; did you mean 'huber'?");
  EXPECT_EQ(message("zzz"),
            "unknown loss 'zzz'; choose from squared, absolute, huber, pinball, epsilon_insensitive, "
            "poisson, hinge, squared_hinge, "
            "logistic, exponential, multinomial");
  EXPECT_EQ(message("").substr(0, 30), "unknown loss ''; choose from s");
}

TEST(LossParameters, AreReadAndSetInACopy) {
  AnyLoss huber = loss_named("huber");
  const double f = 5;
  EXPECT_EQ(huber->get("delta"), 1);
  EXPECT_EQ(huber->value(0, {&f, 1}), 4.5);
  huber->set("delta", 2);
  EXPECT_EQ(huber->get("delta"), 2);
  EXPECT_EQ(huber->value(0, {&f, 1}), 8);
  EXPECT_EQ(loss_named("huber")->get("delta"), 1);
  AnyLoss other = loss_named("hinge");
  other = huber;
  huber->set("delta", 3);
  EXPECT_EQ(other->get("delta"), 2);
  EXPECT_EQ(AnyLoss(*huber)->get("delta"), 3);
}

TEST(LossParameters, RefuseWhatLiesOutside) {
  const auto message = [](const char* name, const char* parameter, double value) {
    AnyLoss loss = loss_named(name);
    return refusal(ErrorKind::usage, [&] { loss->set(parameter, value); });
  };
  EXPECT_EQ(message("huber", "delta", 0), "huber: delta must be > 0, not 0");
  EXPECT_EQ(message("huber", "delta", std::nan("")), "huber: delta must be > 0, not nan");
  EXPECT_EQ(message("huber", "delta", std::numeric_limits<double>::infinity()),
            "huber: delta must be > 0, not inf");
  EXPECT_EQ(message("epsilon_insensitive", "epsilon", -0.5),
            "epsilon_insensitive: epsilon must be ≥ 0, not -0.5");
  EXPECT_EQ(message("epsilon_insensitive", "epsilon", 0), "nothing refused");
  EXPECT_EQ(message("pinball", "tau", 0), "pinball: tau must be > 0 and < 1, not 0");
  EXPECT_EQ(message("pinball", "tau", 1), "pinball: tau must be > 0 and < 1, not 1");
  EXPECT_EQ(message("pinball", "tua", 0.5), "pinball has no parameter 'tua'; did you mean 'tau'?");
  EXPECT_EQ(message("hinge", "delta", 1), "hinge has no parameter 'delta'; it has none");
  EXPECT_EQ(refusal(ErrorKind::usage, [] { loss_named("huber")->get("x"); }),
            "huber has no parameter 'x'; choose from delta");
}

TEST(CheckTargets, NamesTheFirstBadRow) {
  const auto message = [](const char* name, std::vector<double> y, std::optional<std::size_t> classes = {}) {
    return refusal(ErrorKind::data, [&] { check_targets(*loss_named(name), y, classes); });
  };
  EXPECT_EQ(message("poisson", {0, 2.5, -2, -3}),
            "poisson: row 3 has the target -2; it must be a count, ≥ 0");
  EXPECT_EQ(message("logistic", {1, 3, -1}), "logistic: row 2 has the target 3; it must be -1 or 1");
  EXPECT_EQ(message("huber", {std::nan("")}), "huber: row 1 has the target nan; it must be a finite number");
  EXPECT_EQ(message("poisson", {INFINITY}), "poisson: row 1 has the target inf; it must be a count, ≥ 0");
  EXPECT_EQ(message("multinomial", {0, 1.5}),
            "multinomial: row 2 has the target 1.5; it must be the number of a class: 0, 1, …");
  EXPECT_EQ(message("multinomial", {0, -1}),
            "multinomial: row 2 has the target -1; it must be the number of a class: 0, 1, …");
  EXPECT_EQ(message("multinomial", {1e10}),
            "multinomial: row 1 has the target 1e+10; it must be the number of a class: 0, 1, …");
  EXPECT_EQ(message("multinomial", {0, 3}, 3),
            "multinomial: row 2 has the target 3; it must be the number of one of 3 classes, from 0");
  EXPECT_EQ(message("multinomial", {std::nan("")}, 3).substr(0, 37), "multinomial: row 1 has the target nan");
}

TEST(CheckTargets, AcceptsWhatFits) {
  for (const AnyLoss& loss : losses()) {
    EXPECT_NO_THROW(check_targets(*loss, {}));
    EXPECT_NO_THROW(check_targets(*loss, std::vector<double>{1, 1}, 2));
  }
  EXPECT_NO_THROW(check_targets(*loss_named("squared"), std::vector<double>{-1e300, 0, 0.5}));
  EXPECT_NO_THROW(check_targets(*loss_named("multinomial"), std::vector<double>{0, 1, 2}, 3));
  EXPECT_NO_THROW(check_targets(*loss_named("multinomial"), std::vector<double>{0, 70000}));
}

TEST(LossTargets, HaveNamesAndRanges) {
  EXPECT_EQ(target_name(LossTarget::real), "real");
  EXPECT_EQ(target_name(LossTarget::counts), "counts");
  EXPECT_EQ(target_name(LossTarget::signs), "signs");
  EXPECT_EQ(target_name(LossTarget::classes), "classes");
  EXPECT_EQ(target_range(LossTarget::signs), "-1 or 1");
}

}  // namespace
}  // namespace mercer

// One entry for every loss: what other methods are, and what it refuses.
#include "methods/risks.hpp"

namespace mercer {
namespace {

using testing::blobs;
using testing::tight;
using testing::wave;

const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");

void expect_same_scores(const AnyMethod& one, const AnyMethod& other, const Dataset& data, double tolerance,
                        double difference) {
  const Model a = fit(one, kernel, data, tight(tolerance)), b = fit(other, kernel, data, tight(tolerance));
  EXPECT_TRUE(a.fitted.report.converged && b.fitted.report.converged) << other->name();
  testing::expect_near(a.predict(data.points).scores, b.predict(data.points).scores, difference,
                       std::string(other->name()));
  EXPECT_EQ(a.predict(data.points).codes, b.predict(data.points).codes);
}

TEST(Rerm, OfTheHingeIsASupportVectorMachine) {
  for (const double lambda : {0.1, 0.003})
    expect_same_scores(Rerm{.loss = "hinge", .lambda = lambda}, Svm{.lambda = lambda}, blobs(40, 2, 1, 1.5),
                       1e-6, 1e-3);
}

TEST(Rerm, TakesZeroForTheNumberOfALossWhereItMayBe) {
  expect_same_scores(Rerm{.loss = "epsilon_insensitive", .lambda = 0.01, .shape = 0.0},
                     Rerm{.loss = "absolute", .lambda = 0.01}, wave(30, 2), 1e-6, 1e-3);
  EXPECT_NE(refusal(ErrorKind::usage, [] { fit(Rerm{.loss = "huber", .shape = 0.0}, kernel, wave(10, 2)); }),
            "no error");
}

TEST(Rerm, OfSquaresIsRidgeRegression) {
  for (const Bias bias : {Bias::free, Bias::none})
    expect_same_scores(Rerm{.lambda = 0.01, .bias = bias}, Ridge{.lambda = 0.01, .bias = bias}, wave(40, 2),
                       1e-9, 1e-6);
}

TEST(Rerm, OfOtherLossesIsTheMethodOfThatName) {
  for (const Bias bias : {Bias::free, Bias::none}) {
    expect_same_scores(Rerm{.loss = "logistic", .lambda = 0.01, .bias = bias},
                       Logistic{.lambda = 0.01, .bias = bias}, blobs(40, 2, 3, 1.5), 1e-8, 1e-7);
    expect_same_scores(Rerm{.loss = "multinomial", .lambda = 0.01, .bias = bias},
                       Logistic{.lambda = 0.01, .bias = bias}, blobs(40, 3, 3, 1.5), 1e-8, 1e-7);
    expect_same_scores(Rerm{.loss = "huber", .lambda = 0.01, .shape = 0.3, .bias = bias},
                       Huber{.lambda = 0.01, .delta = 0.3, .bias = bias}, wave(40, 4), 1e-8, 1e-7);
    expect_same_scores(Rerm{.loss = "poisson", .lambda = 0.01, .bias = bias},
                       Poisson{.lambda = 0.01, .bias = bias}, testing::counts(40, 5), 1e-7, 1e-7);
  }
  expect_same_scores(Rerm{.loss = "pinball", .lambda = 0.01, .shape = 0.3},
                     Quantile{.tau = 0.3, .lambda = 0.01}, wave(40, 6), 1e-6, 1e-4);
}

// (1/n)·ΣL + λ‖f‖² = 2λ·(½‖f‖² + C·ΣL) with C = 1/(2nλ).
TEST(Rerm, OfTheTubeIsSupportVectorRegression) {
  const double lambda = 0.02;
  expect_same_scores(Rerm{.loss = "epsilon_insensitive", .lambda = lambda, .shape = 0.2},
                     Svr{.C = 1 / (2 * 40 * lambda), .epsilon = 0.2}, wave(40, 7), 1e-6, 1e-3);
}

// |y − f| is twice the pinball of one half.
TEST(Rerm, OfAbsoluteErrorsIsTheMedian) {
  expect_same_scores(Rerm{.loss = "absolute", .lambda = 0.02}, Quantile{.tau = 0.5, .lambda = 0.01},
                     wave(40, 8), 1e-6, 1e-3);
}

TEST(Rerm, SaysTheProbabilitiesThatTheLossHas) {
  const Dataset data = blobs(20, 2, 1);
  EXPECT_EQ(fit(Rerm{.loss = "logistic"}, kernel, data).predict(data.points).probabilities.size(), 40u);
  EXPECT_TRUE(fit(Rerm{.loss = "hinge"}, kernel, data).predict(data.points).probabilities.empty());
  EXPECT_EQ(fit(Rerm{.loss = "poisson"}, kernel, testing::counts(20, 1)).fitted.rule, Rule::rate);
}

TEST(Rerm, RefusesWhatMakesNoSense) {
  const Dataset two = blobs(12, 2, 1), real = wave(12, 1);
  const auto message = [&](const Rerm& method, const Dataset& data, const FitOptions& options = {}) {
    return refusal(ErrorKind::usage, [&] { fit(method, kernel, data, options); });
  };
  EXPECT_EQ(message(Rerm{.shape = 1}, real), "rerm: squared has no number of its own; leave shape out");
  EXPECT_EQ(message(Rerm{.loss = "pinball", .shape = 2}, real), "pinball: tau must be > 0 and < 1, not 2");
  EXPECT_EQ(message(Rerm{.loss = "hinge", .bias = Bias::none}, two),
            "hinge is solved in its dual, where the constant is free; set bias=free");
  EXPECT_NE(message(Rerm{.loss = "logistics"}, two)
                .find("rerm: loss cannot be 'logistics'; did you mean 'logistic'"),
            std::string::npos);
  EXPECT_EQ(message(Rerm{.lambda = 0}, real), "rerm: lambda must be > 0, not 0");
  EXPECT_EQ(message(Rerm{.loss = "hinge"}, two, {.solver = "cg"}),
            "hinge has kinks and is solved in its dual; leave the choice of the solver open");
  EXPECT_EQ(message(Rerm{.loss = "logistic"}, two, {.solver = "dual"}), "no error");  // over K
  EXPECT_EQ(message(Rerm{.loss = "hinge"}, two, {.solver = "dual"}), "no error");
  EXPECT_EQ(message(Rerm{}, real, {.solver = "qp"}),
            "rerm: there is no solver 'qp'; choose from auto, newton, gradient, cholesky, cg, primal, dual");
  EXPECT_NE(refusal(ErrorKind::usage, [&] { fit(Rerm{}, Kernel::parse("sigmoid"), real); })
                .find("not proved positive semidefinite"),
            std::string::npos);
}

// --- Losses and regularisers of one's own.

TEST(Rerm, OfAFormulaIsTheLossThatItIs) {
  expect_same_scores(Rerm{.loss = "(y - f)^2", .lambda = 0.01}, Rerm{.loss = "squared", .lambda = 0.01},
                     wave(40, 2), 1e-9, 1e-6);
  expect_same_scores(Rerm{.loss = "log(1 + exp(-y*f))", .lambda = 0.01},
                     Rerm{.loss = "logistic", .lambda = 0.01}, blobs(40, 2, 3, 1.5), 1e-8, 1e-6);
  expect_same_scores(Rerm{.loss = "exp(f) - y*f", .lambda = 0.01}, Rerm{.loss = "poisson", .lambda = 0.01},
                     testing::counts(40, 5), 1e-7, 1e-5);
}

TEST(Rerm, OfFunctionsIsTheLossThatTheyAre) {
  const OwnLoss own{.name = "mine",
                    .value =
                        [](auto y, auto f, auto out) {
                          for (std::size_t i = 0; i < out.size(); ++i) out[i] = (y[i] - f[i]) * (y[i] - f[i]);
                        },
                    .derivative =
                        [](auto y, auto f, auto out) {
                          for (std::size_t i = 0; i < out.size(); ++i) out[i] = 2 * (f[i] - y[i]);
                        },
                    .conjugate =
                        [](auto y, auto a, auto out) {
                          for (std::size_t i = 0; i < out.size(); ++i) out[i] = a[i] * y[i] + a[i] * a[i] / 4;
                        }};
  const Dataset data = wave(40, 2);
  expect_same_scores(Rerm{.loss = "user:mine", .lambda = 0.01, .own_loss = make_loss(own)},
                     Rerm{.loss = "squared", .lambda = 0.01}, data, 1e-9, 1e-6);
  const Model model =
      fit(Rerm{.loss = "user:mine", .lambda = 0.01, .own_loss = make_loss(own)}, kernel, data, tight(1e-9));
  EXPECT_LT(model.fitted.report.gap, 1e-9);
  EXPECT_EQ(Model::from_bytes(model.bytes()).predict(data.points).values, model.predict(data.points).values);
  EXPECT_EQ(
      refusal(ErrorKind::usage, [&] { fit(Rerm{.loss = "user:mine"}, kernel, data); }),
      "rerm: the loss 'mine' is not known here: texts and files hold its name alone; give the function where "
      "the expression or the model is read");
}

TEST(Rerm, OfALossThatIsNotConvexIsRefusedUnlessAllowed) {
  const Dataset data = wave(40, 2);
  const Rerm cauchy{.loss = "log(1 + (y - f)^2)", .lambda = 0.01};
  const std::string message = refusal(ErrorKind::usage, [&] { fit(cauchy, kernel, data); });
  EXPECT_NE(message.find("the loss is not convex: at y = "), std::string::npos) << message;
  FitOptions options = tight(1e-6);
  options.allow_nonconvex = true;
  const Model model = fit(cauchy, kernel, data, options);
  EXPECT_TRUE(model.fitted.report.converged);
  ASSERT_FALSE(model.fitted.report.warnings.empty());
  EXPECT_NE(model.fitted.report.warnings.front().text.find("a local minimum at best"), std::string::npos);
}

TEST(Rerm, WithItsOwnOmegaIsTheOneThatItIs) {
  const Dataset data = wave(40, 2);
  const Regularizer fourth{[](double t) { return t * t; }, [](double t) { return 2 * t; }};
  expect_same_scores(Rerm{.lambda = 0.01, .omega = Rerm::Omega::user, .own_omega = fourth},
                     Rerm{.lambda = 0.01, .omega = Rerm::Omega::fourth}, data, 1e-8, 1e-6);
  const Regularizer falling{[](double t) { return -t; }, [](double) { return -1.0; }};
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [&] { fit(Rerm{.omega = Rerm::Omega::user, .own_omega = falling}, kernel, data); }),
            "rerm: Ω must increase strictly, but its derivative is -1 at t = 1e-06");
  const Regularizer wrong{[](double t) { return t; }, [](double) { return 2.0; }};
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [&] { fit(Rerm{.omega = Rerm::Omega::user, .own_omega = wrong}, kernel, data); }),
            "rerm: the derivative of Ω is 2 at t = 1e-06, but the value's differences give 1");
  EXPECT_NE(refusal(ErrorKind::usage, [&] { fit(Rerm{.omega = Rerm::Omega::user}, kernel, data); }),
            "no error");
}

TEST(Rerm, RefusesTextsThatAreNoLoss) {
  const auto set = [](const char* text) {
    return refusal(ErrorKind::usage, [&] {
      AnyMethod method = Rerm{};
      method->set("loss", Word{text});
    });
  };
  EXPECT_EQ(set("hing"), "rerm: loss cannot be 'hing'; did you mean 'hinge'?");
  EXPECT_EQ(set("(y - g)^2"), "rerm: a loss is a formula over y and f, not 'g'");
  EXPECT_EQ(set("(y - f)^2"), "no error");
}

}  // namespace
}  // namespace mercer

// Each rule on outputs that are known: the expansion is linear over one coordinate.
#include "model/models.hpp"

namespace mercer {
namespace {

Model model_of(Rule rule, const std::vector<double>& slopes, std::vector<double> rho,
               std::vector<std::string> labels) {
  Model model{
      .method = method_named("svr"),
      .fitted = {.expansion = {.kernel = Kernel::parse("linear")}, .rule = rule, .rho = std::move(rho)}};
  Expansion& e = model.fitted.expansion;
  e.points = Points(std::vector<std::vector<double>>{{1}});
  e.blocks = {1};
  if (rule == Rule::one_vs_one) e.blocks.resize(labels.size(), 0);  // a block per class
  e.width = slopes.size();
  e.coefficients = slopes;
  model.labels = std::move(labels);
  model.columns = 1;
  return model;
}
const Points places(std::vector<std::vector<double>>{{2}, {-1}});

TEST(Prediction, OfNumbersIsTheScores) {
  const Predictions p = model_of(Rule::value, {1, 3}, {0.5, 0}, {}).predict(places);
  EXPECT_EQ(p.values, (std::vector<double>{1.5, 6, -1.5, -3}));
  EXPECT_EQ(p.outputs, 2u);
  EXPECT_EQ(p.scores, p.values);
  EXPECT_EQ(model_of(Rule::projection, {1, 3}, {0.5, 0}, {}).predict(places).values, p.values);
}

TEST(Prediction, OfARateIsTheExponential) {
  const Predictions p = model_of(Rule::rate, {1}, {0}, {}).predict(places);
  EXPECT_EQ(p.values, (std::vector<double>{std::exp(2), std::exp(-1)}));
}

TEST(Prediction, OfTwoClassesIsTheSignOfOneScore) {
  const Predictions p = model_of(Rule::one_vs_rest, {1}, {0}, {"a", "b"}).predict(places);
  EXPECT_EQ(p.codes, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(p.scores, (std::vector<double>{-2, 1})) << "positive for the second class";
  EXPECT_TRUE(p.probabilities.empty());
  const Predictions pairs = model_of(Rule::one_vs_one, {1}, {-0.5}, {"a", "b"}).predict(places);
  EXPECT_EQ(pairs.codes, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(pairs.scores, (std::vector<double>{-2.5, 0.5}));
  const Predictions zero = model_of(Rule::one_vs_rest, {0}, {0}, {"a", "b"}).predict(places);
  EXPECT_EQ(zero.codes, (std::vector<std::int32_t>{1, 1}));
  EXPECT_FALSE(std::signbit(zero.scores[0]));
}

TEST(Prediction, OfOneClusterIsThatOne) {
  EXPECT_EQ(model_of(Rule::one_vs_rest, {1}, {0}, {"1"}).predict(places).codes,
            (std::vector<std::int32_t>{0, 0}));
}

TEST(Prediction, OfTwoCalibratedClassesKeepsTheSigmoidOfTheFile) {
  for (const Rule rule : {Rule::one_vs_one, Rule::one_vs_rest}) {
    Model model = model_of(rule, {1}, {0}, {"a", "b"});
    model.fitted.slopes = {-1.5}, model.fitted.offsets = {0.25};
    const Predictions p = model.predict(places);
    EXPECT_NEAR(p.probabilities[0], 1 / (1 + std::exp(-1.5 * 2 + 0.25)), 1e-15);
    EXPECT_NEAR(p.probabilities[2], 1 / (1 + std::exp(1.5 + 0.25)), 1e-15);
    EXPECT_EQ(p.codes, (std::vector<std::int32_t>{0, 1}));
    EXPECT_EQ(p.scores, (std::vector<double>{-2, 1}));
  }
}

TEST(Prediction, OfThreeClassesHasAScorePerPairPositiveForItsFirst) {
  const Model model = model_of(Rule::one_vs_one, {1, 1}, {0, 0, 0}, {"a", "b", "c"});
  EXPECT_EQ(model.predict(places).scores, (std::vector<double>{2, 2, 0, -1, -1, 0}));
}

TEST(Prediction, OfLogarithmsOfOddsHasProbabilities) {
  const Predictions two = model_of(Rule::softmax, {1}, {0}, {"a", "b"}).predict(places);
  EXPECT_NEAR(two.probabilities[0], 1 / (1 + std::exp(-2)), 1e-15);
  EXPECT_NEAR(two.probabilities[1], 1 / (1 + std::exp(2)), 1e-15);
  EXPECT_NEAR(two.probabilities[2], 1 / (1 + std::exp(1)), 1e-15);
  const Predictions three = model_of(Rule::softmax, {1, 0, 1000}, {0, 0, 0}, {"a", "b", "c"}).predict(places);
  EXPECT_EQ(three.codes, (std::vector<std::int32_t>{2, 1}));
  EXPECT_EQ(three.probabilities[2], 1);
  EXPECT_NEAR(three.probabilities[3], std::exp(-1) / (1 + std::exp(-1)), 1e-15);
}

TEST(Prediction, OfSharesIsTheLargest) {
  const Predictions p = model_of(Rule::shares, {0.1, 0.4}, {0, 0}, {"a", "b"}).predict(places);
  EXPECT_EQ(p.codes, (std::vector<std::int32_t>{1, 0}));
  EXPECT_EQ(p.probabilities, p.scores);
}

TEST(Prediction, HasVariancesOfAGaussianProcessOnly) {
  Model model = model_of(Rule::value, {1}, {0}, {});
  EXPECT_EQ(testing::refusal([&] { (void)model.variances(places); }),
            "a model of svr has no variances; gp has");
  model.fitted.precision = {0.25};  // k(x, x) − k(x)·P·k(x) = x² − x²/4
  EXPECT_EQ(model.variances(places), (std::vector<double>{3, 0.75}));
  model.fitted.precision.clear();
  model.fitted.factor = {2};  // P = 1/4 again
  EXPECT_EQ(model.variances(places), (std::vector<double>{3, 0.75}));
}

TEST(Prediction, IsANumberOrARefusalThatNamesTheRow) {
  const Points far(std::vector<std::vector<double>>{{2}, {1e10}});
  EXPECT_NE(testing::refusal([&] {
              (void)model_of(Rule::value, {1e300}, {0}, {}).predict(far);
            }).find("score of row 2 is infinite"),
            std::string::npos);
  EXPECT_NE(testing::refusal([&] {
              (void)model_of(Rule::rate, {1}, {0}, {}).predict(far);
            }).find("prediction of row 2 is infinite"),
            std::string::npos);
  Model gp = model_of(Rule::value, {1}, {0}, {});
  gp.fitted.precision = {-1e300};
  EXPECT_NE(testing::refusal([&] { (void)gp.variances(far); }).find("variance of row 2"), std::string::npos);
}

}  // namespace
}  // namespace mercer

#include "mercer/methods/multi_gp.hpp"

#include "elimination.hpp"
#include "message_of.hpp"
#include "methods/problems.hpp"

namespace mercer {
namespace {

// Two outputs that are nearly the same function, in other units, and a third of its own.
Dataset correlated(std::size_t n, bool gaps) {
  Dataset data = testing::wave(n, 3, 0);
  Random random(9);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    const auto x = data.points.row(i);
    const double f = data.target.values[i];
    values.push_back(f + 0.05 * random.normal());
    values.push_back(-200 * f + 1000 + 10 * random.normal());
    values.push_back(std::cos(3 * x[1]) + 0.05 * random.normal());
    if (gaps && i >= n / 4) values[i * 3 + 1] = std::nan("");
  }
  data.target.values = values;
  data.target.outputs = 3;
  data.target.name = "a,b,c";
  return data;
}

TEST(MultiGp, PredictsWhatItsOwnCovarianceSays) {
  for (const bool gaps : {false, true}) {
    Dataset data = correlated(40, gaps);
    Random random(2);
    for (std::size_t i = 0; i < 40; ++i) data.weights.push_back(i == 5 ? 0 : random.uniform(0.5, 2));
    const Model model = fit(MultiGp{}, Kernel::parse("rbf(gamma=0.5)"), data);
    const std::size_t p = 3;
    const std::vector<double>& state = model.fitted.state;  // B, then the noise
    const auto K = [&](const Points& a, std::size_t i, const Points& b, std::size_t j) {
      std::vector<double> value(1);
      KernelOperator<double>(model.kernel(), a.select_rows({{i}}), b.select_rows({{j}})).matrix(value);
      return value[0];
    };
    std::vector<std::size_t> seen;
    std::vector<double> S, y;
    for (std::size_t e = 0; e < data.target.values.size(); ++e)
      if (!std::isnan(data.target.values[e]) && data.weights[e / p] > 0) {
        seen.push_back(e);
        y.push_back(data.target.values[e] + model.fitted.rho[e % p]);
      }
    for (const std::size_t a : seen)
      for (const std::size_t b : seen)
        S.push_back(state[a % p * p + b % p] * K(data.points, a / p, data.points, b / p) +
                    (a == b ? state[p * p + a % p] / data.weights[a / p] : 0));
    const std::vector<double> alpha = testing::eliminate(S, y);
    const Points at = testing::wave(4, 8).points;
    const std::vector<double> means = model.predict(at).values, variances = model.variances(at);
    ASSERT_EQ(variances.size(), 12u);
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t o = 0; o < p; ++o) {
        std::vector<double> cross;
        for (const std::size_t a : seen) cross.push_back(state[o * p + a % p] * K(at, i, data.points, a / p));
        const std::vector<double> solved = testing::eliminate(S, cross);
        double mean = -model.fitted.rho[o], variance = state[o * p + o] * K(at, i, at, i);
        for (std::size_t a = 0; a < seen.size(); ++a)
          mean += cross[a] * alpha[a], variance -= cross[a] * solved[a];
        const double size = std::sqrt(state[o * p + o]);
        EXPECT_NEAR(means[i * p + o], mean, 1e-6 * size);
        EXPECT_NEAR(variances[i * p + o], variance, 1e-6 * size * size);
      }
  }
}

TEST(MultiGp, LearnsAnOutputThatIsSeldomSeenFromTheOthers) {
  const Dataset data = correlated(80, true), full = correlated(80, false);
  const Model model = fit(MultiGp{.rank = 2}, Kernel::parse("rbf(gamma=0.5)"), data);
  EXPECT_TRUE(model.fitted.report.converged);
  const std::vector<double>& B = model.fitted.state;
  EXPECT_LT(B[1] / std::sqrt(B[0] * B[4]), -0.9);           // a and b are the same function, turned around
  EXPECT_LT(std::abs(B[2]) / std::sqrt(B[0] * B[8]), 0.7);  // c is another
  const std::vector<double> found = model.predict(full.points).values;
  double error = 0;
  for (std::size_t i = 20; i < 80; ++i)
    error += std::pow(found[i * 3 + 1] - full.target.values[i * 3 + 1], 2) / 60;
  EXPECT_LT(std::sqrt(error), 30);  // of a deviation of 160
  EXPECT_EQ(model.fitted.report.diagnostic("missing_targets")->values[0], 60);
  EXPECT_EQ(model.fitted.report.diagnostic("noise_variances")->names,
            (std::vector<std::string>{"a", "b", "c"}));
}

TEST(MultiGp, OfOneOutputIsAGaussianProcess) {
  const Dataset data = testing::wave(50, 4);
  const Model multi = fit(MultiGp{}, Kernel::parse("rbf(gamma=0.5)"), data),
              single = fit(Gp{}, Kernel::parse("rbf(gamma=0.5)"), data);
  EXPECT_NEAR(multi.fitted.report.diagnostic("log_marginal_likelihood")->values[0],
              single.fitted.report.diagnostic("log_marginal_likelihood")->values[0], 1e-2);
  const Points at = testing::wave(9, 5).points;
  testing::expect_near(multi.predict(at).values, single.predict(at).values, 0.02);
  testing::expect_near(multi.variances(at), single.variances(at), 0.02);
}

TEST(MultiGp, ComesBackFromAFile) {
  const Dataset data = correlated(15, true);
  const Model model = fit(MultiGp{}, Kernel::parse("rbf(gamma=0.5)"), data, {}, Scaling::Kind::standard);
  const Model again = Model::from_bytes(model.bytes());
  EXPECT_EQ(again.variances(data.points), model.variances(data.points));
  EXPECT_EQ(again.predict(data.points).values, model.predict(data.points).values);
  Model wrong = model;
  wrong.fitted.state[1] += 1;
  EXPECT_NE(message_of([&] { Model::from_bytes(wrong.bytes()); }).find("not symmetric"), std::string::npos);
  wrong.fitted.state.pop_back();
  EXPECT_NE(message_of([&] { Model::from_bytes(wrong.bytes()); }).find("holds 11 numbers"),
            std::string::npos);
}

TEST(MultiGp, RefusesWhatItCannotLearn) {
  Dataset data = correlated(9, false);
  const auto said = [&](const AnyMethod& method) {
    return message_of([&] { fit(method, Kernel::parse("rbf(gamma=1)"), data); });
  };
  EXPECT_NE(said(MultiGp{.rank = 4}).find("must be at most 3"), std::string::npos);
  data.target.values[4] = std::numeric_limits<double>::infinity();
  EXPECT_NE(said(MultiGp{}).find("the target of row 2 is inf"), std::string::npos);
  for (std::size_t i = 0; i < 9; ++i) data.target.values[i * 3 + 1] = std::nan("");
  EXPECT_NE(said(MultiGp{}).find("the target b has no number in any row"), std::string::npos);
  EXPECT_NE(said(Ridge{}).find("the target of row 1 is nan"), std::string::npos);
}

}  // namespace
}  // namespace mercer

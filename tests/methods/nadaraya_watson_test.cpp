#include "mercer/methods/nadaraya_watson.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

// Σ y·k / Σ k with y 1 for the own class, in double loops.
std::vector<double> weighted_mean(const Dataset& data, const std::vector<double>& x,
                                  const testing::KernelFunction& k, std::size_t left_out = SIZE_MAX) {
  const bool classes = data.target.task == Task::classification;
  std::vector<double> mean(classes ? data.target.labels.size() : 1, 0);
  double total = 0;
  for (std::size_t i = 0; i < data.rows(); ++i) {
    if (i == left_out) continue;
    const double weight = k(data.points.row(i), x) * (data.weights.empty() ? 1 : data.weights[i]);
    total += weight;
    mean[classes ? std::size_t(data.target.codes[i]) : 0] += weight * (classes ? 1 : data.target.values[i]);
  }
  for (double& value : mean) value /= total;
  return mean;
}

const std::vector<testing::PlainKernel> weights{
    {"rbf(gamma=0.7)", [](auto& x, auto& z) { return testing::rbf(x, z, 0.7); }},
    {"poly(degree=2)", [](auto& x, auto& z) { return std::pow(testing::dot(x, z) + 1, 2); }},
    {"manhattan(lambda=0.5)", [](auto& x, auto& z) {
       double sum = 0;
       for (std::size_t c = 0; c < x.size(); ++c) sum += std::abs(x[c] - z[c]);
       return std::exp(-0.5 * sum);
     }}};

TEST(NadarayaWatson, IsTheWeightedMeanOrMajority) {
  for (const auto& kernel : weights)
    for (const bool classes : {false, true}) {
      SCOPED_TRACE(kernel.expression);
      Dataset data = classes ? testing::blobs(50, 3, 2, 1, 2) : testing::wave(50, 2);
      for (std::size_t i = 0; i < 50; ++i) data.weights.push_back(1 + double(i % 3));
      const Points at = testing::blobs(20, 2, 9, 2, 2).points;
      const Predictions p = fit(NadarayaWatson{}, Kernel::parse(kernel.expression), data).predict(at);
      for (std::size_t i = 0; i < 20; ++i) {
        const auto mean = weighted_mean(data, at.row(i), kernel.value);
        for (std::size_t c = 0; c < mean.size(); ++c)
          ASSERT_NEAR(p.scores[i * mean.size() + c], mean[c], 1e-12);
        if (classes) {
          EXPECT_EQ(p.codes[i], std::max_element(mean.begin(), mean.end()) - mean.begin());
          EXPECT_NEAR(p.probabilities[i * 3] + p.probabilities[i * 3 + 1] + p.probabilities[i * 3 + 2], 1,
                      1e-12);
        }
      }
    }
}

TEST(NadarayaWatson, SaysHowWellEachRowIsPredictedFromTheOthers) {
  const Dataset data = testing::wave(60, 4), classes = testing::blobs(60, 3, 4, 2);
  double squares = 0, right = 0;
  for (std::size_t i = 0; i < 60; ++i) {
    const double error =
        data.target.values[i] - weighted_mean(data, data.points.row(i), weights[0].value, i)[0];
    squares += error * error / 60;
    const auto shares = weighted_mean(classes, classes.points.row(i), weights[0].value, i);
    right +=
        double(std::max_element(shares.begin(), shares.end()) - shares.begin() == classes.target.codes[i]) /
        60;
  }
  const Kernel kernel = Kernel::parse(weights[0].expression);
  EXPECT_NEAR(fit(NadarayaWatson{}, kernel, data).fitted.report.diagnostics.at(0).values[0],
              std::sqrt(squares), 1e-12);
  EXPECT_NEAR(fit(NadarayaWatson{}, kernel, classes).fitted.report.diagnostics.at(0).values[0], right, 1e-12);
}

TEST(NadarayaWatson, AnswersWithTheMeanWhereAllWeightsAreZero) {
  Dataset data = testing::two_classes({{0.0}, {1.0}, {2.0}, {3.0}}, {0, 1, 1, 1});
  const Points far(testing::Table{{1e4}});
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  EXPECT_EQ(fit(NadarayaWatson{}, kernel, data).predict(far).probabilities,
            (std::vector<double>{0.25, 0.75}));
  data.weights = {3, 1, 1, 1};
  EXPECT_EQ(fit(NadarayaWatson{}, kernel, data).predict(far).probabilities, (std::vector<double>{0.5, 0.5}));
  Dataset numbers = testing::wave(1, 3);
  const Points there(testing::Table{{1e4, 0.0}});
  EXPECT_EQ(fit(NadarayaWatson{}, kernel, numbers).predict(there).values[0], numbers.target.values[0]);
}

TEST(NadarayaWatson, TakesKernelsThatAreNotPositiveSemidefiniteButNoNegativeWeights) {
  const Dataset data = testing::wave(30, 3);
  EXPECT_TRUE(
      fit(NadarayaWatson{}, Kernel::parse("sigmoid(scale=0.001, offset=1)"), data).fitted.report.converged);
  EXPECT_NE(refusal(ErrorKind::data, [&] { fit(NadarayaWatson{}, Kernel::parse("linear"), data); })
                .find("a weight must be ≥ 0, but linear is -"),
            std::string::npos);
}

TEST(NadarayaWatson, ChoosesTheWidthOfTheLeastLeaveOneOutError) {
  const Dataset data = testing::wave(70, 4, 0.1);
  NadarayaWatson chooses;
  chooses.bandwidth = NadarayaWatson::Bandwidth::loo;
  for (const double gamma : {0.05, 5.0, 200.0}) {
    const Model model = fit(chooses, Kernel::parse("2*rbf(gamma=" + std::to_string(gamma) + ")"), data);
    ASSERT_EQ(model.fitted.report.diagnostics.size(), 2u);
    EXPECT_EQ(value_label(model.fitted.report.diagnostics[0], 0), "leave-one-out choice of gamma");
    const double rmse = testing::diagnostic(model, "leave_one_out_rmse");
    double least = 1e9;
    for (double octaves = -4; octaves <= 4; octaves += 0.25) {
      double squares = 0;
      const testing::KernelFunction k = [&](auto& x, auto& z) {
        return testing::rbf(x, z, gamma * std::exp2(-2 * octaves));
      };
      for (std::size_t i = 0; i < 70; ++i)
        squares += std::pow(data.target.values[i] - weighted_mean(data, data.points.row(i), k, i)[0], 2) / 70;
      if (!std::isnan(squares)) least = std::min(least, std::sqrt(squares));
    }
    EXPECT_LE(rmse, 1.001 * least) << gamma;  // beyond the last octave it may be smaller
    EXPECT_EQ(model.kernel().text().find("2*rbf(gamma="), 0u) << model.kernel().text();
    EXPECT_EQ(fit(NadarayaWatson{}, model.kernel(), data).fitted.report.diagnostics.at(0).values[0], rmse);
  }
}

TEST(NadarayaWatson, ChoosesTheOneWidthOfAKernelAlone) {
  NadarayaWatson chooses;
  chooses.bandwidth = NadarayaWatson::Bandwidth::loo;
  const Dataset data = testing::blobs(30, 2, 4);
  const auto refused = [&](const char* kernel, const Dataset& rows) {
    try {
      fit(chooses, Kernel::parse(kernel), rows);
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(
      fit(chooses, Kernel::parse("matern(nu=1.5, length=1)"), data).fitted.report.diagnostics.at(0).names[0],
      "length");
  EXPECT_NE(refused("rbf(gamma=1) + rbf(gamma=2)", data).find("has 2"), std::string::npos);
  EXPECT_NE(refused("poly(degree=2)", data).find("has none"), std::string::npos);
  EXPECT_NE(refused("rbf(gamma=1)", testing::wave(1, 2)).find("needs 2 to 20000 rows, not 1"),
            std::string::npos);
}

TEST(NadarayaWatson, RefusesModelsThatDoNotFitTogether) {
  const Dataset data = testing::wave(10, 3);
  Model model = fit(NadarayaWatson{}, Kernel::parse("rbf(gamma=1)"), data);
  model.fitted.kept = {};
  EXPECT_NE(refusal(ErrorKind::data, [&] { model.predict(data.points); })
                .find("the model is not one of nadaraya_watson"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer

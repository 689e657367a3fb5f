// A path of penalties over held-out rows against the fits of each fold and penalty.
#include "methods/ridge_hold_out.hpp"

#include <numeric>
#include <set>

#include "methods/problems.hpp"

namespace mercer {
namespace {

using testing::wave;

Dataset with_outputs(std::size_t n, std::size_t outputs, bool weighted) {
  Dataset data = wave(n, 11);
  Random random(12);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t o = 0; o < outputs; ++o)
      values.push_back(5 + data.target.values[i] * double(o + 1) + 0.1 * random.normal());
  data.target.values = values;
  data.target.outputs = outputs;
  if (!weighted) return data;
  for (std::size_t i = 0; i < n; ++i) data.weights.push_back(i % 7 == 3 ? 0 : random.uniform(0.3, 3));
  return data;
}

std::optional<HeldOut> held_out(const Ridge& ridge, const Dataset& data, const Kernel& kernel,
                                const std::vector<std::size_t>& fold, std::string_view parameter,
                                const std::vector<double>& values, int threads = 1) {
  const FitOptions options{.threads = threads};
  const Training training{data.points, data.target, data.weights, kernel, options, 1e-10};
  return ridge_hold_out(ridge, {training, fold, parameter, values});
}

/// Each fold by a model of the others.
std::vector<double> refitted(const Ridge& ridge, const Dataset& data, const Kernel& kernel,
                             const std::vector<std::size_t>& fold) {
  std::vector<double> said(data.target.values.size());
  const std::size_t outputs = data.target.outputs;
  for (const std::size_t f : std::set<std::size_t>(fold.begin(), fold.end())) {
    std::vector<std::size_t> in, out;
    for (std::size_t i = 0; i < fold.size(); ++i) (fold[i] == f ? out : in).push_back(i);
    const Model model = fit(ridge, kernel, data.select_rows(in), {.tolerance = 1e-12, .threads = 1});
    const std::vector<double> values = model.predict(data.points.select_rows(out)).values;
    for (std::size_t e = 0; e < values.size(); ++e)
      said[out[e / outputs] * outputs + e % outputs] = values[e];
  }
  return said;
}

void expect_folds(const std::vector<std::size_t>& fold, const Dataset& data, const Kernel& kernel,
                  double tolerance) {
  const std::vector<double> values{1e-3, 0.05, 2};
  for (const Bias bias : {Bias::none, Bias::free})
    for (const std::string parameter : {"lambda", "tau2"}) {
      SCOPED_TRACE(parameter + ", a constant: " + testing::word(bias));
      const std::optional<HeldOut> held =
          held_out(Ridge{.bias = bias}, data, kernel, fold, parameter, values);
      ASSERT_TRUE(held);
      EXPECT_EQ(held->rule, Rule::value);
      EXPECT_EQ(held->width, data.target.outputs);
      ASSERT_EQ(held->scores.size(), values.size());
      for (std::size_t v = 0; v < values.size(); ++v) {
        const Ridge one = parameter == "lambda" ? Ridge{.lambda = values[v], .bias = bias}
                                                : Ridge{.tau2 = values[v], .bias = bias};
        const std::vector<double> wanted = refitted(one, data, kernel, fold);
        ASSERT_EQ(held->scores[v].size(), wanted.size());
        for (std::size_t e = 0; e < wanted.size(); ++e) EXPECT_NEAR(held->scores[v][e], wanted[e], tolerance);
      }
    }
}

TEST(RidgeHoldOut, IsWhatTheFitsWithoutEachFoldSay) {
  std::vector<std::size_t> single(29), uneven(29);
  std::iota(single.begin(), single.end(), 0);
  for (std::size_t i = 0; i < 29; ++i) uneven[i] = i % 5 == 4 ? 7 : i % 3;
  for (const bool weighted : {false, true})
    for (const std::size_t outputs : {1u, 2u}) {
      const Dataset data = with_outputs(29, outputs, weighted);
      SCOPED_TRACE(std::string(weighted ? "weighted, " : "") + std::to_string(outputs) + " outputs");
      expect_folds(single, data, Kernel::parse("rbf(gamma=0.5)"), 1e-6);
      expect_folds(uneven, data, Kernel::parse("rbf(gamma=0.5)"), 1e-6);
    }
}

TEST(RidgeHoldOut, OfLowRankToo) {
  std::vector<std::size_t> fold(60);
  for (std::size_t i = 0; i < 60; ++i) fold[i] = i * i % 4;
  for (const bool weighted : {false, true})
    expect_folds(fold, with_outputs(60, 2, weighted), Kernel::parse("poly(degree=2)"), 1e-6);
}

TEST(RidgeHoldOut, GivesTheSameBitsForAnyNumberOfThreads) {
  const Dataset data = with_outputs(300, 1, true);
  std::vector<std::size_t> fold(300);
  std::iota(fold.begin(), fold.end(), 0);
  const auto scores = [&](int threads) {
    return held_out(Ridge{}, data, Kernel::parse("rbf(gamma=3)"), fold, "tau2", {0.01, 1}, threads)->scores;
  };
  EXPECT_EQ(scores(1), scores(2));
}

// Of more rows than are taken whole, 800 columns are near enough to tell settings apart.
TEST(RidgeHoldOut, OfManyRowsIsNearTheFits) {
  const Dataset data = wave(1700, 13);
  const Kernel kernel = Kernel::parse("matern(nu=0.5, length=2)");
  std::vector<std::size_t> fold(1700);
  for (std::size_t i = 0; i < 1700; ++i) fold[i] = i % 5;
  const std::vector<double> near =
      held_out(Ridge{.bias = Bias::free}, data, kernel, fold, "tau2", {0.1})->scores[0];
  const std::vector<double> exact = refitted(Ridge{.tau2 = 0.1, .bias = Bias::free}, data, kernel, fold);
  double apart = 0, error = 0;
  for (std::size_t i = 0; i < 1700; ++i)
    apart += std::pow(near[i] - exact[i], 2), error += std::pow(exact[i] - data.target.values[i], 2);
  EXPECT_GT(apart, 0);
  EXPECT_LT(apart, 0.01 * error);
  // With little memory fewer columns stand for K, and with very little none.
  for (const auto& [columns, enough] : {std::pair<std::size_t, bool>{16, true}, {15, false}}) {
    const FitOptions options{.threads = 1, .memory = columns * 24 * 1700};
    const std::vector<double> values{0.1};
    EXPECT_EQ(bool(ridge_hold_out(Ridge{}, {Training{data.points, data.target, {}, kernel, options, 1e-8},
                                            fold, "tau2", values})),
              enough);
  }
}

TEST(RidgeHoldOut, SmallSizes) {
  for (const std::size_t n : {2u, 3u}) {
    std::vector<std::size_t> fold(n);
    std::iota(fold.begin(), fold.end(), 0);
    expect_folds(fold, with_outputs(n, 1, false), Kernel::parse("rbf(gamma=0.5)"), 1e-9);
  }
}

TEST(RidgeHoldOut, LeavesToTheFitsWhatIsNoPath) {
  const Dataset data = wave(12, 14);
  const Kernel rbf = Kernel::parse("rbf(gamma=1)");
  std::vector<std::size_t> fold(12);
  for (std::size_t i = 0; i < 12; ++i) fold[i] = i % 3;
  EXPECT_TRUE(held_out(Ridge{}, data, rbf, fold, "lambda", {0.1}));
  EXPECT_FALSE(held_out(Ridge{}, data, rbf, fold, "C", {0.1}));
  EXPECT_FALSE(held_out(Ridge{}, data, rbf, fold, "lambda", {}));
  EXPECT_FALSE(held_out(Ridge{}, data, rbf, fold, "lambda", {0, 0.1}));
  EXPECT_FALSE(held_out(Ridge{.tau2 = 1}, data, rbf, fold, "lambda", {0.1}));
  EXPECT_FALSE(held_out(Ridge{.select = Ridge::Select::loo}, data, rbf, fold, "tau2", {0.1}));
  EXPECT_FALSE(held_out(Ridge{}, data, Kernel::parse("center(rbf(gamma=1))"), fold, "lambda", {0.1}));
  EXPECT_FALSE(held_out(Ridge{}, data, rbf, std::vector<std::size_t>(12, 4), "lambda", {0.1}));
  const std::vector<double> values{0.1};
  for (const auto& [memory, enough] : {std::pair<std::size_t, bool>{24 * 144, true}, {24 * 144 - 1, false}}) {
    const FitOptions options{.threads = 1, .memory = memory};
    EXPECT_EQ(bool(ridge_hold_out(Ridge{}, {Training{data.points, data.target, {}, rbf, options, 1e-8}, fold,
                                            "lambda", values})),
              enough);
  }
}

TEST(RidgeHoldOut, CanBeStopped) {
  const Dataset data = wave(100, 15);
  std::vector<std::size_t> fold(100);
  std::iota(fold.begin(), fold.end(), 0);
  const std::vector<double> values{0.1};
  const Kernel kernel = Kernel::parse("linear");
  const FitOptions options{.threads = 1, .progress = [](std::string_view, double) { return false; }};
  const Training training{data.points, data.target, {}, kernel, options, 1e-8};
  EXPECT_THROW(ridge_hold_out(Ridge{}, {training, fold, "tau2", values}), Error);
}

}  // namespace
}  // namespace mercer

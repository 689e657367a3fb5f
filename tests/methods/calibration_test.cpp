#include "methods/calibration.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"

namespace mercer {
namespace {

double log_likelihood(const Sigmoid& s, const std::vector<double>& scores, const std::vector<bool>& first) {
  const auto positives = double(std::count(first.begin(), first.end(), true)),
             negatives = double(first.size()) - positives;
  double sum = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double target = first[i] ? (positives + 1) / (positives + 2) : 1 / (negatives + 2),
                 p = s(scores[i]);
    sum += target * std::log(p) + (1 - target) * std::log(1 - p);
  }
  return sum;
}

TEST(Sigmoid, NeverOverflows) {
  EXPECT_EQ((Sigmoid{-1, 0}(0)), 0.5);
  EXPECT_EQ((Sigmoid{-1, 0}(1e308)), 1);
  EXPECT_EQ((Sigmoid{-1, 0}(-1e308)), 0);
  EXPECT_NEAR((Sigmoid{-2, 1}(0.5)), 0.5, 1e-15);
}

TEST(FitSigmoid, IsTheMaximumOfTheLikelihood) {
  Random random(3);
  for (const std::size_t n : {2, 3, 10, 301}) {
    std::vector<double> scores;
    std::vector<bool> first;
    for (std::size_t i = 0; i < n; ++i) {
      first.push_back(i % 2 == 0);
      scores.push_back((i % 2 == 0 ? 0.7 : -0.9) + random.normal());
    }
    if (n == 2) scores = {1, -1};
    if (n == 3) scores = {1, -1, 2};
    const Sigmoid best = fit_sigmoid(scores, first);
    const double value = log_likelihood(best, scores, first);
    for (const double a : {-1e-3, 1e-3})
      for (const double b : {-1e-3, 0.0, 1e-3})
        EXPECT_LE(log_likelihood({best.slope + a, best.offset + b}, scores, first), value + 1e-9) << n;
  }
}

TEST(FitSigmoid, AHigherScoreNeverMakesTheFirstClassLessLikely) {
  const Sigmoid s = fit_sigmoid(std::vector<double>{-2, -1, 1, 2}, {true, true, false, false});
  EXPECT_EQ(s.slope, 0);
  EXPECT_NEAR(s(5), 0.5, 1e-15);
}

TEST(FitSigmoid, OneClassOrEqualScoresGiveFiniteNumbers) {
  for (const auto& first : {std::vector<bool>{true, true, true}, std::vector<bool>{true, false, true}}) {
    const Sigmoid s = fit_sigmoid(std::vector<double>{1, 1, 1}, first);
    EXPECT_TRUE(std::isfinite(s.slope) && std::isfinite(s.offset));
    EXPECT_GT(s(1), 0);
    EXPECT_LT(s(1), 1);
  }
}

// The problem itself: Σᵢ Σⱼ≠ᵢ (rⱼᵢ pᵢ − rᵢⱼ pⱼ)².
double disagreement(const std::vector<double>& pairs, const std::vector<double>& p) {
  const std::size_t k = p.size();
  std::size_t pair = 0;
  double sum = 0;
  for (std::size_t i = 0; i < k; ++i)
    for (std::size_t j = i + 1; j < k; ++j, ++pair)
      sum += 2 * std::pow((1 - pairs[pair]) * p[i] - pairs[pair] * p[j], 2);
  return sum;
}

TEST(Couple, IsTheMinimumOnTheSimplex) {
  Random random(5);
  for (const std::size_t k : {2, 3, 5, 12}) {
    std::vector<double> pairs(k * (k - 1) / 2);
    for (double& r : pairs) r = random.uniform(0.02, 0.98);
    const std::vector<double> p = couple(pairs, k);
    double total = 0;
    for (const double value : p) {
      EXPECT_GE(value, 0);
      total += value;
    }
    EXPECT_NEAR(total, 1, 1e-12);
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<double> other = p;
      const std::size_t a = random.below(k), b = random.below(k);
      const double move = std::min(random.uniform(0, 0.01), other[a]);
      other[a] -= move;
      other[b] += move;
      EXPECT_LE(disagreement(pairs, p), disagreement(pairs, other) + 1e-9);
    }
  }
}

TEST(Couple, RecoversProbabilitiesThatThePairsAgreeOn) {
  const std::vector<double> truth{0.5, 0.3, 0.2};
  const std::vector<double> pairs{0.5 / 0.8, 0.5 / 0.7, 0.3 / 0.5};
  const std::vector<double> p = couple(pairs, 3);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(p[c], truth[c], 1e-6);
  for (const double value : couple(std::vector<double>{1, 1, 0}, 3)) EXPECT_TRUE(std::isfinite(value));
}

TEST(LaplaceScale, IsTheMeanSizeOfAllButOutliers) {
  EXPECT_DOUBLE_EQ(laplace_scale(std::vector<double>{1, -2, 3}), 2);
  std::vector<double> residuals(99, -1);
  residuals.push_back(50);  // the mean size is 1.49, its deviation 2.1
  EXPECT_DOUBLE_EQ(laplace_scale(residuals), 1);
  EXPECT_EQ(laplace_scale(std::vector<double>{0, 0}), 0);
}

TEST(DensityMarks, AreTheMiddlesOfBinsOfEqualCount) {
  std::vector<double> scores;
  for (int i = 10; i >= -10; --i) scores.push_back(i);  // ten below 0, eleven from 0 on
  // Below: the bins start at -10, -8, …, -2 and 0; above, they end at 1, 3, 5, 7 and 10.
  EXPECT_EQ(density_marks(scores), (std::vector<double>{-9, -7, -5, -3, -1, 0.5, 2, 4, 6, 8.5}));
  EXPECT_TRUE(density_marks({-1, -2, -3, -4, 1, 2, 3, 4, 5}).empty());
  EXPECT_TRUE(density_marks({-1, -2, -3, -4, -5, 1, 2, 3, 4}).empty());
  EXPECT_TRUE(density_marks({}).empty());
}

TEST(DensityMarks, EachAddATenth) {
  const std::vector<double> marks{-9, -7, -5, -3, -1, 0.5, 2, 4, 6, 8.5};
  EXPECT_EQ(inside_probability(marks, -9.5), 0.001);
  EXPECT_EQ(inside_probability(marks, -9), 0.1);
  EXPECT_EQ(inside_probability(marks, -8), 0.1);
  EXPECT_EQ(inside_probability(marks, 0), 0.5);
  EXPECT_EQ(inside_probability(marks, 7), 0.9);
  EXPECT_EQ(inside_probability(marks, 8.5), 0.9);
  EXPECT_EQ(inside_probability(marks, 9), 0.999);
}

}  // namespace
}  // namespace mercer

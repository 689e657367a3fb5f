// Each generator without noise against the formula that defines it.
#include "data/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>

namespace mercer {
namespace {

using std::numbers::pi;

Dataset exact(std::string_view name, GenerateOptions options = {}) {
  options.noise = 0;
  return generate(name, options);
}

/// Calls check(row, class) for every row.
void for_each_classified(const Dataset& data, const auto& check) {
  for (std::size_t i = 0; i < data.rows(); ++i) check(data.points.row(i), data.target.codes[i]);
}

/// Calls check(row, value) for every row.
void for_each_measured(const Dataset& data, const auto& check) {
  for (std::size_t i = 0; i < data.rows(); ++i) check(data.points.row(i), data.target.values[i]);
}

TEST(Generators, MoonsLieOnTwoHalfCircles) {
  for_each_classified(exact("moons"), [](const auto& x, int label) {
    const double centre_x = label, centre_y = label == 0 ? 0 : 0.5;
    EXPECT_NEAR(std::hypot(x[0] - centre_x, x[1] - centre_y), 1, 1e-12);
    EXPECT_GE((x[1] - centre_y) * (label == 0 ? 1 : -1), -1e-12);
  });
}

TEST(Generators, CirclesHaveRadiusOneAndOneHalf) {
  for_each_classified(exact("circles"), [](const auto& x, int label) {
    EXPECT_NEAR(std::hypot(x[0], x[1]), label == 0 ? 1 : 0.5, 1e-12);
  });
}

TEST(Generators, SpiralsTurnWithTheirRadius) {
  for_each_classified(exact("spirals", {.classes = 3}), [](const auto& x, int label) {
    const double radius = std::hypot(x[0], x[1]);
    const double angle = 3 * pi * (radius - 0.1) / 0.9 + 2 * pi * label / 3;
    EXPECT_NEAR(x[0], radius * std::cos(angle), 1e-9);
    EXPECT_NEAR(x[1], radius * std::sin(angle), 1e-9);
    EXPECT_GE(radius, 0.1 - 1e-12);
    EXPECT_LE(radius, 1);
  });
}

TEST(Generators, XorIsTheSignOfTheProduct) {
  int quadrants[4] = {};
  for_each_classified(exact("xor"), [&](const auto& x, int label) {
    EXPECT_EQ(label, x[0] * x[1] < 0);
    EXPECT_LE(std::max(std::abs(x[0]), std::abs(x[1])), 1);
    ++quadrants[(x[0] < 0) + 2 * (x[1] < 0)];
  });
  for (const int count : quadrants) EXPECT_GT(count, 30);
}

TEST(Generators, CheckerboardAlternates) {
  std::set<std::pair<int, int>> squares;
  for_each_classified(exact("checkerboard"), [&](const auto& x, int label) {
    const int column = int(std::floor(x[0])), row = int(std::floor(x[1]));
    EXPECT_EQ(label, (column + row + 4) % 2);
    squares.emplace(column, row);
  });
  EXPECT_EQ(squares.size(), 16u);
  EXPECT_EQ(*squares.begin(), std::pair(-2, -2));
  EXPECT_EQ(*squares.rbegin(), std::pair(1, 1));
}

TEST(Generators, BlobsWithoutNoiseAreTheirCentres) {
  std::set<std::vector<double>> centres;
  const Dataset data = exact("blobs", {.n = 40, .dim = 4, .classes = 5});
  for (std::size_t i = 0; i < data.rows(); ++i) {
    EXPECT_EQ(data.points.row(i), data.points.row(i % 5));
    for (const double value : data.points.row(i)) EXPECT_LE(std::abs(value), 10);
    centres.insert(data.points.row(i));
  }
  EXPECT_EQ(centres.size(), 5u);
}

TEST(Generators, HistogramsAreSharesAroundThoseOfTheirClass) {
  const Dataset data = exact("histograms", {.n = 30, .dim = 8, .classes = 3}),
                noisy = generate("histograms", {.n = 600, .noise = 0.5, .dim = 8, .classes = 3});
  std::vector<double> mean_log(8, 0);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(data.points.row(i), data.points.row(i % 3));
  EXPECT_NE(data.points.row(0), data.points.row(1));
  for (std::size_t i = 0; i < 600; ++i) {
    double sum = 0;
    for (const double share : noisy.points.row(i)) sum += std::abs(share);  // 1 only where none is negative
    EXPECT_NEAR(sum, 1, 1e-12);
    if (i % 3 == 0)
      for (std::size_t j = 0; j < 8; ++j)
        mean_log[j] += std::log(noisy.points.row(i)[j] / noisy.points.row(i)[0]) / 200;
  }
  // Logarithms of ratios are normal with the deviation √2·noise around those of the class: seven standard
  // errors.
  for (std::size_t j = 0; j < 8; ++j)
    EXPECT_NEAR(mean_log[j], std::log(data.points.row(0)[j] / data.points.row(0)[0]),
                7 * std::sqrt(2.0) * 0.5 / std::sqrt(200));
}

TEST(Generators, Sinc2dIsTheLecturesFirstExperiment) {
  double smallest = 0, largest = 0;
  for_each_measured(exact("sinc2d"), [&](const auto& x, double y) {
    EXPECT_DOUBLE_EQ(y, std::sin(x[0] * x[0] + x[1] * x[1]));
    smallest = std::min({smallest, x[0], x[1]});
    largest = std::max({largest, x[0], x[1]});
  });
  EXPECT_GE(smallest, -3.5);
  EXPECT_LE(largest, 3.5);
  EXPECT_GT(largest - smallest, 6.5);
}

TEST(Generators, Sinc2dHasNoiseOfVarianceFourHundredths) {
  double sum = 0, squares = 0;
  const Dataset data = generate("sinc2d", {.n = 20000});
  for_each_measured(data, [&](const auto& x, double y) {
    const double residual = y - std::sin(x[0] * x[0] + x[1] * x[1]);
    sum += residual;
    squares += residual * residual;
  });
  EXPECT_NEAR(sum / 20000, 0, 0.006);
  EXPECT_NEAR(squares / 20000, 0.04, 0.002);
}

TEST(Generators, LineIsAffine) {
  for_each_measured(exact("line"), [](const auto& x, double y) { EXPECT_DOUBLE_EQ(y, 1 + x[0] / 2); });
}

TEST(Generators, SineIsASineOnALine) {
  for_each_measured(exact("sine"),
                    [](const auto& x, double y) { EXPECT_DOUBLE_EQ(y, std::sin(3 * x[0]) + x[0] / 2); });
}

TEST(Generators, NoiseDoesNotDependOnTheInput) {
  for_each_measured(exact("noise"), [](const auto&, double y) { EXPECT_EQ(y, 0); });
  double xy = 0, xx = 0, yy = 0;
  for_each_measured(generate("noise", {.n = 20000, .dim = 3}), [&](const auto& x, double y) {
    ASSERT_EQ(x.size(), 3u);
    xy += x[2] * y;
    xx += x[2] * x[2];
    yy += y * y;
  });
  EXPECT_LT(std::abs(xy) / std::sqrt(xx * yy), 0.03);
  EXPECT_NEAR(yy / 20000, 1, 0.05);
}

TEST(Generators, Friedman1UsesFiveOfItsColumns) {
  for_each_measured(exact("friedman1", {.dim = 7}), [](const auto& x, double y) {
    ASSERT_EQ(x.size(), 7u);
    for (const double value : x) EXPECT_TRUE(value >= 0 && value < 1);
    EXPECT_NEAR(y, 10 * std::sin(pi * x[0] * x[1]) + 20 * std::pow(x[2] - 0.5, 2) + 10 * x[3] + 5 * x[4],
                1e-12);
  });
}

TEST(Generators, SwissRollIsRolledUpAlongItsTarget) {
  for_each_measured(exact("swiss_roll"), [](const auto& x, double t) {
    EXPECT_NEAR(x[0], t * std::cos(t), 1e-12);
    EXPECT_NEAR(x[2], t * std::sin(t), 1e-12);
    EXPECT_TRUE(x[1] >= 0 && x[1] < 21);
    EXPECT_TRUE(t >= 1.5 * pi && t < 4.5 * pi);
  });
}

}  // namespace
}  // namespace mercer

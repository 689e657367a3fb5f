#include "mercer/methods/mmd.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

struct Found {
  double unbiased, biased, p;
};

Found test_of(const Model& model) {
  EXPECT_EQ(model.fitted.report.diagnostics.size(), 3u);
  return {testing::diagnostic(model, "mmd2_unbiased"), testing::diagnostic(model, "mmd2_biased"),
          testing::diagnostic(model, "p_value")};
}

// Both estimates as they stand in the paper: means over pairs.
std::pair<double, double> double_loops(const Points& points, const std::vector<std::int32_t>& codes,
                                       const testing::KernelFunction& k) {
  double sums[2][2] = {}, own[2] = {}, n[2] = {};
  for (std::size_t i = 0; i < points.rows(); ++i) {
    n[codes[i]] += 1;
    own[codes[i]] += k(points.row(i), points.row(i));
    for (std::size_t j = 0; j < points.rows(); ++j)
      sums[codes[i]][codes[j]] += k(points.row(i), points.row(j));
  }
  const double cross = 2 * sums[0][1] / (n[0] * n[1]);
  return {(sums[0][0] - own[0]) / (n[0] * (n[0] - 1)) + (sums[1][1] - own[1]) / (n[1] * (n[1] - 1)) - cross,
          sums[0][0] / (n[0] * n[0]) + sums[1][1] / (n[1] * n[1]) - cross};
}

TEST(Mmd, IsTheDifferenceOfTheMeans) {
  Dataset data = testing::blobs(45, 2, 3, 2);
  for (std::size_t i = 0; i < 45; ++i) data.target.codes[i] = i % 3 == 0;
  for (const auto& kernel : testing::plain_kernels) {
    const Model model = fit(Mmd{}, Kernel::parse(kernel.expression), data);
    const Found found = test_of(model);
    const auto [unbiased, biased] = double_loops(data.points, data.target.codes, kernel.value);
    EXPECT_NEAR(found.unbiased, unbiased, 1e-10) << kernel.expression;
    EXPECT_NEAR(found.biased, biased, 1e-10) << kernel.expression;
    EXPECT_EQ(*model.fitted.report.norm, found.biased);
    // The witness, and that its means differ by MMD².
    const std::vector<double> scores = model.predict(data.points).scores;
    double difference = 0;
    for (std::size_t i = 0; i < 45; ++i) {
      double witness = 0;
      for (std::size_t j = 0; j < 45; ++j)
        witness +=
            kernel.value(data.points.row(i), data.points.row(j)) / (data.target.codes[j] == 0 ? -30 : 15);
      ASSERT_NEAR(scores[i], witness, 1e-10);
      difference += scores[i] / (data.target.codes[i] == 0 ? -30 : 15);
    }
    EXPECT_NEAR(difference, biased, 1e-10);
  }
}

// Of −‖x − z‖, which is valid only conditionally: 2E‖X − Y‖ − E‖X − X′‖ − E‖Y − Y′‖.
TEST(Mmd, OfTheDistanceIsTheEnergyDistance) {
  Dataset data = testing::blobs(45, 2, 3, 2);
  for (std::size_t i = 0; i < 45; ++i) data.target.codes[i] = i % 3 == 0;
  double sums[2][2] = {}, n[2] = {30, 15};
  for (std::size_t i = 0; i < 45; ++i)
    for (std::size_t j = 0; j < 45; ++j) {
      double gap = 0;
      for (std::size_t k = 0; k < data.points.cols(); ++k)
        gap += std::pow(data.points.row(i)[k] - data.points.row(j)[k], 2);
      sums[data.target.codes[i]][data.target.codes[j]] += std::sqrt(gap);
    }
  const double cross = 2 * sums[0][1] / (n[0] * n[1]);
  const Found found = test_of(fit(Mmd{}, Kernel::parse("distance(beta=1)"), data));
  EXPECT_NEAR(found.biased, cross - sums[0][0] / (n[0] * n[0]) - sums[1][1] / (n[1] * n[1]), 1e-10);
  EXPECT_NEAR(found.unbiased, cross - sums[0][0] / (n[0] * (n[0] - 1)) - sums[1][1] / (n[1] * (n[1] - 1)),
              1e-10);
  EXPECT_GT(found.p, 0.05);
  EXPECT_EQ(test_of(fit(Mmd{}, Kernel::parse("distance"), testing::blobs(100, 2, 3, 0.5))).p, 1 / 1001.0);
  // Two equal samples: no relabelling is nearer, whatever the rounding.
  const testing::Table sample{{0.1, 0.3}, {0.7, 1.1}, {1.3, -0.6}, {2.9, 0.2}};
  testing::Table twice = sample;
  twice.insert(twice.end(), sample.begin(), sample.end());
  const Dataset twins = testing::two_classes(twice, {0, 0, 0, 0, 1, 1, 1, 1});
  EXPECT_EQ(test_of(fit(Mmd{.permutations = 2000}, Kernel::parse("distance"), twins)).p, 1);
}

// All 20 ways to choose 3 of 6 rows.
TEST(Mmd, HasThePValueOfAllRelabellings) {
  const Dataset data = testing::two_classes({{0.0}, {1.0}, {2.5}, {3.5}, {1.4}, {5.0}}, {0, 0, 0, 1, 1, 1});
  const auto kernel = [](auto& x, auto& z) { return testing::rbf(x, z, 0.3); };
  const double found = double_loops(data.points, data.target.codes, kernel).second;
  double at_least = 0;
  for (unsigned chosen = 0; chosen < 64; ++chosen) {
    std::vector<std::int32_t> codes(6);
    for (unsigned i = 0; i < 6; ++i) codes[i] = chosen >> i & 1;
    if (std::ranges::count(codes, 0) == 3)
      at_least += double_loops(data.points, codes, kernel).second >= found - 1e-12;
  }
  const double p = test_of(fit(Mmd{.permutations = 4000}, Kernel::parse("rbf(gamma=0.3)"), data)).p;
  EXPECT_NEAR(p, at_least / 20, 0.03);
}

TEST(Mmd, TellsDifferentSamplesFromEqualOnes) {
  Dataset apart = testing::blobs(100, 2, 3, 0.5), same = testing::blobs(100, 1, 3);
  same.target = apart.target;
  EXPECT_EQ(test_of(fit(Mmd{}, Kernel::parse("rbf(gamma=scale)"), apart)).p, 1 / 1001.0);
  EXPECT_GT(test_of(fit(Mmd{}, Kernel::parse("rbf(gamma=scale)"), same)).p, 0.05);
}

TEST(Mmd, DependsOnTheSeedAloneAndNotOnThreadsOrMemory) {
  const Dataset data = testing::blobs(300, 2, 3, 6);
  const Kernel kernel = Kernel::parse("rbf(gamma=0.1)");
  const double p = test_of(fit(Mmd{}, kernel, data, {.threads = 1})).p;
  EXPECT_EQ(test_of(fit(Mmd{}, kernel, data, {.threads = 3, .memory = 1000})).p, p);
  EXPECT_NEAR(test_of(fit(Mmd{}, kernel, data, {.seed = 2})).p, p, 0.1);
}

TEST(Mmd, TakesARowTwiceForARowOfWeightTwo) {
  Dataset weighted = testing::blobs(30, 2, 5);
  weighted.weights.assign(30, 1.0);
  std::vector<std::size_t> rows(30);
  for (std::size_t i = 0; i < 30; ++i) rows[i] = i;
  for (const std::size_t i : {3u, 7u, 20u}) weighted.weights[i] = 2, rows.push_back(i);
  Dataset repeated = testing::choose(weighted, rows);
  repeated.weights.clear();
  const Found a = test_of(fit(Mmd{}, Kernel::parse("rbf(gamma=1)"), weighted)),
              b = test_of(fit(Mmd{}, Kernel::parse("rbf(gamma=1)"), repeated));
  EXPECT_NEAR(a.unbiased, b.unbiased, 1e-12);
  EXPECT_NEAR(a.biased, b.biased, 1e-12);
}

TEST(Mmd, OfTwoRowsHasNoUnbiasedEstimateAndNothingToShuffle) {
  const Model model = fit(Mmd{.permutations = 50}, Kernel::parse("rbf(gamma=1)"),
                          testing::two_classes({{0.0}, {1.0}}, {0, 1}));
  ASSERT_EQ(model.fitted.report.diagnostics.size(), 2u);
  EXPECT_NEAR(model.fitted.report.diagnostics[0].values[0], 2 - 2 * std::exp(-1), 1e-12);
  EXPECT_EQ(model.fitted.report.diagnostics[1].values[0], 1);
}

TEST(Mmd, StopsWithThePermutationsThatItHas) {
  const Dataset data = testing::blobs(60, 2, 3, 6);
  int calls = 0;
  const auto progress = [&](std::string_view what, double) { return what != "permutations" || ++calls < 3; };
  const FitOptions options{.keep_on_cancel = true, .progress = progress};
  const Model model = fit(Mmd{.permutations = 5000}, Kernel::parse("rbf(gamma=1)"), data, options);
  EXPECT_TRUE(model.fitted.report.cut_short);
  EXPECT_EQ(model.fitted.report.iterations, 512u);
  EXPECT_EQ(model.fitted.report.diagnostics.size(), 3u);
}

TEST(Mmd, RefusesMoreThanTwoSamples) {
  EXPECT_EQ(refusal(ErrorKind::data, [] { fit(Mmd{}, Kernel::parse("linear"), testing::blobs(9, 3, 1)); }),
            "mmd compares two samples, but the target has 3 classes; it must have two");
  EXPECT_EQ(refusal(ErrorKind::data,
                    [] {
                      fit(Mmd{}, Kernel::parse("linear"), testing::two_classes({{0.0}, {1.0}}, {0, 0}));
                    }),
            "class 'b' has no row with weight above 0");
}

}  // namespace
}  // namespace mercer

#include "mercer/methods/recursive_ridge.hpp"

#include "elimination.hpp"
#include "methods/in_parts.hpp"

namespace mercer {
namespace {

Dataset problem(std::size_t n, std::size_t outputs, bool weighted, std::uint64_t seed) {
  Dataset data = testing::wave(n, seed);
  Random random(seed + 1);
  data.target.values.resize(n);
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    if (weighted) data.weights.push_back(random.uniform(0.3, 3));
    for (std::size_t o = 0; o < outputs; ++o)
      values.push_back(data.target.values[i] * (1 + double(o)) + 0.1 * double(o) * random.normal() + 2);
  }
  data.target.values = values;
  data.target.outputs = outputs;
  return data;
}

TEST(RecursiveRidge, IsRidgeWhereEveryRowJoins) {
  for (const std::size_t n : {1u, 2u, 30u})
    for (const std::size_t outputs : {1u, 3u})
      for (const bool weighted : {false, true})
        for (const Bias bias : {Bias::none, Bias::free}) {
          SCOPED_TRACE(fmt::format("{} rows, {} outputs", n, outputs));
          const Dataset data = problem(n, outputs, weighted, n + outputs);
          const auto k = [](const auto& x, const auto& z) { return testing::rbf(x, z, 2); };
          const testing::Table table = testing::gram_of(data.points, k);
          std::vector<double> K;
          for (const auto& row : table) K.insert(K.end(), row.begin(), row.end());
          const std::vector<double> weights = weighted ? data.weights : std::vector<double>(n, 1.0);
          const auto expected =
              testing::ridge_solution(K, weights, data.target.values, outputs, 0.3, bias == Bias::free);
          const Model model = fit(RecursiveRidge{.tau2 = 0.3, .novelty = 0, .bias = bias},
                                  Kernel::parse("rbf(gamma=2)"), data);
          testing::expect_near(model.fitted.expansion.coefficients, expected.alpha, 1e-9);
          for (std::size_t o = 0; o < outputs; ++o) EXPECT_NEAR(-model.fitted.rho[o], expected.b[o], 1e-9);
          const Model ridge = fit(Ridge{.tau2 = 0.3, .bias = bias}, Kernel::parse("rbf(gamma=2)"), data);
          testing::expect_near(model.predict(data.points).values, ridge.predict(data.points).values, 1e-7);
          EXPECT_NEAR(*model.fitted.report.norm, *ridge.fitted.report.norm,
                      1e-6 * (1 + *ridge.fitted.report.norm));
        }
}

// The dictionary spans the features after a few rows; the others change the weights of these alone.
TEST(RecursiveRidge, IsRidgeOverTheFeaturesOfTheKernel) {
  for (const char* text : {"linear", "poly(degree=2, offset=1, scale=1)", "linear + constant(c=1)"})
    for (const Bias bias : {Bias::none, Bias::free}) {
      SCOPED_TRACE(text);
      const Dataset data = problem(300, 2, true, 5);
      const Model model = fit(RecursiveRidge{.tau2 = 2, .bias = bias}, Kernel::parse(text), data),
                  ridge = fit(Ridge{.tau2 = 2, .bias = bias}, Kernel::parse(text), data);
      EXPECT_LE(model.fitted.expansion.points.rows(), 6u);
      testing::expect_near(model.predict(data.points).values, ridge.predict(data.points).values, 1e-6);
    }
}

// Beyond the budget it is ridge over f = Σ α k(x, ·) of the dictionary: the normal equations, by elimination.
TEST(RecursiveRidge, IsLeastSquaresOverItsDictionaryBeyondTheBudget) {
  const Dataset data = problem(60, 1, true, 7);
  const auto k = [](const auto& x, const auto& z) { return testing::rbf(x, z, 2); };
  const testing::Table K = testing::gram_of(data.points, k);
  const Model model =
      fit(RecursiveRidge{.tau2 = 0.5, .budget = 12, .novelty = 0}, Kernel::parse("rbf(gamma=2)"), data);
  const std::size_t m = 12;  // the first ones: all are new
  ASSERT_EQ(model.fitted.support.rows.size(), m);
  std::vector<double> A(m * m), R(m);
  for (std::size_t a = 0; a < m; ++a) {
    for (std::size_t b = 0; b < m; ++b) {
      A[a * m + b] = 0.5 * K[a][b];
      for (std::size_t i = 0; i < 60; ++i) A[a * m + b] += data.weights[i] * K[a][i] * K[b][i];
    }
    for (std::size_t i = 0; i < 60; ++i) R[a] += data.weights[i] * K[a][i] * data.target.values[i];
  }
  testing::expect_near(model.fitted.expansion.coefficients, testing::eliminate(A, R), 1e-7);
}

TEST(RecursiveRidge, LeavesOutRowsThatAreNotNew) {
  const Dataset data = problem(200, 1, false, 3);
  Dataset twice = data;
  twice.points = Points(testing::Table(4, {1.0, 2.0}));
  twice.target.values.resize(4);
  const Model same = fit(RecursiveRidge{}, Kernel::parse("rbf(gamma=1)"), twice);
  EXPECT_EQ(same.fitted.expansion.points.rows(), 1u);
  const Model model = fit(RecursiveRidge{.novelty = 0.01}, Kernel::parse("rbf(gamma=0.1)"), data);
  EXPECT_LT(model.fitted.expansion.points.rows(), 30u);
  EXPECT_LE(model.fitted.report.diagnostic("largest_residual")->values[0], 0.01);
}

TEST(RecursiveRidge, IsTheSameInWhateverPartsRowsCome) {
  for (const Bias bias : {Bias::none, Bias::free})
    testing::expect_same_in_parts(RecursiveRidge{.budget = 20, .bias = bias}, problem(40, 2, true, 2));
}

}  // namespace
}  // namespace mercer

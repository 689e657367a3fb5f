#include "mercer/methods/sparse_gp.hpp"

#include "methods/problems.hpp"
#include "mercer/kernel_parameters.hpp"

namespace mercer {
namespace {

SparseGp sparse_as_given(int inducing, double noise) {
  SparseGp gp{.inducing = inducing, .noise = noise};
  gp.optimize = SparseGp::Optimize::none;
  return gp;
}

Gp dense_as_given(double noise) {
  Gp gp{.noise = noise};
  gp.optimize = Gp::Optimize::none;
  return gp;
}

// With every row an inducing point it is the process itself, but for the jitter of 10⁻⁸.
TEST(SparseGp, IsTheProcessItselfWithAllRows) {
  Dataset data = testing::wave(40, 3);
  const Dataset fresh = testing::wave(15, 4);
  for (const bool weighted : {false, true}) {
    if (weighted)
      for (std::size_t i = 0; i < 40; ++i) data.weights.push_back(1 + double(i % 3));
    const Kernel kernel = Kernel::parse("2*rbf(gamma=0.8)");
    const Model sparse = fit(sparse_as_given(100, 0.2), kernel, data),
                dense = fit(dense_as_given(0.2), kernel, data);
    EXPECT_TRUE(sparse.fitted.report.converged) << sparse.fitted.report.violation;
    testing::expect_near(sparse.predict(fresh.points).values, dense.predict(fresh.points).values, 1e-4);
    testing::expect_near(sparse.variances(fresh.points), dense.variances(fresh.points), 1e-4);
    EXPECT_NEAR(testing::diagnostic(sparse, "evidence_lower_bound"),
                testing::diagnostic(dense, "log_marginal_likelihood"), 1e-3);
  }
}

// Few inducing points: the mean is that of ridge regression on the features of the inducing points, written
// out as (C + ΦW/s)a = k(Z, X)Wy/s by Gauss's elimination.
TEST(SparseGp, SolvesTheSystemOfItsInducingPoints) {
  const Dataset data = testing::wave(60, 5);
  const Model model = fit(sparse_as_given(7, 0.3), Kernel::parse("rbf(gamma=1)"), data);
  const Points& Z = model.fitted.expansion.points;
  ASSERT_EQ(Z.rows(), 7u);
  const double level = testing::sum_of(data.target.values) / 60;
  testing::Table S(7, std::vector<double>(8, 0));
  for (std::size_t i = 0; i < 7; ++i) {
    for (std::size_t j = 0; j < 7; ++j) S[i][j] = testing::rbf(Z.row(i), Z.row(j), 1) + (i == j ? 1e-8 : 0);
    for (std::size_t r = 0; r < 60; ++r) {
      const double k = testing::rbf(Z.row(i), data.points.row(r), 1) / 0.3;
      for (std::size_t j = 0; j < 7; ++j) S[i][j] += k * testing::rbf(Z.row(j), data.points.row(r), 1);
      S[i][7] += k * (data.target.values[r] - level);
    }
  }
  for (std::size_t p = 0; p < 7; ++p)
    for (std::size_t i = 0; i < 7; ++i) {
      if (i == p) continue;
      const double factor = S[i][p] / S[p][p];
      for (std::size_t j = p; j < 8; ++j) S[i][j] -= factor * S[p][j];
    }
  for (std::size_t i = 0; i < 7; ++i)
    EXPECT_NEAR(model.fitted.expansion.coefficients[i], S[i][7] / S[i][i], 1e-6);
}

TEST(SparseGp, FindsNearlyWhatTheProcessFinds) {
  const Dataset data = testing::wave(150, 3);
  const Model sparse = fit(SparseGp{.inducing = 25}, Kernel::parse("rbf(gamma=3)"), data, {.threads = 1});
  const Model dense = fit(Gp{}, Kernel::parse("rbf(gamma=3)"), data, {.threads = 1});
  const double bound = testing::diagnostic(sparse, "evidence_lower_bound"),
               evidence = testing::diagnostic(dense, "log_marginal_likelihood");
  EXPECT_LE(bound, evidence + 1e-3);
  EXPECT_GT(bound, evidence - 5);
  EXPECT_NEAR(testing::diagnostic(sparse, "noise_variance") / testing::diagnostic(dense, "noise_variance"), 1,
              0.2);
  const Model loaded = Model::from_bytes(sparse.bytes());
  EXPECT_EQ(loaded.variances(data.points), sparse.variances(data.points));
}

TEST(SparseGp, RefusesWhatInducingPointsCannotStandFor) {
  const Dataset data = testing::wave(20, 3);
  EXPECT_NE(refusal(ErrorKind::usage, [&] { fit(SparseGp{}, Kernel::parse("center(rbf(gamma=1))"), data); })
                .find("center"),
            std::string::npos);
  EXPECT_NE(refusal(ErrorKind::budget,
                    [&] { fit(SparseGp{}, Kernel::parse("rbf(gamma=1)"), data, {.memory = 100}); })
                .find("20 inducing points need"),
            std::string::npos);
  EXPECT_EQ(
      refusal(
          ErrorKind::usage,
          [&] {
            fit(sparse_as_given(5, 1), Kernel::parse("rbf(gamma=1)"), data, {.bounds = {{"gamma", 1, 2}}});
          }),
      "bounds are of a search by the evidence, but optimize is none");
}

}  // namespace
}  // namespace mercer

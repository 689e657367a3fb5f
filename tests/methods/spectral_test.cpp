#include "methods/problems.hpp"
#include "solvers/eigen.hpp"

namespace mercer {
namespace {

using testing::Table;

// Two rings around the same middle: no mean separates them.
Dataset rings(std::size_t n, std::uint64_t seed = 1) {
  Random random(seed);
  Dataset data = testing::two_classes(Table{{0, 0}}, {0});
  Table rows;
  data.target.codes.clear();
  for (std::size_t i = 0; i < n; ++i) {
    const double angle = random.uniform(0, 6.283185307), radius = (i % 2 ? 3 : 1) + 0.1 * random.normal();
    rows.push_back({radius * std::cos(angle), radius * std::sin(angle)});
    data.target.codes.push_back(std::int32_t(i % 2));
  }
  data.points = Points(rows);
  return data;
}

TEST(Spectral, SeparatesRingsAlsoForNewRows) {
  const Dataset data = rings(200), others = rings(60, 2);
  const Model model = fit(SpectralClustering{}, Kernel::parse("rbf(gamma=8)"), data);
  EXPECT_TRUE(model.fitted.report.converged);
  EXPECT_EQ(testing::accuracy(model, data), 1);
  EXPECT_EQ(testing::accuracy(model, others), 1);
  EXPECT_LT(testing::accuracy(fit(Kmeans{}, Kernel::parse("linear"), data), data), 0.8);
}

// At the training rows the scores are √dᵢ·(row i of U)·m_c: U from the dense matrix written out, m_c from the
// rows of each cluster.
TEST(Spectral, ScoresAreTheEigenvectorsExtended) {
  const Dataset data = rings(50);
  const std::size_t n = 50;
  const Model model = fit(SpectralClustering{.clusters = 3}, Kernel::parse("rbf(gamma=0.7)"), data);
  const Predictions p = model.predict(data.points);
  std::vector<double> A(n * n), d(n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      d[i] += A[i * n + j] = testing::rbf(data.points.row(i), data.points.row(j), 0.7);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) A[i * n + j] /= std::sqrt(d[i] * d[j]);
  const Eigen eigen = symmetric_eigen(A, n, true);
  const auto entry = [&](std::size_t i, std::size_t a) { return eigen.vectors[i * n + n - 1 - a]; };
  Table centres(3, std::vector<double>(3, 0));
  for (std::size_t i = 0; i < n; ++i) {
    const double length = std::hypot(entry(i, 0), entry(i, 1), entry(i, 2));
    for (std::size_t a = 0; a < 3; ++a) centres[std::size_t(p.codes[i])][a] += entry(i, a) / length;
  }
  std::vector<double> scores;
  for (std::size_t i = 0; i < n; ++i)
    for (const auto& m : centres)
      scores.push_back(std::sqrt(d[i]) * (entry(i, 0) * m[0] + entry(i, 1) * m[1] + entry(i, 2) * m[2]) /
                       std::hypot(m[0], m[1], m[2]));
  testing::expect_near(p.scores, scores, 1e-9);
}

// Six groups so far apart that the affinity matrix has the eigenvalue 1 six times, by both ways to the
// eigenvectors.
TEST(Spectral, FindsEveryGroupWhereTheAffinitiesFallApart) {
  for (const std::size_t n : {60u, 1500u}) {
    Random random(1);
    Table rows;
    for (std::size_t i = 0; i < n; ++i)
      rows.push_back({60 * double(i % 6) + random.normal(), random.normal()});
    Dataset data;
    data.points = Points(rows);
    const Model model = fit(SpectralClustering{.clusters = 6}, Kernel::parse("rbf(gamma=0.5)"), data);
    const auto codes = model.predict(data.points).codes;
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(codes[i], std::int32_t(i % 6)) << n << ", row " << i;
    for (std::size_t c = 0; c < 6; ++c) EXPECT_NEAR(testing::diagnostic(model, "eigenvalues", c), 1, 1e-9);
  }
}

TEST(Spectral, TakesARowTwiceForARowOfWeightTwo) {
  Dataset weighted = rings(60);
  weighted.weights.assign(60, 1.0);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < 60; ++i) {
    weighted.weights[i] = 1 + double(i % 2);
    for (std::size_t copy = 0; copy <= i % 2; ++copy) rows.push_back(i);
  }
  Dataset repeated = testing::choose(weighted, rows);
  repeated.weights.clear();
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  const Model a = fit(SpectralClustering{}, kernel, weighted),
              b = fit(SpectralClustering{}, kernel, repeated);
  testing::expect_near(a.predict(weighted.points).scores, b.predict(weighted.points).scores, 1e-8);
  EXPECT_NEAR(a.fitted.report.objective, b.fitted.report.objective, 1e-8);
}

TEST(Spectral, TakesKernelsThatAreNotPositiveSemidefinite) {
  const Dataset data = rings(80);
  EXPECT_FALSE(Kernel::parse("rbf(gamma=2) - 0.5*rbf(gamma=4)").prove().psd);
  EXPECT_TRUE(fit(SpectralClustering{}, Kernel::parse("rbf(gamma=2) - 0.5*rbf(gamma=4)"), data)
                  .fitted.report.converged);
}

TEST(Spectral, RefusesWhatIsNoAffinity) {
  const auto told = [](const Dataset& data, const char* kernel, ErrorKind kind = ErrorKind::data,
                       int clusters = 2) {
    return refusal(kind, [&] { fit(SpectralClustering{.clusters = clusters}, Kernel::parse(kernel), data); });
  };
  Dataset data;
  data.points = Points(Table{{1, 2}, {2, 1}, {-3, 0}});
  EXPECT_EQ(told(data, "linear"),
            "spectral: the affinity of rows 1 and 3 is -3; affinities are numbers ≥ 0, as of rbf");
  data.weights = {0, 1, 1};
  EXPECT_EQ(told(data, "linear"),
            "spectral: the affinity of rows 2 and 3 is -6; affinities are numbers ≥ 0, as of rbf");
  data.weights.clear();
  data.points = Points(Table{{1, 2}, {0, 0}, {3, 0}});
  EXPECT_EQ(told(data, "linear"),
            "spectral: row 2 has the affinity 0 with every row; leave it out or take another kernel");
  EXPECT_EQ(told(data, "rbf(gamma=1)", ErrorKind::usage, 4),
            "spectral: 4 clusters of 3 rows; there are at most as many clusters as rows");
  data.points = Points(Table(5, {1.0, 2.0}));
  EXPECT_EQ(told(data, "rbf(gamma=1)"),
            "spectral: 2 clusters, but the affinities have only 1 eigenvalue above 0; ask for at most 1");
  EXPECT_EQ(
      fit(SpectralClustering{.clusters = 1}, Kernel::parse("rbf(gamma=1)"), data).predict(data.points).codes,
      std::vector<std::int32_t>(5, 0));
  data.points = Points(Table{{1, 2}});
  EXPECT_EQ(
      fit(SpectralClustering{.clusters = 1}, Kernel::parse("rbf(gamma=1)"), data).predict(data.points).codes,
      std::vector<std::int32_t>{0});
}

}  // namespace
}  // namespace mercer

#include "methods/problems.hpp"

namespace mercer {
namespace {

Dataset cloud(std::size_t n, std::size_t groups, std::uint64_t seed = 1, double spread = 0.3) {
  Dataset data = testing::blobs(n, groups, seed, spread);
  data.target = {};
  return data;
}

std::vector<std::int32_t> clusters_of(const Model& model, const Points& points) {
  return model.predict(points).codes;
}

// Σ wᵢ‖xᵢ − mean of its cluster‖² and the means, in the space of the points.
struct PlainMeans {
  testing::Table means;
  double objective = 0;

  PlainMeans(const testing::Table& rows, const std::vector<double>& weights,
             const std::vector<std::int32_t>& codes, std::size_t k)
      : means(k, std::vector<double>(rows[0].size(), 0)) {
    std::vector<double> totals(k, 0);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      totals[std::size_t(codes[i])] += weights[i];
      for (std::size_t a = 0; a < rows[i].size(); ++a)
        means[std::size_t(codes[i])][a] += weights[i] * rows[i][a];
    }
    for (std::size_t c = 0; c < k; ++c)
      for (double& value : means[c]) value /= totals[c];
    for (std::size_t i = 0; i < rows.size(); ++i)
      objective += weights[i] * squared(rows[i], std::size_t(codes[i]));
  }
  double squared(const std::vector<double>& x, std::size_t c) const {
    double sum = 0;
    for (std::size_t a = 0; a < x.size(); ++a) sum += (x[a] - means[c][a]) * (x[a] - means[c][a]);
    return sum;
  }
  std::int32_t nearest(const std::vector<double>& x) const {
    std::size_t best = 0;
    for (std::size_t c = 1; c < means.size(); ++c)
      if (squared(x, c) < squared(x, best)) best = c;
    return std::int32_t(best);
  }
};

testing::Table rows_of(const Points& points) {
  testing::Table rows;
  for (std::size_t i = 0; i < points.rows(); ++i) rows.push_back(points.row(i));
  return rows;
}

// Lloyd's steps on the points themselves do not move where the fit ended, and the objective and the
// predictions are theirs.
TEST(Kmeans, WithTheLinearKernelIsThatOfThePoints) {
  for (const bool weighted : {false, true}) {
    Dataset data = cloud(80, 3, 2, 1);
    if (weighted)
      for (std::size_t i = 0; i < data.rows(); ++i) data.weights.push_back(1 + double(i % 4));
    const std::vector<double> weights = weighted ? data.weights : std::vector<double>(data.rows(), 1);
    const Model model = fit(Kmeans{.clusters = 3}, Kernel::parse("linear"), data);
    const auto codes = clusters_of(model, data.points);
    const PlainMeans plain(rows_of(data.points), weights, codes, 3);
    EXPECT_TRUE(model.fitted.report.converged);
    EXPECT_NEAR(model.fitted.report.objective, plain.objective, 1e-9 * plain.objective);
    for (std::size_t i = 0; i < data.rows(); ++i) EXPECT_EQ(plain.nearest(data.points.row(i)), codes[i]);
    const Points others = cloud(30, 3, 8, 1).points;
    const auto predicted = clusters_of(model, others);
    for (std::size_t i = 0; i < others.rows(); ++i) EXPECT_EQ(predicted[i], plain.nearest(others.row(i)));
  }
}

// Of all partitions of nine rows in two, tried one by one.
TEST(Kmeans, FindsTheBestOfAllPartitions) {
  for (const std::uint64_t seed : {1u, 2u, 3u, 4u}) {
    const Dataset data = cloud(9, 1, seed, 1);
    double best = std::numeric_limits<double>::infinity();
    std::vector<std::int32_t> codes(9);
    for (int partition = 1; partition < 256; ++partition) {
      for (int i = 0; i < 8; ++i) codes[std::size_t(i) + 1] = (partition >> i) & 1;
      best = std::min(best, PlainMeans(rows_of(data.points), std::vector<double>(9, 1), codes, 2).objective);
    }
    EXPECT_NEAR(fit(Kmeans{.restarts = 20}, Kernel::parse("linear"), data).fitted.report.objective, best,
                1e-9 * best);
  }
}

// poly(degree=2) without offset on two columns has the features x₁², x₂², √2·x₁x₂.
TEST(Kmeans, HasTheObjectiveOfExplicitFeatures) {
  Dataset data = testing::blobs(50, 3, 4, 0.5, 2);
  data.target = {};
  const Model model = fit(Kmeans{.clusters = 3}, Kernel::parse("poly(degree=2, scale=1, offset=0)"), data);
  testing::Table features;
  for (const auto& x : rows_of(data.points))
    features.push_back({x[0] * x[0], x[1] * x[1], std::sqrt(2.0) * x[0] * x[1]});
  const PlainMeans plain(features, std::vector<double>(50, 1), clusters_of(model, data.points), 3);
  EXPECT_NEAR(model.fitted.report.objective, plain.objective, 1e-9 * plain.objective);
}

TEST(Kmeans, FindsGroupsThatLieApart) {
  const Dataset labelled = testing::blobs(90, 3, 1, 0.1);
  const Model model = fit(Kmeans{.clusters = 3}, Kernel::parse("rbf(gamma=1)"), labelled);
  EXPECT_EQ(model.labels, (std::vector<std::string>{"1", "2", "3"}));
  // Clusters are numbered as the rows meet them.
  EXPECT_EQ(clusters_of(model, labelled.points), labelled.target.codes);
  for (std::size_t c = 0; c < 3; ++c) EXPECT_EQ(model.fitted.report.diagnostics[0].values[c], 30);
}

TEST(Kmeans, IsTheSameWhetherKIsHeldOrRecomputed) {
  const Dataset data = cloud(150, 4, 3, 1);
  const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
  const Model held = fit(Kmeans{.clusters = 4}, kernel, data),
              recomputed = fit(Kmeans{.clusters = 4}, kernel, data, {.memory = 1000});
  EXPECT_NE(recomputed.fitted.report.solver.find("recomputed"), std::string::npos);
  EXPECT_EQ(held.fitted.expansion.coefficients, recomputed.fitted.expansion.coefficients);
}

TEST(Kmeans, OneClusterAndAsManyAsRows) {
  const Dataset data = cloud(7, 1);
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  EXPECT_EQ(clusters_of(fit(Kmeans{.clusters = 1}, kernel, data), data.points),
            std::vector<std::int32_t>(7, 0));
  const Model all = fit(Kmeans{.clusters = 7}, kernel, data);
  EXPECT_NEAR(all.fitted.report.objective, 0, 1e-12);
  EXPECT_EQ(clusters_of(all, data.points), (std::vector<std::int32_t>{0, 1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(clusters_of(fit(Kmeans{.clusters = 1}, kernel, cloud(1, 1)), data.points)[3], 0);
}

TEST(Kmeans, RefusesWhatHasNoSuchClusters) {
  const auto told = [](int clusters, const Dataset& data, ErrorKind kind) {
    return refusal(kind, [&] { fit(Kmeans{.clusters = clusters}, Kernel::parse("rbf(gamma=1)"), data); });
  };
  EXPECT_EQ(told(5, cloud(3, 1), ErrorKind::usage),
            "kmeans: 5 clusters of 3 rows; there are at most as many clusters as rows");
  Dataset equal;
  equal.points = Points(testing::Table{{1, 2}, {1, 2}, {3, 4}, {1, 2}});
  EXPECT_EQ(told(3, equal, ErrorKind::data),
            "kmeans: 3 clusters, but in feature space the rows are only 2 different points");
  EXPECT_EQ(clusters_of(fit(Kmeans{}, Kernel::parse("rbf(gamma=1)"), equal), equal.points),
            (std::vector<std::int32_t>{0, 0, 1, 0}));
}

TEST(Kmeans, GivesWhatItHasWhenTheTimeIsOver) {
  const Dataset data = cloud(60, 3, 3, 1);
  const Model model =
      fit(Kmeans{.clusters = 3}, Kernel::parse("rbf(gamma=1)"), data, {.memory = 1000, .seconds = 1e-9});
  EXPECT_TRUE(model.fitted.report.cut_short);
  EXPECT_FALSE(model.fitted.report.converged);
  testing::expect_finite(model, data.points);
}

}  // namespace
}  // namespace mercer

#include "methods/problems.hpp"
#include "solvers/eigen.hpp"

namespace mercer {
namespace {

Dataset pca_cloud(std::size_t n, std::uint64_t seed = 1, std::size_t cols = 3) {
  Dataset data = testing::blobs(n, 2, seed, 1, cols);
  data.target = {};
  return data;
}

// The projections of `at` on the leading components by the centred kernel written out in full, n × count, and
// the eigenvalues.
struct Plain {
  std::vector<double> values, coordinates;

  Plain(const Points& points, const Points& at, std::size_t count, bool centred,
        const testing::KernelFunction& k) {
    const std::size_t n = points.rows();
    const auto mean_with = [&](const std::vector<double>& x) {
      double sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += k(points.row(j), x);
      return centred ? sum / double(n) : 0;
    };
    std::vector<double> means, K(n * n);
    for (std::size_t i = 0; i < n; ++i) means.push_back(mean_with(points.row(i)));
    const double all = testing::sum_of(means) / double(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        K[i * n + j] = k(points.row(i), points.row(j)) - means[i] - means[j] + all;
    const Eigen eigen = symmetric_eigen(K, n, true);
    for (std::size_t c = 0; c < count; ++c) values.push_back(eigen.values[n - 1 - c]);
    for (std::size_t r = 0; r < at.rows(); ++r) {
      const double own = mean_with(at.row(r));
      for (std::size_t c = 0; c < count; ++c) {
        double sum = 0;
        for (std::size_t i = 0; i < n; ++i)
          sum += eigen.vectors[i * n + n - 1 - c] * (k(points.row(i), at.row(r)) - own - means[i] + all);
        coordinates.push_back(sum / std::sqrt(values[c]));
      }
    }
  }
};

void expect_equal_up_to_signs(const std::vector<double>& a, const std::vector<double>& b, std::size_t width,
                              double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t c = 0; c < width; ++c) {
    double dot = 0;
    for (std::size_t e = c; e < a.size(); e += width) dot += a[e] * b[e];
    for (std::size_t e = c; e < a.size(); e += width)
      ASSERT_NEAR(a[e], (dot < 0 ? -1 : 1) * b[e], tolerance) << "component " << c;
  }
}

// Otherwise rounding in a direction of small variance moves all rows along it.
TEST(Pca, CoefficientsOfSmallEigenvaluesSumToZeroToo) {
  Dataset data = pca_cloud(60);
  for (const bool weighted : {false, true}) {
    if (weighted)
      for (std::size_t i = 0; i < data.rows(); ++i) data.weights.push_back(1 + double(i % 3));
    const Expansion e = fit(Pca{.components = 30}, Kernel::parse("rbf(gamma=0.02)"), data).fitted.expansion;
    for (std::size_t c = 0; c < 30; ++c) {
      double sum = 0, size = 0;
      for (std::size_t i = c; i < e.coefficients.size(); i += 30) {
        sum += e.coefficients[i];
        size += std::abs(e.coefficients[i]);
      }
      EXPECT_NEAR(sum / size, 0, 1e-14) << "component " << c;
    }
  }
}

TEST(Pca, EqualsTheEigenvectorsOfTheCentredGramMatrix) {
  const Dataset data = pca_cloud(40);
  const Points others = pca_cloud(15, 9).points;
  for (const testing::PlainKernel& kernel : testing::plain_kernels)
    for (const bool centred : {true, false}) {
      SCOPED_TRACE(kernel.expression);
      const Model model =
          fit(Pca{.components = 3, .centred = centred}, Kernel::parse(kernel.expression), data);
      for (const Points& at : {data.points, others}) {
        const Plain plain(data.points, at, 3, centred, kernel.value);
        const Predictions p = model.predict(at);
        EXPECT_EQ(p.outputs, 3u);
        expect_equal_up_to_signs(p.values, plain.coordinates, 3, 1e-9);
        for (std::size_t c = 0; c < 3; ++c)
          EXPECT_NEAR(testing::diagnostic(model, "eigenvalues", c), plain.values[c], 1e-10 * plain.values[0]);
      }
      EXPECT_TRUE(model.fitted.report.converged);
      EXPECT_LE(model.fitted.report.violation, 1e-6);
    }
}

TEST(Pca, WithTheLinearKernelIsThatOfThePoints) {
  const Dataset data = pca_cloud(60);
  const std::size_t d = data.points.cols(), n = data.rows();
  std::vector<double> mean(d, 0), covariance(d * d, 0), coordinates;
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t a = 0; a < d; ++a) mean[a] += data.points.row(i)[a] / double(n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t a = 0; a < d; ++a)
      for (std::size_t b = 0; b < d; ++b)
        covariance[a * d + b] += (data.points.row(i)[a] - mean[a]) * (data.points.row(i)[b] - mean[b]);
  const Eigen eigen = symmetric_eigen(covariance, d, true);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t c = 0; c < 2; ++c) {
      double sum = 0;
      for (std::size_t a = 0; a < d; ++a)
        sum += (data.points.row(i)[a] - mean[a]) * eigen.vectors[a * d + d - 1 - c];
      coordinates.push_back(sum);
    }
  const Model model = fit(Pca{}, Kernel::parse("linear"), data);
  expect_equal_up_to_signs(model.predict(data.points).values, coordinates, 2, 1e-10);
  EXPECT_EQ(model.fitted.expansion.points.rows(), 2u);  // the two axes alone
  const double trace = testing::sum_of(eigen.values);
  EXPECT_NEAR(testing::diagnostic(model, "explained_variance_ratio", 0u), eigen.values[d - 1] / trace, 1e-12);
  EXPECT_NEAR(testing::diagnostic(model, "explained_variance_ratio_sum"),
              (eigen.values[d - 1] + eigen.values[d - 2]) / trace, 1e-12);
  EXPECT_NEAR(model.fitted.report.objective, eigen.values[0], 1e-9);
}

// The same axes, from the same 450 rows by block Lanczos and by the dense eigenvectors.
TEST(Pca, OfManyRowsEqualsTheDenseEigenvectors) {
  const Dataset data = pca_cloud(450, 3);
  const Model model = fit(Pca{.components = 2}, Kernel::parse("rbf(gamma=0.2)"), data);
  EXPECT_NE(model.fitted.report.solver.find("block Lanczos"), std::string::npos);
  const Plain plain(data.points, data.points, 2, true,
                    [](auto& x, auto& z) { return testing::rbf(x, z, 0.2); });
  expect_equal_up_to_signs(model.predict(data.points).values, plain.coordinates, 2, 1e-5);
  EXPECT_NEAR(testing::diagnostic(model, "eigenvalues", 1u), plain.values[1], 1e-8 * plain.values[1]);
}

TEST(Pca, TakesARowTwiceForARowOfWeightTwo) {
  Dataset weighted = pca_cloud(25);
  weighted.weights.assign(25, 1.0);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < 25; ++i) {
    weighted.weights[i] = double(i % 3);  // some rows have none
    for (std::size_t copy = 0; copy < i % 3; ++copy) rows.push_back(i);
  }
  Dataset repeated = testing::choose(weighted, rows);
  repeated.weights.clear();
  for (const char* kernel : {"rbf(gamma=0.5)", "linear"}) {
    const Model a = fit(Pca{}, Kernel::parse(kernel), weighted),
                b = fit(Pca{}, Kernel::parse(kernel), repeated);
    expect_equal_up_to_signs(a.predict(weighted.points).values, b.predict(weighted.points).values, 2, 1e-9);
    EXPECT_NEAR(a.fitted.report.objective, b.fitted.report.objective, 1e-9);
  }
}

// Of linear 3 around the mean and 3 around the origin (fewer columns than rows, and more), of rbf one less
// than there are rows.
TEST(Pca, ZeroComponentsAreAllThatTheRowsSpan) {
  const auto all_of = [](const Dataset& data, const char* kernel, bool centred) {
    return fit(Pca{.components = 0, .centred = centred}, Kernel::parse(kernel), data);
  };
  const Dataset data = pca_cloud(20), wide = pca_cloud(6, 1, 9);
  EXPECT_EQ(all_of(data, "linear", true).fitted.rho.size(), 3u);
  EXPECT_EQ(all_of(data, "linear", false).fitted.rho.size(), 3u);
  EXPECT_EQ(all_of(wide, "linear", true).fitted.rho.size(), 5u);
  EXPECT_EQ(all_of(wide, "linear", false).fitted.rho.size(), 6u);
  const Model model = all_of(data, "rbf(gamma=2)", true);
  EXPECT_EQ(model.fitted.rho.size(), 19u);
  const Plain plain(data.points, data.points, 19, true,
                    [](auto& x, auto& z) { return testing::rbf(x, z, 2); });
  expect_equal_up_to_signs(model.predict(data.points).values, plain.coordinates, 19, 1e-9);
  EXPECT_NEAR(testing::diagnostic(model, "explained_variance_ratio_sum"), 1, 1e-12);
  Dataset equal;
  equal.points = Points(testing::Table(6, {1.5, 2}));
  EXPECT_EQ(refusal(ErrorKind::data, [&] { all_of(equal, "rbf(gamma=1)", true); }),
            "pca: all rows coincide in feature space with their mean: there are no components");
  EXPECT_EQ(refusal(ErrorKind::data, [&] { all_of(pca_cloud(1), "rbf(gamma=1)", true); }),
            "pca: there are no components of one row around its mean");
}

TEST(Pca, RefusesMoreComponentsThanThereAre) {
  const auto told = [](int components, const Dataset& data, const char* kernel, ErrorKind kind,
                       bool centred = true) {
    return refusal(
        kind, [&] { fit(Pca{.components = components, .centred = centred}, Kernel::parse(kernel), data); });
  };
  EXPECT_EQ(told(10, pca_cloud(5), "rbf(gamma=1)", ErrorKind::usage),
            "pca: 10 components of 5 rows; there are at most 4");
  EXPECT_EQ(told(2, pca_cloud(1), "rbf(gamma=1)", ErrorKind::usage, false),
            "pca: 2 components of 1 row; there are at most 1");
  EXPECT_EQ(told(1, pca_cloud(1), "rbf(gamma=1)", ErrorKind::usage),
            "pca: 1 components of 1 row; there are at most 0");
  EXPECT_EQ(told(5, pca_cloud(20), "linear", ErrorKind::data),
            "pca: 5 components, but in feature space the rows span only 3 dimensions around their mean; ask "
            "for at most 3");
  Dataset equal;
  equal.points = Points(testing::Table(6, {1.5, 2}));
  EXPECT_NE(told(1, equal, "rbf(gamma=1)", ErrorKind::data).find("span only 0 dimensions"),
            std::string::npos);
  EXPECT_EQ(fit(Pca{.components = 1, .centred = false}, Kernel::parse("rbf(gamma=1)"), pca_cloud(1))
                .predict(pca_cloud(1).points)
                .values,
            std::vector<double>{1});
}

}  // namespace
}  // namespace mercer

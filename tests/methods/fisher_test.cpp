#include "mercer/methods/fisher.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

using Row = std::vector<double>;

Row solved(testing::Table A, Row b) {
  const std::size_t n = b.size();
  for (std::size_t c = 0; c < n; ++c)
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double factor = A[r][c] / A[c][c];  // A is positive definite: no pivots
      for (std::size_t j = c; j < n; ++j) A[r][j] -= factor * A[c][j];
      b[r] -= factor * b[c];
    }
  for (std::size_t c = 0; c < n; ++c) b[c] /= A[c][c];
  return b;
}

// φ of (xᵀz + 1)² in the plane.
Row features(const Row& x) {
  const double r = std::sqrt(2.0);
  return {1, r * x[0], r * x[1], x[0] * x[0], x[1] * x[1], r * x[0] * x[1]};
}

// Discriminant analysis in explicit features: classes with the covariance Σ = S_W + μI, so that the scores of
// two classes differ by (m_a − m_b)ᵀΣ⁻¹(φ − (m_a + m_b)/2) + ln(W_a/W_b). Fisher's directions span all of the
// Σ⁻¹(m_a − m_b).
struct Textbook {
  testing::Table means, S;
  Row weights;
  double total = 0;

  Textbook(const Dataset& data, double lambda)
      : means(data.target.labels.size(), Row(6, 0)), S(6, Row(6, 0)), weights(means.size(), 0) {
    const auto weight = [&](std::size_t i) { return data.weights.empty() ? 1 : data.weights[i]; };
    Row mean(6, 0);
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const auto c = std::size_t(data.target.codes[i]);
      weights[c] += weight(i);
      total += weight(i);
      for (std::size_t j = 0; j < 6; ++j)
        means[c][j] += weight(i) * features(data.points.row(i))[j],
            mean[j] += weight(i) * features(data.points.row(i))[j];
    }
    for (std::size_t c = 0; c < means.size(); ++c)
      for (double& value : means[c]) value /= weights[c];
    double trace = 0;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      const Row phi = features(data.points.row(i)), &own = means[std::size_t(data.target.codes[i])];
      for (std::size_t a = 0; a < 6; ++a) {
        trace += weight(i) / total * std::pow(phi[a] - mean[a] / total, 2);
        for (std::size_t b = 0; b < 6; ++b)
          S[a][b] += weight(i) / total * (phi[a] - own[a]) * (phi[b] - own[b]);
      }
    }
    for (std::size_t a = 0; a < 6; ++a) S[a][a] += lambda * trace;
  }

  double difference(std::size_t a, std::size_t b, const Row& x) const {
    Row apart(6), from(6);
    for (std::size_t j = 0; j < 6; ++j)
      apart[j] = means[a][j] - means[b][j], from[j] = features(x)[j] - (means[a][j] + means[b][j]) / 2;
    return testing::dot(solved(S, apart), from) + std::log(weights[a] / weights[b]);
  }
};

TEST(Fisher, IsDiscriminantAnalysisInFeatureSpace) {
  for (const std::size_t classes : {2u, 3u, 5u})
    for (const bool weighted : {false, true})
      for (const double lambda : {1e-3, 0.1}) {
        SCOPED_TRACE(std::to_string(classes) + " classes, lambda " + std::to_string(lambda));
        Dataset data = testing::blobs(61, classes, 3, 1, 2);
        for (std::size_t i = 0; weighted && i < 61; ++i) data.weights.push_back(0.5 + double(i % 3));
        const Textbook book(data, lambda);
        const Points at = testing::blobs(12, 3, 8, 2, 2).points;
        const Model model = fit(Fisher{.lambda = lambda}, Kernel::parse("poly(degree=2)"), data);
        const Predictions p = model.predict(at);
        for (std::size_t i = 0; i < 12; ++i)
          for (std::size_t c = 1; c < classes; ++c) {
            const double found =
                classes == 2 ? -p.scores[i] : p.scores[i * classes] - p.scores[i * classes + c];
            const double right = book.difference(0, c, at.row(i));
            ASSERT_NEAR(found, right, 1e-7 * (1 + std::abs(right)));
          }
        EXPECT_LT(model.fitted.report.violation, 1e-10);
        EXPECT_NEAR(*model.fitted.report.loss,
                    weighted ? *model.fitted.report.loss : 1 - testing::accuracy(model, data), 1e-12);
      }
}

// The ratio is the generalised eigenvalue; of two classes it is W₀W₁/W² times the Mahalanobis distance of
// their means.
TEST(Fisher, ReportsTheRatioOfTheVariances) {
  const Dataset data = testing::blobs(50, 2, 4, 1, 2);
  const Textbook book(data, 1e-2);
  Row apart(6);
  for (std::size_t j = 0; j < 6; ++j) apart[j] = book.means[0][j] - book.means[1][j];
  const double ratio = testing::dot(solved(book.S, apart), apart) * book.weights[0] * book.weights[1] /
                       (book.total * book.total);
  const Model model = fit(Fisher{.lambda = 1e-2}, Kernel::parse("poly(degree=2)"), data);
  EXPECT_EQ(model.fitted.report.diagnostics.at(0).id, "fisher_ratio");
  EXPECT_NEAR(model.fitted.report.diagnostics.at(0).values[0], ratio, 1e-7 * ratio);
  EXPECT_EQ(fit(Fisher{}, Kernel::parse("rbf(gamma=1)"), testing::blobs(50, 4, 4))
                .fitted.report.diagnostics.at(0)
                .values.size(),
            3u);
}

TEST(Fisher, NormIsThatOfItsFunctions) {
  const Dataset data = testing::blobs(40, 3, 4);
  const Model model = fit(Fisher{}, Kernel::parse("rbf(gamma=0.5)"), data);
  double norm = 0;
  for (std::size_t c = 0; c < 3; ++c)
    norm += 2 * testing::half_norm(data.points, testing::coefficients_of(model, data.points, c),
                                   [](auto& x, auto& z) { return testing::rbf(x, z, 0.5); });
  EXPECT_NEAR(*model.fitted.report.norm, norm, 1e-8 * norm);
}

TEST(Fisher, TakesAClassOfOneRowAndTwoRowsInAll) {
  Dataset data = testing::blobs(21, 2, 4, 0.3);
  data.target.labels.push_back("alone");
  data.target.codes[20] = 2;
  EXPECT_EQ(testing::accuracy(fit(Fisher{}, Kernel::parse("rbf(gamma=1)"), data), data), 1);
  const Dataset two = testing::two_classes({{0.0}, {1.0}}, {0, 1});
  const Model model = fit(Fisher{}, Kernel::parse("linear"), two);
  EXPECT_EQ(testing::accuracy(model, two), 1);
  EXPECT_NEAR(model.predict(Points(testing::Table{{0.5}})).scores[0], 0, 1e-9);
}

TEST(Fisher, RefusesWhatItCannotTellApartOrHold) {
  const auto said = [](ErrorKind kind, const char* kernel, std::size_t rows, std::size_t classes,
                       const FitOptions& options = {}) {
    return refusal(kind,
                   [&] { fit(Fisher{}, Kernel::parse(kernel), testing::blobs(rows, classes, 1), options); });
  };
  EXPECT_TRUE(said(ErrorKind::data, "constant(c=1)", 9, 2)
                  .starts_with("all rows are the same to the kernel constant"));
  EXPECT_TRUE(
      said(ErrorKind::budget, "linear", 90, 2, {.memory = 1000}).starts_with("fisher holds the Gram matrix"));
  EXPECT_NE(said(ErrorKind::data, "linear", 5, 1).find("two classes or more are needed"), std::string::npos);
}

}  // namespace
}  // namespace mercer

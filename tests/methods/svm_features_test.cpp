// Support vector machines over features: the same machine as over K.
#include "elimination.hpp"
#include "methods/problems.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

// Sparse rows whose class follows random weights, with some noise.
Dataset sparse_rows(std::size_t n, std::size_t cols, std::size_t per_row, std::size_t classes,
                    std::uint64_t seed) {
  Random random(seed);
  std::vector<double> weights(cols * classes);
  for (double& w : weights) w = random.normal();
  Sparse<double> s{n, cols, Buffer<std::size_t>(n + 1), Buffer<std::int32_t>(n * per_row),
                   Buffer<double>(n * per_row)};
  Dataset data;
  data.target.task = Task::classification;
  for (std::size_t c = 0; c < classes; ++c) data.target.labels.push_back(std::to_string(c));
  const std::size_t gap = cols / per_row;
  for (std::size_t i = 0; i < n; ++i) {
    s.starts[i] = i * per_row;
    std::vector<double> scores(classes, 0);
    for (std::size_t e = 0; e < per_row; ++e) {
      const std::size_t column = e * gap + random.below(gap);
      const double value = random.uniform(0.1, 1);
      s.indices[i * per_row + e] = std::int32_t(column);
      s.values[i * per_row + e] = value;
      for (std::size_t c = 0; c < classes; ++c) scores[c] += value * weights[c * cols + column];
    }
    for (double& score : scores) score += 0.3 * random.normal();
    data.target.codes.push_back(
        std::int32_t(std::max_element(scores.begin(), scores.end()) - scores.begin()));
  }
  s.starts[n] = n * per_row;
  data.points = Points(std::move(s));
  return data;
}

// Three classes, so many rows that features are computed again in each pass: the functions of the model, over
// landmarks, are Σ βᵢ k_Z(xᵢ)ᵀ K_ZZ⁻¹ k_Z(x) of the support vectors that the fit names.
TEST(SvmFeatures, OverLandmarksAreTheSumsOfTheirSupportVectors) {
  constexpr std::size_t n = 50'000, m = 15, classes = 3;
  Dataset data = testing::wave(n, 7);
  data.target.task = Task::classification;
  data.target.labels = {"low", "middle", "high"};
  for (const double y : data.target.values) data.target.codes.push_back(y < -0.4 ? 0 : y < 0.4 ? 1 : 2);
  data.target.values.clear();
  for (std::size_t i = 0; i < n; ++i) data.weights.push_back(i % 100 == 0 ? 0 : 1);
  const auto k = [](std::span<const double> x, std::span<const double> z) {
    return std::exp(-0.5 * (std::pow(x[0] - z[0], 2) + std::pow(x[1] - z[1], 2)));
  };
  for (const auto multiclass : {Svm::Multiclass::ovo, Svm::Multiclass::ovr}) {
    Svm svm;
    svm.C = 0.5;
    svm.multiclass = multiclass;
    const Model model = fit(svm, Kernel::parse("rbf(gamma=0.5)"), data, {.approx = "nystrom:15"});
    const Fitted& fitted = model.fitted;
    EXPECT_TRUE(fitted.report.converged);
    EXPECT_LE(fitted.report.violation, 1e-3);
    EXPECT_LE(fitted.report.gap, 1e-3 * std::abs(fitted.report.objective));
    const bool pairs = multiclass == Svm::Multiclass::ovo;
    const std::size_t width = fitted.expansion.width;
    ASSERT_EQ(width, pairs ? classes - 1 : classes);
    ASSERT_EQ(fitted.expansion.points.rows(), pairs ? 2 * m : m);
    std::vector<double> ZZ(m * m);
    const Points& Z = fitted.expansion.points;
    for (std::size_t e = 0; e < m * m; ++e) ZZ[e] = k(Z.row(e / m), Z.row(e % m));
    const Points tried = data.points.select_rows(std::vector<std::size_t>{1, 2, 3});
    const std::vector<double> scores = model.predict(tried).scores;
    for (std::size_t t = 0; t < tried.rows(); ++t) {
      std::vector<double> near(m), sums(classes, 0.0);
      for (std::size_t j = 0; j < m; ++j) near[j] = k(tried.row(t), Z.row(j));
      const std::vector<double> solved = testing::eliminate(ZZ, near);
      for (std::size_t r = 0; r < fitted.support.rows.size(); ++r) {
        const std::size_t row = fitted.support.rows[r], own = std::size_t(data.target.codes[row]);
        EXPECT_GT(data.weights[row], 0);
        double value = 0;
        for (std::size_t j = 0; j < m; ++j) value += k(data.points.row(row), Z.row(j)) * solved[j];
        for (std::size_t column = 0; column < width; ++column) {
          // Of pairs, (0, 1), (0, 2), (1, 2): the other class of this column.
          const std::size_t other = column < own ? column : column + 1;
          const std::size_t function = pairs ? own + other - 1 : column;
          sums[function] += fitted.support.coefficients[r * width + column] * value;
        }
      }
      for (std::size_t function = 0; function < classes; ++function)
        EXPECT_NEAR(scores[t * classes + function], sums[function] - fitted.rho[function], 1e-6);
    }
  }
}

// The weights of each pair are Σ βᵢxᵢ over the rows named, class by class.
void expect_weights_of(const Model& model, const Dataset& data) {
  const Support& support = model.fitted.support;
  const std::size_t width = model.fitted.expansion.width, classes = width + 1;
  ASSERT_EQ(support.coefficients.size(), support.rows.size() * width);
  std::size_t pair = 0;
  for (std::size_t i = 0; i < classes; ++i)
    for (std::size_t j = i + 1; j < classes; ++j, ++pair) {
      std::vector<double> weights(data.points.cols(), 0.0);
      for (std::size_t r = 0; r < support.rows.size(); ++r) {
        const std::size_t own = std::size_t(data.target.codes[support.rows[r]]);
        if (own != i && own != j) continue;
        const std::vector<double> row = data.points.row(support.rows[r]);
        const double beta = support.coefficients[r * width + (own == i ? j - 1 : i)];
        for (std::size_t k = 0; k < row.size(); ++k) weights[k] += beta * row[k];
      }
      const std::vector<double> kept = model.fitted.expansion.points.row(pair);
      for (std::size_t k = 0; k < kept.size(); ++k) EXPECT_NEAR(weights[k], kept[k], 1e-8);
    }
}

/// One fit over features, one over K: the same objective and scores, and what each says of itself.
void expect_same(const AnyMethod& method, const std::string& kernel, const Dataset& data,
                 const FitOptions& given = {}) {
  SCOPED_TRACE(kernel + ", " + std::string(method->name()));
  const Kernel k = Kernel::parse(kernel);
  for (const double tolerance : {1e-3, 1e-6}) {
    FitOptions primal = given, dual = given;
    primal.tolerance = dual.tolerance = tolerance;
    primal.solver = "primal";
    dual.solver = "dual";
    const Model one = fit(method, k, data, primal), other = fit(method, k, data, dual);
    const FitReport &a = one.fitted.report, &b = other.fitted.report;
    EXPECT_EQ(a.plan.way, FitPlan::Way::primal);
    EXPECT_TRUE(a.converged);
    EXPECT_LE(a.violation, tolerance);
    // Each is above the minimum by no more than its gap.
    EXPECT_NEAR(a.objective, b.objective,
                a.gap + b.gap + (tolerance == 1e-3 ? 1e-5 : 1e-8) * std::abs(b.objective));
    EXPECT_LE(a.objective, b.objective + (tolerance == 1e-3 ? 1e-5 : 1e-8) * std::abs(b.objective));
    EXPECT_NEAR(*a.norm, *b.norm, 2 * tolerance * (1 + *b.norm));
    testing::expect_near(one.predict(data.points).scores, other.predict(data.points).scores, 20 * tolerance);
    EXPECT_EQ(one.kernel().text(), other.kernel().text());
    const Model back = Model::from_bytes(one.bytes());
    EXPECT_EQ(back.predict(data.points).scores, one.predict(data.points).scores);
  }
}

Dataset weighted(Dataset data) {
  Random random(8);
  for (std::size_t i = 0; i < data.rows(); ++i)
    data.weights.push_back(i % 6 == 5 ? 0 : random.uniform(0.2, 3));
  return data;
}

TEST(SvmFeatures, ClassesAgreeWithTheKernelMachine) {
  std::uint64_t seed = 1;
  for (const char* kernel : {"linear", "2*linear", "poly(degree=2)", "poly(degree=3, offset=0.5)",
                             "linear + poly(degree=2, scale=0.5)"})
    for (const std::size_t classes : {2, 4}) {
      ++seed;
      const Dataset data = testing::blobs(120, classes, seed, 1.2, 1 + seed % 3);
      for (const double C : {0.1, 10.0}) expect_same(Svm{.C = C}, kernel, data);
      expect_same(Svm{.multiclass = Svm::Multiclass::ovr}, kernel, weighted(data));
      expect_same(Svm{.C = 3}, kernel, weighted(data));
    }
}

TEST(SvmFeatures, NumbersAgreeWithTheKernelMachine) {
  for (const char* kernel : {"linear", "0.5*linear", "poly(degree=2)"})
    for (const double C : {0.1, 10.0}) {
      expect_same(Svr{.C = C}, kernel, testing::wave(150, 4));
      expect_same(Svr{.C = C, .epsilon = 0.3}, kernel, weighted(testing::wave(90, 5)));
    }
}

TEST(SvmFeatures, OfObjectsAgreeWithTheKernelMachine) {
  for (const std::size_t classes : {2, 3})
    for (const auto& [domain, kernel] : {std::pair{Domain::sequence, "normalize(spectrum(k=2))"},
                                         {Domain::sequence, "spectrum(k=1)"},
                                         {Domain::text, "bow"}}) {
      Dataset data;
      data.points = Points(random_objects(domain, 120, 5));
      data.target = {.task = Task::classification, .labels = {}};
      for (std::size_t c = 0; c < classes; ++c) data.target.labels.push_back(std::to_string(c));
      Random random(3);
      for (std::size_t i = 0; i < 120; ++i)
        data.target.codes.push_back(std::int32_t(i < classes ? i : random.below(classes)));
      expect_same(Svm{.C = 2}, kernel, data);
    }
}

// Approximations make the model linear in their features, and it is one point a function.
TEST(SvmFeatures, OfApproximationsAgreeWithTheMachineOfTheirTable) {
  for (const char* approx : {"nystrom:15", "fourier:16"})
    for (const std::size_t classes : {2, 3}) {
      const Dataset data = testing::blobs(100, classes, 9);
      expect_same(Svm{}, "rbf(gamma=0.5)", data, {.approx = approx});
      expect_same(Svm{.multiclass = Svm::Multiclass::ovr}, "rbf(gamma=0.5)", data, {.approx = approx});
      const Model model =
          fit(Svm{}, Kernel::parse("rbf(gamma=0.5)"), data, {.solver = "primal", .approx = approx});
      EXPECT_EQ(model.fitted.expansion.points.rows(), classes * (classes - 1) / 2);
    }
  expect_same(Svr{}, "rbf(gamma=0.5)", testing::wave(100, 3), {.approx = "nystrom:15"});
  const Model hard = fit(Svm{.C = std::numeric_limits<double>::infinity()}, Kernel::parse("rbf(gamma=0.5)"),
                         testing::blobs(60, 2, 9, 0.1), {.solver = "primal", .approx = "nystrom:15"});
  EXPECT_TRUE(hard.fitted.report.converged);
}

TEST(SvmFeatures, OfManySparseColumnsKeepWeights) {
  for (const std::size_t classes : {2, 3}) {
    const Dataset data = sparse_rows(1000, 600, 6, classes, 7);
    const FitOptions options{.tolerance = 1e-5}, dual{.tolerance = 1e-5, .solver = "dual"};
    const Model fast = fit(Svm{.C = 4}, Kernel::parse("linear"), data, options),
                slow = fit(Svm{.C = 4}, Kernel::parse("linear"), data, dual);
    EXPECT_EQ(fast.fitted.report.plan.way, FitPlan::Way::primal);
    EXPECT_EQ(slow.fitted.report.plan.way, FitPlan::Way::dual);
    EXPECT_EQ(fast.fitted.expansion.points.rows(), classes * (classes - 1) / 2);
    EXPECT_TRUE(fast.fitted.report.converged);
    expect_weights_of(fast, data);
    EXPECT_NEAR(fast.fitted.report.objective, slow.fitted.report.objective,
                1e-5 * std::abs(fast.fitted.report.objective));
    const Predictions a = fast.predict(data.points), b = slow.predict(data.points);
    for (std::size_t i = 0; i < a.scores.size(); ++i) EXPECT_NEAR(a.scores[i], b.scores[i], 1e-3);
  }
}

TEST(SvmFeatures, TakeWeightsOfRowsAndEndWhenTheTimeIsOver) {
  Dataset data = sparse_rows(1200, 600, 6, 2, 9);
  data.weights.assign(1200, 1);
  for (std::size_t i = 0; i < 200; ++i) data.weights[i] = 0;
  std::vector<std::size_t> rest;
  for (std::size_t i = 200; i < 1200; ++i) rest.push_back(i);
  Dataset without = data.select_rows(rest);
  without.weights.clear();
  const FitOptions options{.tolerance = 1e-6};
  const Model a = fit(Svm{}, Kernel::parse("linear"), data, options),
              b = fit(Svm{}, Kernel::parse("linear"), without, options);
  EXPECT_NEAR(a.fitted.report.objective, b.fitted.report.objective,
              1e-6 * std::abs(b.fitted.report.objective));
  for (const Dataset& rows : {data, testing::blobs(2000, 2, 3)}) {
    const FitOptions hurried{.tolerance = 1e-9, .seconds = 1e-9, .solver = "primal"};
    const Model cut = fit(Svm{.C = 1e6}, Kernel::parse("linear"), rows, hurried);
    EXPECT_TRUE(cut.fitted.report.cut_short);
    EXPECT_FALSE(cut.fitted.report.converged);
  }
}

TEST(SvmFeatures, AreRefusedWhereThereAreNone) {
  const auto refused = [](const AnyMethod& method, const std::string& kernel, const Dataset& data) {
    return refusal(ErrorKind::usage, [&] { fit(method, Kernel::parse(kernel), data, {.solver = "primal"}); });
  };
  const std::string rbf =
      "rbf(gamma=1) has no finite explicit features; leave the choice of the solver open, or use a kernel "
      "approximation such as nystrom:2000";
  EXPECT_EQ(refused(Svm{}, "rbf(gamma=1)", testing::blobs(20, 2, 1)), rbf);
  EXPECT_EQ(refused(Svr{}, "rbf(gamma=1)", testing::wave(20, 1)), rbf);
  EXPECT_EQ(
      refused(Svm{.C = std::numeric_limits<double>::infinity()}, "linear", testing::blobs(20, 2, 1, 0.1)),
      "the hard margin is found over K, not over features; give a finite C, or leave the choice of the "
      "solver open");
}

}  // namespace
}  // namespace mercer

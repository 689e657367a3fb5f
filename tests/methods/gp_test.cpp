#include "mercer/methods/gp.hpp"

#include <map>
#include <numbers>

#include "methods/problems.hpp"
#include "mercer/kernel_parameters.hpp"

namespace mercer {
namespace {

using testing::KernelFunction;

Gp as_given(double noise) {
  Gp gp;
  gp.noise = noise;
  gp.optimize = Gp::Optimize::none;
  return gp;
}

// The textbook's way (Rasmussen & Williams 2006, alg. 2.1): L by loops, then triangular solves.
struct GpTextbook {
  std::vector<std::vector<double>> x, L;
  std::vector<double> alpha;
  KernelFunction k;

  GpTextbook(const Points& points, const std::vector<double>& y, const std::vector<double>& noise,
             KernelFunction of)
      : k(std::move(of)) {
    const std::size_t n = points.rows();
    for (std::size_t i = 0; i < n; ++i) x.push_back(points.row(i));
    L.assign(n, std::vector<double>(n, 0));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = k(x[i], x[j]) + (i == j ? noise[i] : 0);
        for (std::size_t c = 0; c < j; ++c) sum -= L[i][c] * L[j][c];
        L[i][j] = i == j ? std::sqrt(sum) : sum / L[j][j];
      }
    alpha = forward(y);
    for (std::size_t i = n; i-- > 0;) {
      for (std::size_t j = i + 1; j < n; ++j) alpha[i] -= L[j][i] * alpha[j];
      alpha[i] /= L[i][i];
    }
  }
  std::vector<double> forward(std::vector<double> b) const {
    for (std::size_t i = 0; i < b.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) b[i] -= L[i][j] * b[j];
      b[i] /= L[i][i];
    }
    return b;
  }
  double mean(const std::vector<double>& at) const {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += alpha[i] * k(x[i], at);
    return sum;
  }
  double variance(const std::vector<double>& at) const {
    std::vector<double> column;
    for (const auto& row : x) column.push_back(k(row, at));
    const std::vector<double> v = forward(column);
    return k(at, at) - testing::dot(v, v);
  }
  double log_likelihood(const std::vector<double>& y) const {
    double sum = -0.5 * testing::dot(y, alpha) - 0.5 * double(y.size()) * std::log(2 * std::numbers::pi);
    for (std::size_t i = 0; i < y.size(); ++i) sum -= std::log(L[i][i]);
    return sum;
  }
};

TEST(Gp, IsThePosteriorOfTheTextbook) {
  const Dataset data = testing::wave(30, 3), fresh = testing::wave(12, 4);
  for (const auto& [expression, k] : testing::plain_kernels)
    for (const auto mean : {Gp::Mean::zero, Gp::Mean::constant}) {
      Gp gp = as_given(0.2);
      gp.mean = mean;
      const Model model = fit(gp, Kernel::parse(expression), data, {.threads = 1});
      std::vector<double> y = data.target.values;
      const double level = gp.mean == Gp::Mean::constant ? testing::sum_of(y) / 30 : 0;
      for (double& value : y) value -= level;
      const GpTextbook book(data.points, y, std::vector<double>(30, 0.2), k);
      std::vector<double> means, variances;
      for (std::size_t i = 0; i < fresh.rows(); ++i) {
        means.push_back(book.mean(fresh.points.row(i)) + level);
        variances.push_back(book.variance(fresh.points.row(i)));
      }
      testing::expect_near(model.predict(fresh.points).values, means, 1e-9, expression);
      testing::expect_near(model.variances(fresh.points), variances, 1e-9, expression);
      EXPECT_NEAR(testing::diagnostic(model, "log_marginal_likelihood"), book.log_likelihood(y),
                  1e-9 * std::abs(book.log_likelihood(y)));
      EXPECT_EQ(model.kernel().text(), Kernel::parse(expression).text());
      const FitReport& r = model.fitted.report;
      EXPECT_TRUE(r.converged && r.certificate == CertificateKind::relative_residual && r.violation < 1e-12)
          << r.violation;
      EXPECT_NEAR(*r.norm, 2 * testing::half_norm(data.points, book.alpha, k), 1e-8);
      double loss = 0;
      for (std::size_t i = 0; i < 30; ++i) loss += std::pow(0.2 * book.alpha[i], 2) / 30;  // y − f = σ²α
      EXPECT_NEAR(*r.loss, loss, 1e-10);
    }
}

TEST(Gp, CountsDegreesOfFreedom) {
  const Dataset data = testing::wave(20, 3);
  const Model model = fit(as_given(0.3), Kernel::parse("linear"), data);
  // Of the linear kernel on two columns: Σ λ/(λ + σ²) over the eigenvalues of XᵀX.
  double a = 0, b = 0, c = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    const auto x = data.points.row(i);
    a += x[0] * x[0], b += x[0] * x[1], c += x[1] * x[1];
  }
  const double half = (a + c) / 2, root = std::sqrt(std::pow((a - c) / 2, 2) + b * b);
  EXPECT_NEAR(*model.fitted.report.degrees_of_freedom,
              (half + root) / (half + root + 0.3) + (half - root) / (half - root + 0.3), 1e-9);
}

TEST(Gp, RaisesTheEvidenceAndFindsWhatTheDataWereMadeWith) {
  // A draw from the process itself: length 1 (gamma ½), factor 2, noise 0.05.
  Random random(5);
  Dataset data;
  testing::Table rows;
  for (int i = 0; i < 150; ++i) rows.push_back({random.uniform(-6, 6)});
  data.points = Points(rows);
  data.target.task = Task::regression;
  const GpTextbook prior(data.points, std::vector<double>(150, 0), std::vector<double>(150, 1e-9),
                         [](auto& x, auto& z) { return 2 * testing::rbf(x, z, 0.5); });
  std::vector<double> normal;
  for (int i = 0; i < 150; ++i) normal.push_back(random.normal());
  for (std::size_t i = 0; i < 150; ++i) {
    double f = std::sqrt(0.05) * random.normal();
    for (std::size_t j = 0; j <= i; ++j) f += prior.L[i][j] * normal[j];
    data.target.values.push_back(f);
  }
  const Kernel start = Kernel::parse("rbf(gamma=10)");
  const Model model = fit(Gp{}, start, data, {.threads = 1});
  EXPECT_TRUE(model.fitted.report.converged);
  EXPECT_GT(testing::diagnostic(model, "log_marginal_likelihood"),
            testing::diagnostic(fit(as_given(0.1), start, data), "log_marginal_likelihood") + 50);
  EXPECT_GT(testing::diagnostic(model, "kernel_parameters", "gamma"), 0.25);
  EXPECT_LT(testing::diagnostic(model, "kernel_parameters", "gamma"), 1);
  EXPECT_NEAR(testing::diagnostic(model, "noise_variance"), 0.05, 0.02);
  EXPECT_GT(testing::diagnostic(model, "kernel_parameters", "factor"), 0.5);
  // The kernel of the model is the one found: the same again, as given.
  Gp again = as_given(testing::diagnostic(model, "noise_variance"));
  EXPECT_NEAR(testing::diagnostic(fit(again, model.kernel(), data), "log_marginal_likelihood"),
              testing::diagnostic(model, "log_marginal_likelihood"), 1e-8);
}

TEST(Gp, LeavesAFactorThatIsThere) {
  const Dataset data = testing::wave(30, 3);
  EXPECT_EQ(numeric_parameters(fit(Gp{}, Kernel::parse("2*rbf(gamma=1)"), data).kernel()).size(), 2u);
  EXPECT_EQ(numeric_parameters(fit(Gp{}, Kernel::parse("linear + 2*delta"), data).kernel()).size(), 1u);
  EXPECT_EQ(numeric_parameters(fit(Gp{}, Kernel::parse("linear"), data).kernel()).size(), 1u);
}

TEST(Gp, LooksForNumbersWithinTheirBounds) {
  const Dataset data = testing::wave(60, 3);
  const Kernel kernel = Kernel::parse("2*rbf(sigma=0.3)");
  const Model within =
      fit(Gp{}, kernel, data, {.bounds = {{"sigma", 0.01, 0.5}, {"factor", 0.5, 3}, {"noise", 0.01, 0.02}}});
  EXPECT_TRUE(within.fitted.report.converged);
  EXPECT_LE(testing::diagnostic(within, "kernel_parameters", "sigma"), 0.5 * (1 + 1e-12));
  EXPECT_GE(testing::diagnostic(within, "kernel_parameters", "factor"), 0.5 * (1 - 1e-12));
  EXPECT_LE(testing::diagnostic(within, "kernel_parameters", "factor"), 3 * (1 + 1e-12));
  EXPECT_GE(testing::diagnostic(within, "noise_variance"), 0.01 * (1 - 1e-12));
  EXPECT_LE(testing::diagnostic(within, "noise_variance"), 0.02 * (1 + 1e-12));
  EXPECT_GT(testing::diagnostic(fit(Gp{}, kernel, data), "log_marginal_likelihood"),
            testing::diagnostic(within, "log_marginal_likelihood"));
  // Where both bounds are the same the number stays, to the bit.
  const Model partly =
      fit(Gp{.noise = 0.05}, kernel, data, {.bounds = {{"factor", 2, 2}, {"noise", 0.05, 0.05}}});
  EXPECT_EQ(testing::diagnostic(partly, "kernel_parameters", "factor"), 2);
  EXPECT_NEAR(testing::diagnostic(partly, "noise_variance"), 0.05, 1e-16);
  EXPECT_NE(testing::diagnostic(partly, "kernel_parameters", "sigma"), 0.3);
  // Nothing beside the numbers that are looked for does better.
  for (const double sigma : {0.9, 1.1}) {
    const Kernel moved = with_parameters(
        partly.kernel(),
        std::vector<double>{2, sigma * testing::diagnostic(partly, "kernel_parameters", "sigma")});
    Gp given = as_given(0.05);
    EXPECT_LT(testing::diagnostic(fit(given, moved, data), "log_marginal_likelihood"),
              testing::diagnostic(partly, "log_marginal_likelihood"));
  }
  const Model bare = fit(Gp{}, Kernel::parse("rbf(sigma=0.3)"), data, {.bounds = {{"factor", 1, 1}}});
  EXPECT_EQ(numeric_parameters(bare.kernel()).size(), 1u);  // no factor is put in front
  const Model line = fit(Gp{.noise = 0.3}, Kernel::parse("linear"), data,
                         {.bounds = {{"factor", 1, 1}, {"noise", 0.3, 0.3}}});
  EXPECT_EQ(line.kernel().text(), "linear");
  EXPECT_NEAR(testing::diagnostic(line, "noise_variance"), 0.3, 1e-15);
}

TEST(Gp, RefusesBoundsThatSayNothing) {
  const Dataset data = testing::wave(10, 3);
  const Kernel kernel = Kernel::parse("rbf(sigma=1)");
  const auto with = [&](const AnyMethod& method, SearchBounds bounds) {
    return refusal(ErrorKind::usage, [&] { fit(method, kernel, data, {.bounds = {bounds}}); });
  };
  EXPECT_EQ(with(Gp{}, {"gamma", 1, 2}),
            "bounds are given for gamma, which the kernel does not have; it has factor, sigma, noise");
  EXPECT_EQ(with(Gp{}, {"sigma", 2, 1}),
            "the bounds of sigma must be finite numbers, low ≤ high, not 2 and 1");
  EXPECT_EQ(with(as_given(1), {"sigma", 1, 2}),
            "bounds are of a search by the evidence, but optimize is none");
  EXPECT_EQ(with(Ridge{}, {"sigma", 1, 2}),
            "ridge does not search the numbers of the kernel, so that bounds say nothing; gp does");
}

// The evidence has a maximum at which all is noise, and a far better one; a long first step ends at the
// former.
TEST(Gp, EndsAtTheBetterOfTwoMaxima) {
  Random random(1);
  Dataset data;
  data.target.task = Task::regression;
  testing::Table rows;
  for (int i = 0; i < 100; ++i) {
    rows.push_back({random.uniform(0, 5), random.uniform(0, 5), random.uniform(0, 5), random.uniform(0, 5)});
    data.target.values.push_back(rows.back()[0] + std::sin(2 * rows.back()[3]) + 0.05 * random.normal());
  }
  data.points = Points(rows);
  for (const double begin : {0.01, 1.0}) {
    const Model model = fit(Gp{.noise = begin}, Kernel::parse("1*rbf(sigma=1)"), data, {.threads = 1});
    EXPECT_TRUE(model.fitted.report.converged);
    // The variance of the target is above 2.
    EXPECT_LT(testing::diagnostic(model, "noise_variance"), 1) << begin;
  }
}

TEST(Gp, FindsTheColumnThatDoesNotMatter) {
  Random random(8);
  Dataset data;
  data.target.task = Task::regression;
  testing::Table rows;
  for (int i = 0; i < 100; ++i) {
    rows.push_back({random.uniform(-2, 2), random.uniform(-2, 2)});
    data.target.values.push_back(std::sin(2 * rows.back()[1]) + 0.1 * random.normal());
  }
  data.points = Points(rows);
  Gp gp;
  gp.ard = true;
  const Model model = fit(gp, Kernel::parse("rbf(gamma=scale)"), data);
  EXPECT_LT(testing::diagnostic(model, "kernel_parameters", "by[1]"),
            0.1 * testing::diagnostic(model, "kernel_parameters", "by[2]"));
  EXPECT_GT(
      testing::diagnostic(model, "log_marginal_likelihood"),
      testing::diagnostic(fit(Gp{}, Kernel::parse("rbf(gamma=scale)"), data), "log_marginal_likelihood") + 5);
}

TEST(Gp, OfSeveralOutputsIsOneEach) {
  Dataset both = testing::wave(25, 3);
  Dataset first = both, second = both;
  both.target.outputs = 2;
  both.target.values.clear();
  for (std::size_t i = 0; i < 25; ++i) {
    second.target.values[i] = std::cos(both.points.row(i)[0]) + 3;
    both.target.values.insert(both.target.values.end(), {first.target.values[i], second.target.values[i]});
  }
  const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
  const Model model = fit(as_given(0.1), kernel, both), one = fit(as_given(0.1), kernel, first),
              two = fit(as_given(0.1), kernel, second);
  const Predictions p = model.predict(both.points);
  ASSERT_EQ(p.outputs, 2u);
  for (std::size_t i = 0; i < 25; ++i) {
    EXPECT_NEAR(p.values[2 * i], one.predict(both.points).values[i], 1e-11);
    EXPECT_NEAR(p.values[2 * i + 1], two.predict(both.points).values[i], 1e-11);
  }
  EXPECT_EQ(model.variances(both.points), one.variances(both.points));
  EXPECT_NEAR(testing::diagnostic(model, "log_marginal_likelihood"),
              testing::diagnostic(one, "log_marginal_likelihood") +
                  testing::diagnostic(two, "log_marginal_likelihood"),
              1e-9);
  EXPECT_TRUE(fit(Gp{}, kernel, both).fitted.report.converged);
}

TEST(Gp, OfOneRowIsItsMean) {
  Dataset data;
  data.points = Points(testing::Table{{1, 2}});
  data.target = {Task::regression, "", {}, {}, {7}};
  const Model model = fit(Gp{}, Kernel::parse("rbf(gamma=1)"), data);
  EXPECT_NEAR(model.predict(data.points).values[0], 7, 1e-12);
  EXPECT_NEAR(model.variances(data.points)[0], 1 - 1 / 1.1, 1e-12);
  ASSERT_EQ(model.fitted.report.warnings.size(), 1u);
  EXPECT_EQ(model.fitted.report.warnings[0].text,
            "the target is constant, so that the evidence has no maximum: kernel and noise are as given");
}

TEST(Gp, SaysWhatNoiseEqualRowsNeed) {
  Dataset data;
  data.points = Points(testing::Table{{1}, {1}, {2}});
  data.target = {Task::regression, "", {}, {}, {1, 1, 0}};
  const Model model = fit(as_given(0), Kernel::parse("rbf(gamma=1)"), data);
  testing::expect_near(model.predict(data.points).values, {1, 1, 0}, 1e-6);
  ASSERT_EQ(model.fitted.report.warnings.size(), 1u);
  EXPECT_TRUE(model.fitted.report.warnings[0].text.starts_with("K + noise was not positive definite; 1e-"))
      << model.fitted.report.warnings[0].text;
  EXPECT_GT(testing::diagnostic(model, "noise_variance"), 0);
}

TEST(Gp, InterpolatesWithoutNoise) {
  const Dataset data = testing::wave(15, 3);
  const Model model = fit(as_given(0), Kernel::parse("rbf(gamma=5)"), data);
  testing::expect_near(model.predict(data.points).values, data.target.values, 1e-7);
  for (const double variance : model.variances(data.points)) EXPECT_LT(variance, 1e-8);
}

// A row of weight w has the noise σ²/w: w rows of weight 1 with the same point and target say the same.
TEST(Gp, TakesARowTwiceForARowOfWeightTwo) {
  Dataset weighted = testing::wave(20, 3), repeated = weighted;
  weighted.weights.assign(20, 1.0);
  weighted.weights[4] = weighted.weights[9] = 2;
  std::vector<std::size_t> rows(20);
  for (std::size_t i = 0; i < 20; ++i) rows[i] = i;
  rows.insert(rows.end(), {4, 9});
  repeated = testing::choose(repeated, rows);
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  const Model a = fit(as_given(0.2), kernel, weighted), b = fit(as_given(0.2), kernel, repeated);
  testing::expect_near(a.predict(weighted.points).values, b.predict(weighted.points).values, 1e-10);
  testing::expect_near(a.variances(weighted.points), b.variances(weighted.points), 1e-10);
  weighted.weights[0] = 0;
  EXPECT_EQ(fit(as_given(0.2), kernel, weighted).fitted.expansion.points.rows(), 19u);
}

TEST(Gp, GivesWhatItHasWhenTheTimeIsOver) {
  const Dataset data = testing::wave(60, 3);
  const FitOptions hurried{.seconds = 1e-9},
      stopped{.keep_on_cancel = true, .progress = [](std::string_view, double) { return false; }};
  for (const FitOptions& options : {hurried, stopped}) {
    const Model model = fit(Gp{}, Kernel::parse("rbf(gamma=1)"), data, options);
    EXPECT_TRUE(model.fitted.report.cut_short);
    EXPECT_FALSE(model.fitted.report.converged);
    testing::expect_finite(model, data.points);
    EXPECT_EQ(model.variances(data.points).size(), 60u);
  }
}

TEST(Gp, SaysWhatMemoryItNeeds) {
  const Dataset data = testing::wave(1000, 3);
  EXPECT_EQ(refusal(ErrorKind::budget,
                    [&] { fit(Gp{}, Kernel::parse("rbf(gamma=1)"), data, {.memory = 1 << 20}); }),
            "a Gaussian process of 1000 rows needs 24.0 MB for its matrix, the inverse and the model, but "
            "1.0 MB are allowed; allow more memory, or use a kernel approximation such as nystrom:2000");
}

TEST(Gp, IsTheSameAfterSavingAndLoading) {
  const Dataset data = testing::wave(30, 3);
  const ScratchFolder folder;
  const Model model = fit(Gp{}, Kernel::parse("rbf(gamma=1)"), data);
  model.save(folder / "gp.mercer");
  const Model loaded = Model::load(folder / "gp.mercer");
  EXPECT_EQ(loaded.predict(data.points).values, model.predict(data.points).values);
  EXPECT_EQ(loaded.variances(data.points), model.variances(data.points));
  EXPECT_EQ(loaded.kernel().text(), model.kernel().text());
}

// Two waves and noise: the evidence finds the faster one from somewhere near (the slow one may as well be a
// smooth function of a few periods), and f goes on beyond the data.
TEST(Gp, LearnsASpectralMixture) {
  Random random(4);
  const auto truth = [](double x) {
    return std::sin(2 * std::numbers::pi * 0.5 * x) + 0.6 * std::cos(2 * std::numbers::pi * 1.3 * x);
  };
  Dataset data;
  testing::Table rows, later;
  std::vector<double> expected;
  for (int i = 0; i < 90; ++i) {
    rows.push_back({i * 0.1});
    data.target.values.push_back(truth(i * 0.1) + 0.05 * random.normal());
  }
  for (int i = 0; i < 10; ++i) {
    later.push_back({9 + i * 0.1});
    expected.push_back(truth(9 + i * 0.1));
  }
  data.points = Points(rows);
  data.target.task = Task::regression;
  const Kernel start =
      Kernel::parse("spectral_mixture(weights=[1, 1], means=[0.45, 1.25], variances=[0.001, 0.001])");
  const Model model = fit(Gp{.noise = 0.1}, start, data), held = fit(as_given(0.1), start, data);
  EXPECT_GT(testing::diagnostic(model, "log_marginal_likelihood"),
            testing::diagnostic(held, "log_marginal_likelihood") + 10);
  std::map<std::string, double> found;
  for (const KernelParameter& p : numeric_parameters(model.kernel())) found[p.name] = p.value;
  EXPECT_NEAR(std::max(std::abs(found.at("means[1]")), std::abs(found.at("means[2]"))), 1.3, 0.02);
  const std::vector<double> ahead = model.predict(Points(later)).values;
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(ahead[i], expected[i], 0.25) << i;
}

}  // namespace
}  // namespace mercer

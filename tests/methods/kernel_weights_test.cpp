#include "methods/kernel_weights.hpp"

#include <numeric>

#include "elimination.hpp"
#include "methods/problems.hpp"
#include "solvers/alignment.hpp"

namespace mercer {
namespace {

using testing::Table;

KernelWeights learn(const AnyMethod& method, const std::string& kernel, const Dataset& data,
                    const FitOptions& options = {}) {
  return learn_weights(*method, {data.points, data.target, data.weights, Kernel::parse(kernel), options,
                                 method->traits().tolerance});
}

// Data of two columns, and a third of noise.
Dataset with_noise(Dataset data, std::uint64_t seed) {
  Random random(seed);
  Dense<double> wide{data.rows(), 3, Buffer<double>(data.rows() * 3)};
  for (std::size_t i = 0; i < data.rows(); ++i) {
    data.points.copy_row(i, std::span(wide.values.data() + i * 3, 2));
    wide.values[i * 3 + 2] = random.normal();
  }
  data.points = Points(std::move(wide), {"x", "y", "noise"});
  return data;
}
Dataset noisy_wave(std::size_t n, std::uint64_t seed) { return with_noise(testing::wave(n, seed), seed + 7); }
Dataset noisy_blobs(std::size_t n, std::size_t classes, std::uint64_t seed) {
  return with_noise(testing::blobs(n, classes, seed, 1.2, 2), seed + 7);
}

std::vector<double> gram(const Kernel& kernel, const Points& points) {
  std::vector<double> K(points.rows() * points.rows());
  KernelOperator<double>(kernel, points).matrix(K);
  return K;
}

// The objective of ridge regression with the kernel matrix K: (1/n)Σ(y − f)² + λ‖f‖² is λ·yᵀα at its minimum.
double ridge_objective(const std::vector<double>& K, const std::vector<double>& y, double lambda) {
  const std::size_t n = y.size();
  const std::vector<double> alpha =
      testing::ridge_solution(K, std::vector<double>(n, 1.0), y, 1, lambda * double(n), false).alpha;
  return lambda * std::inner_product(y.begin(), y.end(), alpha.begin(), 0.0);
}

TEST(KernelWeights, OfRidgeAreTheBestOfAFineGrid) {
  const Dataset data = noisy_wave(40, 3);
  const Kernel a = Kernel::parse("rbf(gamma=0.5)"), b = Kernel::parse("linear");
  const double sa = centred_variance(a, data.points, 1), sb = centred_variance(b, data.points, 1);
  const std::vector<double> A = gram(a, data.points), B = gram(b, data.points);
  for (const double p : {1.0, 2.0})
    for (const double lambda : {0.003, 0.3}) {
      double best = INFINITY, share = 0;
      constexpr int steps = 200;
      for (int s = 0; s <= steps; ++s) {
        const double first = double(s) / steps, second = std::pow(1 - std::pow(first, p), 1 / p);
        std::vector<double> K(A.size());
        for (std::size_t e = 0; e < K.size(); ++e) K[e] = first / sa * A[e] + second / sb * B[e];
        if (const double value = ridge_objective(K, data.target.values, lambda); value < best)
          best = value, share = first / (first + second);
      }
      const Model model = fit(Ridge{.lambda = lambda}, mkl({a, b}, p), data);
      EXPECT_NEAR(model.fitted.report.objective, best, 1e-4 * best) << p << " " << lambda;
      EXPECT_NEAR(testing::diagnostic(model, "kernel_shares", "rbf(gamma=0.5)"), share, 0.01)
          << p << " " << lambda;
      EXPECT_NEAR(testing::diagnostic(model, "kernel_shares", "linear"), 1 - share, 0.01);
      EXPECT_LE(testing::diagnostic(model, "kernel_weight_bound"), 1e-3);
      EXPECT_GE(testing::diagnostic(model, "kernel_weight_rounds"), 1);
    }
}

TEST(KernelWeights, OfMachinesAreTheBestOfAFineGrid) {
  for (const std::size_t classes : {2u, 3u}) {
    const Dataset data = noisy_blobs(60, classes, 4);
    const Kernel a = Kernel::parse("rbf(gamma=1)"), b = Kernel::parse("linear");
    const double sa = centred_variance(a, data.points, 1), sb = centred_variance(b, data.points, 1);
    for (const AnyMethod& method :
         {AnyMethod(Svm{.C = 2}), AnyMethod(Svm{.C = 0.5, .multiclass = Svm::Multiclass::ovr})}) {
      const FitOptions tight{.tolerance = 1e-6};
      // The dual objective, as LIBSVM prints it, is −(the primal): the best has the greatest.
      double best = -INFINITY, share = 0;
      constexpr int steps = 50;
      for (int s = 1; s < steps; ++s) {
        const double first = double(s) / steps;
        const Model model = fit(method, first / sa * a + (1 - first) / sb * b, data, tight);
        if (model.fitted.report.objective > best) best = model.fitted.report.objective, share = first;
      }
      const Model model = fit(method, mkl({a, b}), data, tight);
      EXPECT_GE(model.fitted.report.objective, best - 1e-3 * std::abs(best)) << classes;
      EXPECT_NEAR(model.fitted.report.objective, best, 1e-3 * std::abs(best)) << classes;
      EXPECT_NEAR(testing::diagnostic(model, "kernel_shares", "rbf(gamma=1)"), share, 0.03) << classes;
      EXPECT_LE(testing::diagnostic(model, "kernel_weight_bound"), 1e-3);
    }
  }
}

// Pairs of classes have their coefficients in two blocks, those of classes against the rest and outputs in
// columns.
TEST(NormsUnder, AddUpToTheNormOfTheFunction) {
  Dataset two = testing::wave(30, 2);
  two.target.outputs = 2;
  two.target.values.clear();
  for (std::size_t i = 0; i < 30; ++i)
    two.target.values.insert(two.target.values.end(), {two.points.row(i)[0], two.points.row(i)[1] * 3});
  const Kernel a = Kernel::parse("0.7*rbf(gamma=1)"), b = Kernel::parse("0.3*linear");
  for (const auto& [method, data] :
       {std::pair{AnyMethod(Svm{}), testing::blobs(60, 2, 1)},
        {AnyMethod(Svm{}), testing::blobs(60, 3, 1)},
        {AnyMethod(Svm{}), testing::blobs(80, 4, 1)},
        {AnyMethod(Svm{.multiclass = Svm::Multiclass::ovr}), testing::blobs(60, 3, 1)},
        {AnyMethod(Logistic{}), testing::blobs(60, 2, 1)},
        {AnyMethod(Ridge{}), two}}) {
    const Model model = fit(method, a + b, data);
    const std::vector<Kernel> kernels{a, b, a + b};
    const std::vector<double> q = norms_under(kernels, model.fitted, 1);
    EXPECT_NEAR(q[0] + q[1], q[2], 1e-10 * q[2]);
    EXPECT_NEAR(q[2], *model.fitted.report.norm, 1e-6 * q[2])
        << method->name() << " " << data.target.labels.size();
  }
}

TEST(KernelWeights, SatisfyTheirConditionWithEveryMethodThatPenalisesTheNorm) {
  std::size_t tried = 0;
  for (const AnyMethod& method : methods()) {
    if (!method->traits().penalises_norm) continue;
    ++tried;
    const Dataset data = testing::data_for(*method, 50);
    const Model model =
        fit(method, Kernel::parse("mkl(rbf(gamma=0.3), linear, poly(degree=2)) + 0.01*delta"), data);
    EXPECT_LE(testing::diagnostic(model, "kernel_weight_bound"), 1e-3) << method->name();
    EXPECT_NE(model.kernel().text().find("0.01*delta"), std::string::npos) << method->name();
    EXPECT_TRUE(model.fitted.report.converged) << method->name();
  }
  EXPECT_EQ(tried, 10u);
}

TEST(KernelWeights, LeaveOutAKernelOfNoise) {
  for (const auto& [method, data] : {std::pair{AnyMethod(Svr{.C = 1}), noisy_wave(200, 5)},
                                     {AnyMethod(Ridge{.lambda = 0.05}), noisy_wave(200, 5)},
                                     {AnyMethod(Logistic{.lambda = 0.05}), noisy_blobs(200, 3, 5)},
                                     {AnyMethod(Svm{.C = 0.1}), noisy_blobs(200, 2, 5)}}) {
    const Model model =
        fit(method, Kernel::parse("mkl(rbf(gamma=0.5)@[x, y], linear@[x, y], linear@noise)"), data);
    EXPECT_LT(testing::diagnostic(model, "kernel_shares", "linear@noise"), 0.02) << method->name();
    EXPECT_GT(testing::diagnostic(model, "kernel_shares", "rbf(gamma=0.5)@[x, y]") +
                  testing::diagnostic(model, "kernel_shares", "linear@[x, y]"),
              0.98)
        << method->name();
    if (testing::diagnostic(model, "kernel_weights", "linear@noise") == 0) {
      EXPECT_EQ(model.kernel().text().find("noise"), std::string::npos);
    }
  }
}

TEST(KernelWeights, FollowTheOrderOfTheKernels) {
  const Dataset data = noisy_blobs(120, 3, 6);
  const KernelWeights one = learn(Svm{}, "mkl(rbf(gamma=1), linear, poly(degree=2))", data);
  const KernelWeights other = learn(Svm{}, "mkl(poly(degree=2), rbf(gamma=1), linear)", data);
  ASSERT_EQ(other.terms.size(), 3u);
  for (std::size_t m = 0; m < 3; ++m) {
    EXPECT_EQ(one.terms[m].text(), other.terms[(m + 1) % 3].text());
    EXPECT_NEAR(one.shares[m], other.shares[(m + 1) % 3], 1e-2);
  }
}

TEST(KernelWeights, OfOneKernelBringItToVarianceOne) {
  const Dataset data = testing::wave(40, 7);
  const double scale = centred_variance(Kernel::parse("poly(degree=3)"), data.points, 1);
  const Model one = fit(Ridge{.lambda = 0.01}, Kernel::parse("mkl(poly(degree=3))"), data);
  const Model plain = fit(Ridge{.lambda = 0.01 * scale}, Kernel::parse("poly(degree=3)"), data);
  EXPECT_NEAR(testing::diagnostic(one, "kernel_weights", "poly(degree=3, scale=1, offset=1)"), 1 / scale,
              1e-9 / scale);
  EXPECT_EQ(testing::diagnostic(one, "kernel_shares", "poly(degree=3, scale=1, offset=1)"), 1);
  testing::expect_near(one.predict(data.points).values, plain.predict(data.points).values, 1e-6);
}

TEST(KernelWeights, AreThoseOfGreatestAlignmentForOtherMethods) {
  const Dataset data = noisy_wave(80, 8);
  const std::vector<Kernel> terms{Kernel::parse("rbf(gamma=0.5)"), Kernel::parse("linear"),
                                  Kernel::parse("linear@noise")};
  std::vector<std::size_t> rows(80);
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  std::vector<Kernel> unit;
  for (const Kernel& term : terms) unit.push_back(1 / centred_variance(term, data.points, 1) * term);
  const Alignments sums = alignments(unit, data.points, centred_target(data.target, rows), 1);
  const std::vector<double> v = non_negative_minimum(sums.products, sums.agreement);
  const double all = std::accumulate(v.begin(), v.end(), 0.0);
  for (const AnyMethod& method :
       {AnyMethod(Knn{}), AnyMethod(Ols{}), AnyMethod(Gp{.optimize = Gp::Optimize::none})}) {
    const Model model = fit(method, mkl(terms), data);
    for (std::size_t m = 0; m < 3; ++m)
      EXPECT_NEAR(testing::diagnostic(model, "kernel_shares", terms[m].text()), v[m] / all, 1e-9)
          << method->name();
    EXPECT_TRUE(std::isnan(testing::diagnostic(model, "kernel_weight_rounds")));
    EXPECT_EQ(model.fitted.report.solver.find("kernel weights of the greatest alignment with the target"), 0u)
        << model.fitted.report.solver;
  }
  // The evidence goes on from them; its numbers are told, not those it began with.
  const Model gp = fit(Gp{}, mkl(terms), data);
  EXPECT_TRUE(std::isnan(testing::diagnostic(gp, "kernel_shares", "linear")));
  EXPECT_NE(gp.fitted.report.solver.find("from which the method went on"), std::string::npos);
}

TEST(KernelWeights, StandWhereMklStood) {
  const Dataset data = noisy_wave(60, 9);
  const KernelWeights learned =
      learn(Ridge{}, "0.1*delta + 2*mkl(rbf(gamma=scale), linear, norm=2)@[x, y]", data);
  const Kernel rbf = Kernel::parse("rbf(gamma=scale)@[x, y]").resolve(data.points);
  EXPECT_EQ(learned.terms[0].text() + "@[x, y]", rbf.text());
  ASSERT_EQ(learned.weights.size(), 2u);
  const std::string inside =
      (learned.weights[0] * learned.terms[0] + learned.weights[1] * learned.terms[1]).text();
  EXPECT_EQ(learned.kernel.text(), "0.1*delta + 2*(" + inside + ")@[x, y]");
  // The scale is that of the kernels where they stand.
  const Points inner = data.points.select_columns(std::vector<std::size_t>{0, 1});
  double squares = 0;
  for (std::size_t m = 0; m < 2; ++m)
    squares += std::pow(learned.weights[m] * centred_variance(learned.terms[m], inner, 1), 2);
  EXPECT_NEAR(squares, 1, 1e-9) << "θ of norm 1";
  EXPECT_NEAR(learned.shares[0] + learned.shares[1], 1, 1e-12);
}

TEST(KernelWeights, AreInTheFileOfTheModel) {
  const Dataset data = noisy_blobs(80, 3, 15);
  const ScratchFolder folder;
  const Model model = fit(Svm{}, Kernel::parse("mkl(rbf(gamma=1), linear) + 0.1*delta"), data);
  model.save(folder / "m.mercer");
  const Model loaded = Model::load(folder / "m.mercer");
  EXPECT_EQ(loaded.kernel().text(), model.kernel().text());
  EXPECT_EQ(loaded.predict(data.points).scores, model.predict(data.points).scores);
  EXPECT_EQ(testing::diagnostic(loaded, "kernel_weights", "linear"),
            testing::diagnostic(model, "kernel_weights", "linear"));
  EXPECT_FALSE(std::isnan(testing::diagnostic(loaded, "kernel_shares", "rbf(gamma=1)")));
}

TEST(KernelWeights, AreNeededOnlyWhereThereIsMkl) {
  const Dataset data = testing::wave(20, 1);
  const KernelWeights none = learn(Ridge{}, "rbf(gamma=scale)", data);
  EXPECT_EQ(none.kernel.text(), Kernel::parse("rbf(gamma=scale)").resolve(data.points).text());
  EXPECT_TRUE(none.terms.empty());
  FitReport report{.solver = "as before"};
  add_weights(report, none, true);
  EXPECT_EQ(report.solver, "as before");
  EXPECT_TRUE(report.diagnostics.empty());
}

TEST(KernelWeights, OfManyRowsComeFromASampleOfEachClass) {
  Dataset data = noisy_blobs(9000, 2, 10);
  for (std::size_t i = 0; i < 9000; ++i)
    data.target.codes[i] = i % 1500 == 0 ? 2 : data.target.codes[i];  // a class of 6 rows
  data.target.labels.push_back("rare");
  const std::string kernel = "mkl(linear@x, linear@y, linear@noise)";
  const KernelWeights learned = learn(Knn{}, kernel, data, {.seed = 3});
  EXPECT_GE(learned.rows, 3990u);
  EXPECT_LE(learned.rows, 4002u);
  ASSERT_FALSE(learned.warnings.empty());
  EXPECT_EQ(learned.warnings.back().text,
            "mkl: the weights were learned on " + std::to_string(learned.rows) + " of 9000 rows");
  EXPECT_EQ(learn(Knn{}, kernel, data, {.seed = 3}).weights, learned.weights);
  EXPECT_NE(learn(Knn{}, kernel, data, {.seed = 4}).weights, learned.weights);
  const KernelWeights solved = learn(Svm{.C = 0.001}, kernel, data, {.seed = 3});
  EXPECT_EQ(solved.rows, learned.rows);
  EXPECT_LE(solved.bound, 1e-3);
}

TEST(KernelWeights, AreTheSameBitsForAnyNumberOfThreads) {
  const Dataset data = noisy_blobs(150, 3, 11);
  for (const AnyMethod& method : {AnyMethod(Svm{}), AnyMethod(Logistic{}), AnyMethod(Knn{})})
    EXPECT_EQ(learn(method, "mkl(rbf(gamma=1), linear)", data, {.threads = 1}).weights,
              learn(method, "mkl(rbf(gamma=1), linear)", data, {.threads = 3}).weights);
}

TEST(KernelWeights, DoNotSeeRowsOfWeightZero) {
  Dataset data = noisy_wave(60, 12);
  data.weights.assign(60, 1.0);
  for (std::size_t i = 40; i < 60; ++i) data.weights[i] = 0, data.target.values[i] = 1e6;
  std::vector<std::size_t> kept(40);
  std::iota(kept.begin(), kept.end(), std::size_t(0));
  Dataset fewer = data.select_rows(kept);
  fewer.weights.clear();
  const auto weighted = learn(Ridge{}, "mkl(rbf(gamma=1), linear)", data),
             plain = learn(Ridge{}, "mkl(rbf(gamma=1), linear)", fewer);
  testing::expect_near(weighted.weights, plain.weights, 1e-6);
  data.weights.assign(60, 0.0);
  EXPECT_EQ(refusal(ErrorKind::data, [&] { learn(Ridge{}, "mkl(rbf(gamma=1), linear)", data); }),
            "there are no rows to learn from");
}

TEST(KernelWeights, TakeSmallAndPlainData) {
  for (const std::size_t n : {1u, 2u, 3u}) {
    const Model model =
        fit(Ridge{}, Kernel::parse("mkl(rbf(gamma=1), poly(degree=2), constant)"), testing::wave(n, 1));
    testing::expect_finite(model, testing::wave(n, 1).points);
  }
  Dataset flat = testing::wave(30, 2);
  flat.target.values.assign(30, 2.5);
  const Model model = fit(Svr{}, Kernel::parse("mkl(rbf(gamma=1), linear)"), flat);
  EXPECT_NEAR(testing::diagnostic(model, "kernel_shares", "linear"), 0.5, 1e-12);
  ASSERT_EQ(model.fitted.report.warnings.size(), 2u);
  EXPECT_EQ(model.fitted.report.warnings[0].text,
            "mkl: no kernel agrees with the target; all have the same share");
  EXPECT_EQ(model.fitted.report.warnings[1].text,
            "mkl: the function fitted is constant, so that nothing tells the kernels apart; their weights "
            "are those of greatest alignment");
}

TEST(KernelWeights, RefuseWhatHasNoTargetOrNoKernel) {
  const Dataset data = noisy_wave(30, 13);
  EXPECT_EQ(
      refusal(ErrorKind::usage, [&] { fit(OneClass{}, Kernel::parse("mkl(linear, delta)"), data); }),
      "mkl learns its weights from a target, and one_class has none; write a sum with weights of your own");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { fit(Svr{}, Kernel::parse("mkl(linear, sigmoid)"), data); })
                .find("mkl(linear, sigmoid(scale=1, offset=0)) is not proved positive semidefinite: "
                      "sigmoid is not"),
            0u);
  EXPECT_EQ(refusal(ErrorKind::data, [&] { fit(Svr{}, Kernel::parse("mkl(linear, 0*delta)"), data); }),
            "mkl: 0*delta is 0 on the rows to learn from; leave it out");
  EXPECT_EQ(
      refusal(ErrorKind::data,
              [&] { fit(Svr{}, Kernel::parse("mkl(linear, -delta)"), data, {.allow_indefinite = true}); }),
      "mkl: -1*delta is negative on the whole on the rows to learn from; leave it out");
  // An indefinite kernel that is taken all the same has no ‖f‖²: the alignment decides.
  const Model taken =
      fit(Svr{}, Kernel::parse("mkl(linear, sigmoid(scale=0.1))"), data, {.allow_indefinite = true});
  EXPECT_TRUE(std::isnan(testing::diagnostic(taken, "kernel_weight_rounds")));
}

TEST(KernelWeights, StopWhenAskedAndWhenTheTimeIsOver) {
  const Dataset data = noisy_blobs(300, 2, 14);
  const Kernel kernel = Kernel::parse("mkl(rbf(gamma=1), linear, poly(degree=2))");
  const auto stop = [](std::string_view what, double) {
    return what.find("kernel weights") == std::string_view::npos;
  };
  EXPECT_EQ(refusal(ErrorKind::cancelled, [&] { fit(Svm{}, kernel, data, {.progress = stop}); }),
            "stopped before the end");
  const KernelWeights hurried =
      learn(Svm{}, "mkl(rbf(gamma=1), linear, poly(degree=2))", data, {.seconds = 1e-9});
  EXPECT_TRUE(hurried.cut_short);
  EXPECT_EQ(hurried.rounds, 0u) << "the weights of greatest alignment are there all the same";
  EXPECT_NEAR(std::accumulate(hurried.shares.begin(), hurried.shares.end(), 0.0), 1, 1e-12);
}

}  // namespace
}  // namespace mercer

// Primal or dual, exact or approximate: when features are taken, and that a model with them is a model.
#include "model/solver_plan.hpp"

#include "base/copy_of.hpp"
#include "base/random.hpp"
#include "mercer/plan.hpp"
#include "model/models.hpp"

namespace mercer {
namespace {

SolverPlan choose(const AnyMethod& method, const std::string& kernel, std::size_t n,
                  const FitOptions& options = {}) {
  const Points points = testing::wave(n, 3).points;
  return plan_solver(*method, Kernel::parse(kernel).resolve(points), points, options);
}

TEST(SolverPlan, IsPrimalWhereExplicitFeaturesCostLess) {
  EXPECT_TRUE(choose(Ridge{}, "poly(degree=2)", 200).map);
  EXPECT_EQ(choose(Ridge{}, "poly(degree=2)", 200).why,
            "primal: 6 explicit features of poly(degree=2, scale=1, offset=1) cost less than 200 rows of K");
  EXPECT_FALSE(choose(Ridge{}, "poly(degree=20)", 200).map);  // 231 features
  EXPECT_FALSE(choose(Ridge{}, "rbf(gamma=1)", 200).map);     // infinitely many
  EXPECT_FALSE(choose(Ridge{}, "linear", 200).map);           // the points themselves
  for (const char* own : {"linear", "2*linear"})
    EXPECT_EQ(choose(Ridge{}, own, 200).features->features(), 2u);
  EXPECT_FALSE(choose(Ridge{}, "linear", 2).features);  // no fewer than rows
  EXPECT_TRUE(choose(Ridge{}, "linear", 2, {.solver = "primal"}).features);
  EXPECT_FALSE(choose(Ridge{}, "linear", 200, {.solver = "cholesky"}).features);
  EXPECT_FALSE(choose(Svm{}, "linear", 150).features);
  EXPECT_EQ(choose(Svm{}, "linear", 200).features->features(), 2u);  // descent over the columns
  EXPECT_FALSE(choose(Svm{}, "poly(degree=2)", 200).features);       // a blink over K
  EXPECT_EQ(choose(Svm{}, "poly(degree=2)", 2000).features->features(), 6u);
  EXPECT_FALSE(choose(Svm{}, "poly(degree=2)", 2000).map);  // the model is over the support vectors
  EXPECT_EQ(choose(Svr{}, "linear", 2000).why, "primal: 2 features of linear cost less than 2000 rows of K");
  EXPECT_FALSE(choose(Svm{}, "poly(degree=20)", 2000).features);
  EXPECT_TRUE(choose(Svm{}, "poly(degree=20)", 200, {.solver = "primal"}).features);
  for (const FitOptions& over_K :
       {FitOptions{.solver = "dual"}, FitOptions{.most_steps = 5}, FitOptions{.approx = "none"}})
    EXPECT_FALSE(choose(Svm{}, "poly(degree=2)", 2000, over_K).features);
  EXPECT_TRUE(choose(Svm{}, "rbf(gamma=1)", 2000, {.approx = "nystrom:20"}).features);
  EXPECT_FALSE(choose(Svm{}, "rbf(gamma=1)", 200, {.approx = "nystrom:20"}).features);  // a table of them
  EXPECT_FALSE(choose(Ridge{}, "poly(degree=2)", 200, {.approx = "none"}).map);
  EXPECT_FALSE(choose(Ridge{}, "poly(degree=2)", 200, {.solver = "cg"}).map);
  EXPECT_TRUE(choose(Ridge{}, "poly(degree=20)", 50, {.solver = "primal"}).map);
}

TEST(SolverPlan, RefusesWhatDoesNotExist) {
  EXPECT_EQ(refusal(ErrorKind::usage, [] { choose(Ridge{}, "rbf(gamma=1)", 20, {.solver = "primal"}); }),
            "rbf(gamma=1) has no finite explicit features; leave the choice of the solver open, or use a "
            "kernel approximation such as nystrom:2000");
  EXPECT_NE(refusal(ErrorKind::usage, [] { choose(Ridge{}, "rbf(gamma=1)", 20, {.approx = "nystrm:20"}); })
                .find("nystrom"),
            std::string::npos);
  EXPECT_EQ(
      refusal(ErrorKind::budget,
              [] { choose(Ridge{}, "rbf(gamma=1)", 200, {.memory = 100'000, .approx = "fourier:64"}); }),
      "solving for 64 features takes 0.2 MB, but 0.1 MB are allowed; take fewer");
  const Model earlier = fit(Svm{}, Kernel::parse("rbf(gamma=1)"), testing::blobs(20, 2, 1));
  EXPECT_NE(refusal(ErrorKind::usage,
                    [&] { choose(Svm{}, "rbf(gamma=1)", 20, {.approx = "nystrom:5", .resume = &earlier}); }),
            "no error");
}

TEST(SolverPlan, PrimalAndDualPredictTheSame) {
  const Dataset real = testing::wave(60, 3), classes = testing::blobs(60, 3, 4);
  for (const AnyMethod& method : {AnyMethod(Ridge{.lambda = 0.01}), AnyMethod(Logistic{.lambda = 0.01}),
                                  AnyMethod(Huber{.lambda = 0.01})}) {
    const Dataset& data = method->traits().task == Task::regression ? real : classes;
    const Kernel kernel = Kernel::parse("poly(degree=2, offset=0.5)");
    FitOptions dual = testing::tight(1e-9), primal = testing::tight(1e-9);
    dual.approx = "none";
    const Model one = fit(method, kernel, data, dual), other = fit(method, kernel, data, primal);
    EXPECT_FALSE(one.map);
    ASSERT_TRUE(other.map) << method->name();
    testing::expect_near(other.predict(data.points).scores, one.predict(data.points).scores, 1e-6,
                         std::string(method->name()));
    EXPECT_NEAR(*other.fitted.report.norm, *one.fitted.report.norm, 1e-5 * *one.fitted.report.norm);
    EXPECT_EQ(other.kernel().text(), one.kernel().text());
  }
}

// Methods that walk, project or find a region: the same model over columns, weighted columns, monomials and
// features of texts.
TEST(SolverPlan, EveryMethodWithAPrimalComesToTheSame) {
  Dataset texts = testing::blobs(60, 3, 4);
  const std::vector<std::string> words{"red", "green", "blue", "dark", "light", "old"};
  std::vector<std::string> lines;
  Random random(8);
  for (std::size_t i = 0; i < 60; ++i) {
    std::string line = words[std::size_t(texts.target.codes[i])];
    for (int w = 0; w < 4; ++w) line += " " + words[random.below(words.size())];
    lines.push_back(line);
  }
  texts.points =
      Points(Dense<double>{60, 0, Buffer<double>()}).with_objects({Objects("t", Domain::text, lines)});
  for (const AnyMethod& method :
       {AnyMethod(Perceptron{}), AnyMethod(Fisher{.lambda = 1e-2}), AnyMethod(OneClass{.nu = 0.3}),
        AnyMethod(Pca{.components = 2}), AnyMethod(Pca{.components = 2, .centred = false}), AnyMethod(Svm{}),
        AnyMethod(Logistic{.lambda = 0.01})})
    for (const std::string kernel : {"linear", "2*linear", "poly(degree=2, offset=0.5)", "bow"})
      for (const bool weighted : {false, true}) {
        SCOPED_TRACE(std::string(method->name()) + ", " + kernel + (weighted ? ", weighted" : ""));
        Dataset data = kernel == "bow" ? texts : testing::blobs(60, 3, 4);
        for (std::size_t i = 0; weighted && i < 60; ++i) data.weights.push_back(0.5 + double(i % 3));
        FitOptions dual = testing::tight(1e-8), primal = dual;
        dual.solver = "dual";
        primal.solver = "primal";
        const Model one = fit(method, Kernel::parse(kernel), data, dual),
                    other = fit(method, Kernel::parse(kernel), data, primal);
        EXPECT_EQ(one.fitted.report.plan.way, FitPlan::Way::dual);
        EXPECT_EQ(other.fitted.report.plan.way, FitPlan::Way::primal);
        EXPECT_GT(other.fitted.report.plan.features, 0u);
        const std::vector<double> a = one.predict(data.points).scores, b = other.predict(data.points).scores;
        double size = 0;
        for (const double score : a) size = std::max(size, std::abs(score));
        testing::expect_near(b, a, 1e-5 * size + 1e-7);
        if (one.fitted.report.norm) {
          EXPECT_NEAR(*other.fitted.report.norm, *one.fitted.report.norm,
                      1e-5 * *one.fitted.report.norm + 1e-9);
        }
        const Model back = Model::from_bytes(other.bytes());
        EXPECT_EQ(back.predict(data.points).scores, b);
      }
}

TEST(SolverPlan, IsExplainedWithTheCostOfBothWays) {
  const Dataset data = testing::blobs(300, 3, 4);
  const PlanExplanation few = explain_plan(Fisher{}, Kernel::parse("poly(degree=2)"), data);
  EXPECT_EQ(few.plan.way, FitPlan::Way::primal);
  EXPECT_EQ(few.plan.features, 10u);
  EXPECT_EQ(few.features, 10u);
  EXPECT_LT(few.primal, few.dual);
  const PlanExplanation many = explain_plan(Fisher{}, Kernel::parse("poly(degree=12)"), data);
  EXPECT_EQ(many.plan.way, FitPlan::Way::dual);
  EXPECT_EQ(many.features, 455u);
  EXPECT_GT(many.primal, many.dual);
  EXPECT_EQ(many.why, "dual: 300 rows of K cost less than 455 features");
  const PlanExplanation none = explain_plan(Svm{}, Kernel::parse("rbf(gamma=1)"), data);
  EXPECT_FALSE(none.features);
  EXPECT_NE(none.no_primal.find("no finite explicit features"), std::string::npos);
  EXPECT_EQ(explain_plan(Svm{}, Kernel::parse("linear"), data, {.solver = "dual"}).why, "dual, as asked");
  EXPECT_EQ(explain_plan(Knn{}, Kernel::parse("linear"), data).no_primal,
            "knn has no choice of primal and dual");
  for (const char* kernel : {"linear", "poly(degree=2)", "rbf(gamma=1)", "poly(degree=12)"})
    for (const AnyMethod& method : {AnyMethod(Perceptron{}), AnyMethod(Fisher{}), AnyMethod(Svm{})}) {
      const FitPlan plan = fit(method, Kernel::parse(kernel), data).fitted.report.plan,
                    told = explain_plan(method, Kernel::parse(kernel), data).plan;
      EXPECT_EQ(plan.way, told.way) << kernel << ", " << method->name();
      EXPECT_EQ(plan.features, told.features) << kernel << ", " << method->name();
    }
}

// Φ is held where the memory allows it, else computed again for each pass: the same model.
TEST(SolverPlan, ComputesFeaturesAgainWhereTheyDoNotFit) {
  const Dataset real = testing::wave(3000, 3), classes = testing::blobs(3000, 3, 4);
  for (const AnyMethod& method :
       {AnyMethod(Ridge{.lambda = 0.01}), AnyMethod(Logistic{.lambda = 0.01}), AnyMethod(Ols{})}) {
    const Dataset& data = method->traits().task == Task::classification ? classes : real;
    FitOptions held = testing::tight(1e-8), again = held;
    held.approx = again.approx = "nystrom:20:uniform";
    again.memory = 950'000;  // a table of 20 features of 3,000 rows takes 480,000 beside what solving takes
    const Model one = fit(method, Kernel::parse("rbf(gamma=0.5)"), data, held),
                other = fit(method, Kernel::parse("rbf(gamma=0.5)"), data, again);
    EXPECT_EQ(one.fitted.report.solver.find("again"), std::string::npos);
    EXPECT_NE(other.fitted.report.solver.find("computed again for each pass"), std::string::npos)
        << other.fitted.report.solver;
    testing::expect_near(other.predict(data.points).scores, one.predict(data.points).scores, 1e-7,
                         std::string(method->name()));
    EXPECT_TRUE(other.fitted.report.converged) << method->name();
  }
}

TEST(SolverPlan, EveryMethodTakesThem) {
  const testing::Scratch scratch;
  for (const AnyMethod& method : methods()) {
    if (!testing::suits(*method, "linear")) continue;  // features of rbf may have products below 0
    SCOPED_TRACE(method->name());
    const Dataset data = testing::data_for(*method, 60);
    const Model model =
        fit(method, Kernel::parse("rbf(gamma=0.5)"), data, {.approx = "nystrom:20"}, Scaling::Kind::standard);
    ASSERT_TRUE(model.map);
    EXPECT_EQ(model.kernel().text(), "rbf(gamma=0.5)");
    EXPECT_EQ(model.map->features(), 20u);
    testing::expect_finite(model, data.points, std::string(method->name()));
    model.save(scratch.path("m.mercer"));
    const Model back = Model::load(scratch.path("m.mercer"));
    EXPECT_EQ(back.predict(data.points).scores, model.predict(data.points).scores);
    EXPECT_EQ(back.kernel().text(), model.kernel().text());
    EXPECT_EQ(back.map->text(), "nystrom:20");
  }
}

TEST(SolverPlan, ComesBackFromAFileForEveryMap) {
  const testing::Scratch scratch;
  const Dataset data = testing::wave(50, 5);
  for (const auto& [approx, kernel] : {std::pair{"nystrom:10:uniform", "laplace(lambda=1)"},
                                       {"fourier:32", "rbf(gamma=1)"},
                                       {"sketch:32", "poly(degree=3)"},
                                       {"explicit", "poly(degree=2)"}}) {
    const Model model = fit(Ridge{}, Kernel::parse(kernel), data, {.approx = approx});
    model.save(scratch.path("m.mercer"));
    EXPECT_EQ(Model::load(scratch.path("m.mercer")).predict(data.points).scores,
              model.predict(data.points).scores)
        << approx;
  }
}

TEST(SolverPlan, AllLandmarksGiveTheExactModel) {
  const Dataset data = testing::wave(30, 6);
  const Kernel kernel = Kernel::parse("laplace(lambda=1)");
  const Model exact = fit(Ridge{.lambda = 1e-3}, kernel, data),
              all = fit(Ridge{.lambda = 1e-3}, kernel, data, {.approx = "nystrom:30"});
  const Points fresh = testing::wave(40, 7).points;
  testing::expect_near(all.predict(fresh).scores, exact.predict(fresh).scores, 1e-7, "nystrom of all rows");
}

// Far from all rows nothing is known of a Gaussian process: its variance is the factor that was found, also
// with features.
TEST(SolverPlan, VarianceGrowsWhereTheFeaturesEnd) {
  const Dataset data = testing::wave(60, 8);
  const Model model = fit(Gp{}, Kernel::parse("rbf(gamma=0.5)"), data, {.approx = "nystrom:15"});
  double factor = 0;
  if (const Diagnostic* found = model.fitted.report.diagnostic("factor")) factor = found->values[0];
  ASSERT_GT(factor, 0);
  EXPECT_NEAR(model.variances(Points(std::vector<std::vector<double>>{{100, 100}}))[0], factor,
              1e-9 * factor);
  EXPECT_LT(model.variances(data.points.select_rows(std::vector<std::size_t>{3}))[0], 0.5 * factor);
}

// A kernel that names its columns has the same features as one that numbers them, in the fit, the file and
// the prediction.
TEST(SolverPlan, ColumnsByNameArePrimalToo) {
  Dataset data = testing::wave(200, 3);
  data.points = Points(Dense<double>{200, 2, copy_of(std::get<Dense<double>>(data.points.storage()).values)},
                       {"x1", "x2"});
  for (const FitOptions& options : {FitOptions{}, FitOptions{.approx = "explicit"}}) {
    const Model named = fit(Ridge{}, Kernel::parse("poly(degree=2)@x1"), data, options),
                numbered = fit(Ridge{}, Kernel::parse("poly(degree=2)@1"), data, options);
    ASSERT_TRUE(named.map && numbered.map);
    EXPECT_EQ(named.map->features(), 3u);
    EXPECT_EQ(named.predict(data.points).values, numbered.predict(data.points).values);
    EXPECT_EQ(Model::from_bytes(named.bytes()).predict(data.points).values,
              named.predict(data.points).values);
  }
}

// Nyström features that do not fit are computed again in each pass; the model is over the landmarks, and the
// same as with features that are held.
TEST(SolverPlan, StreamsNystromFeaturesThatDoNotFit) {
  const Dataset data = testing::wave(4000, 3);
  const Kernel kernel = Kernel::parse("rbf(gamma=1)");
  const SolverPlan plan = plan_solver(*AnyMethod(Ridge{}), kernel, data.points,
                                      {.memory = 40'000'000, .approx = "nystrom:600:uniform"});
  EXPECT_FALSE(plan.map);
  ASSERT_TRUE(plan.features->landmarks());
  EXPECT_TRUE(plan.over_features());
  const AnyMethod ridge = Ridge{.lambda = 1e-4};
  const Model streamed = fit(ridge, kernel, data, {.memory = 40'000'000, .approx = "nystrom:600:uniform"});
  EXPECT_TRUE(streamed.fitted.report.converged);
  EXPECT_FALSE(streamed.map);
  EXPECT_EQ(streamed.fitted.report.plan.way, FitPlan::Way::primal);
  EXPECT_LE(streamed.fitted.expansion.points.rows(), 600u);
  const Model exact = fit(ridge, kernel, data, {.approx = "none"});
  const std::vector<double> a = streamed.predict(data.points).scores, b = exact.predict(data.points).scores;
  for (std::size_t i = 0; i < a.size(); ++i) EXPECT_NEAR(a[i], b[i], 1e-3);
  EXPECT_NE(
      refusal(ErrorKind::budget,
              [&] { fit(ridge, kernel, data, {.memory = 10'000'000, .approx = "nystrom:600:uniform"}); })
          .find("landmarks fit, or raise the memory"),
      std::string::npos);
}

// Methods of every kind of loss over streamed features: as over those that are held.
TEST(SolverPlan, StreamsForEveryLoss) {
  const Dataset real = testing::wave(3000, 3), classes = testing::blobs(3000, 3, 4);
  const testing::Scratch scratch;
  for (const AnyMethod& method : methods()) {
    if (method->traits().work != SolverWork::systems || !supervised(method->traits().task) ||
        std::ranges::find(method->traits().solvers, "primal") == method->traits().solvers.end())
      continue;
    SCOPED_TRACE(method->name());
    Dataset data = method->traits().task == Task::classification ? classes : real;
    if (method->name() == "poisson")
      for (double& y : data.target.values) y = std::abs(y);
    FitOptions held = testing::tight(1e-6), again = held;
    held.approx = again.approx = "nystrom:20:uniform";
    again.memory = 950'000;
    const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
    const Model one = fit(method, kernel, data, held), other = fit(method, kernel, data, again);
    EXPECT_TRUE(one.map);
    EXPECT_FALSE(other.map);
    EXPECT_TRUE(other.fitted.report.converged);
    const std::vector<double> scores = other.predict(data.points).scores;
    testing::expect_near(scores, one.predict(data.points).scores, 1e-3, std::string(method->name()));
    other.save(scratch.path("m.mercer"));
    EXPECT_EQ(Model::load(scratch.path("m.mercer")).predict(data.points).scores, scores);
  }
}

// The penalty that is selected is that of features that are held.
TEST(SolverPlan, SelectsLambdaOverStreamedFeatures) {
  const Dataset data = testing::wave(3000, 3);
  for (const auto select : {Ridge::Select::loo, Ridge::Select::gcv}) {
    FitOptions held = testing::tight(1e-8), again = held;
    held.approx = again.approx = "nystrom:20:uniform";
    again.memory = 950'000;
    const AnyMethod ridge = Ridge{.select = select};
    const Model one = fit(ridge, Kernel::parse("rbf(gamma=0.5)"), data, held),
                other = fit(ridge, Kernel::parse("rbf(gamma=0.5)"), data, again);
    for (const char* id : {"leave_one_out_rmse", "gcv_rmse"}) {
      const double expected = one.fitted.report.diagnostic(id)->values[0];
      EXPECT_NEAR(other.fitted.report.diagnostic(id)->values[0], expected, 1e-3 * expected);
    }
  }
}

}  // namespace
}  // namespace mercer

// What any is_svm does with hard or bad data: a clear Error or a finite model, never anything else.
#include "methods/svm_trainer.hpp"

#include <numeric>

#include "methods/problems.hpp"

namespace mercer {
namespace {

using testing::blobs;
using testing::two_classes;

Model fit_svm(const Dataset& data, const std::string& kernel = "rbf(gamma=1)", const FitOptions& options = {},
              Svm svm = {}) {
  return fit(svm, Kernel::parse(kernel), data, options);
}
std::string data_refusal(const Dataset& data, const std::string& kernel = "rbf(gamma=1)",
                         const FitOptions& options = {}) {
  return refusal(ErrorKind::data, [&] { fit_svm(data, kernel, options); });
}
std::string usage_refusal(const Dataset& data, const std::string& kernel, const FitOptions& options) {
  return refusal(ErrorKind::usage, [&] { fit_svm(data, kernel, options); });
}

TEST(SvmTrainer, NeedsTwoClasses) {
  Dataset one = blobs(10, 1, 1);
  EXPECT_EQ(data_refusal(one), "all rows have the label '1'; two classes or more are needed");
  EXPECT_EQ(data_refusal(one.points.rows() ? testing::choose(one, {}) : one),
            "there are no rows to learn from");
  Dataset three = blobs(9, 3, 1);
  three.weights.assign(9, 1.0);
  for (const std::size_t i : {1u, 4u, 7u}) three.weights[i] = 0;
  EXPECT_EQ(data_refusal(three), "class '2' has no row with weight above 0");
  three.weights.assign(9, 0.0);
  EXPECT_NE(data_refusal(three), "no error");
  three.target = {};
  EXPECT_NE(refusal(ErrorKind::data, [&] { fit(OneClass{}, Kernel::parse("linear"), three); }), "no error");
}

TEST(SvmTrainer, NeedsATargetThatFitsTheMethod) {
  Dataset none = blobs(10, 2, 1), real = testing::wave(10, 1), words = blobs(10, 2, 1);
  none.target = {};
  EXPECT_EQ(data_refusal(none), "svm needs a target, and the data have none; name the target column");
  EXPECT_EQ(data_refusal(real),
            "svm needs classes, but the target is numeric; take a method for numeric targets, or read it as "
            "classes");
  words.target.labels = {"yes, really", "no"};
  EXPECT_NE(refusal(ErrorKind::data, [&] { fit(Svr{}, Kernel::parse("linear"), words); }), "no error");
  EXPECT_EQ(fit(Svr{}, Kernel::parse("linear"), blobs(10, 2, 1)).labels, std::vector<std::string>());
}

TEST(SvmTrainer, WeightsAreNumbersFromZeroUp) {
  for (const double bad : {-1.0, std::nan(""), std::numeric_limits<double>::infinity()}) {
    Dataset data = blobs(10, 2, 1);
    data.weights.assign(10, 1.0);
    data.weights[6] = bad;
    EXPECT_EQ(data_refusal(data).substr(0, 23), "the weight of row 7 is ") << bad;
  }
}

TEST(SvmTrainer, ClassWeightsAreChecked) {
  const Dataset data = blobs(12, 3, 1);
  EXPECT_EQ(usage_refusal(data, "linear", {.class_weights = {{"4", 2.0}}}),
            "a class weight is given for '4', which is not a class; they are 1, 2, 3");
  EXPECT_EQ(usage_refusal(data, "linear", {.class_weights = {{"2", -1.0}}}),
            "the weight of class '2' is -1; it must be > 0");
  EXPECT_EQ(usage_refusal(data, "linear", {.class_weights = {{"2", std::nan("")}}}),
            "the weight of class '2' is nan; it must be > 0");
  const Dataset real = testing::wave(12, 1);
  for (const FitOptions& options :
       {FitOptions{.balanced = true}, FitOptions{.class_weights = {{"1", 2.0}}}}) {
    EXPECT_EQ(refusal(ErrorKind::usage, [&] { fit(Svr{}, Kernel::parse("linear"), real, options); }),
              "class weights need classes, and the data have none");
    Dataset none = data;
    none.target = {};
    EXPECT_NE(refusal(ErrorKind::usage, [&] { fit(OneClass{}, Kernel::parse("linear"), none, options); }),
              "no error");
  }
}

TEST(SvmTrainer, ClassWeightsAreFactorsOnTheRows) {
  Dataset data = blobs(31, 3, 4, 2);
  const Model by_class =
      fit_svm(data, "rbf(gamma=1)", {.tolerance = 1e-6, .class_weights = {{"1", 3.0}, {"3", 0.5}}});
  const Model balanced = fit_svm(data, "rbf(gamma=1)", {.tolerance = 1e-6, .balanced = true});
  Dataset weighted = data;
  const double factors[] = {3, 1, 0.5}, counts[] = {11, 10, 10};
  for (const std::int32_t code : data.target.codes) weighted.weights.push_back(factors[code]);
  EXPECT_EQ(fit_svm(weighted, "rbf(gamma=1)", {.tolerance = 1e-6}).predict(data.points).scores,
            by_class.predict(data.points).scores);
  weighted.weights.clear();
  for (const std::int32_t code : data.target.codes) weighted.weights.push_back(31 / (3 * counts[code]));
  EXPECT_EQ(fit_svm(weighted, "rbf(gamma=1)", {.tolerance = 1e-6}).predict(data.points).scores,
            balanced.predict(data.points).scores);
  EXPECT_NE(by_class.predict(data.points).scores, balanced.predict(data.points).scores);
}

TEST(SvmTrainer, SmallestProblems) {
  EXPECT_NE(data_refusal(two_classes({{1, 2}}, {0})), "no error");
  const Dataset two = two_classes({{0, 0}, {1, 1}}, {0, 1});
  const Model model = fit_svm(two, "linear", testing::tight(), {.C = 10});
  testing::expect_near(model.predict(two.points).scores, {-1, 1}, 1e-5);
  EXPECT_EQ(model.predict(two.points).codes, (std::vector<std::int32_t>{0, 1}));
  Dataset single = testing::wave(1, 1);
  EXPECT_NEAR(fit(Svr{}, Kernel::parse("linear"), single).predict(single.points).values[0],
              single.target.values[0], 0.1001);
  testing::expect_finite(fit(NuSvr{}, Kernel::parse("linear"), single), single.points, "nu_svr");
  single.target = {};
  testing::expect_finite(fit(OneClass{}, Kernel::parse("rbf(gamma=1)"), single), single.points, "one_class");
}

TEST(SvmTrainer, DegeneratePointsGiveFiniteModels) {
  Dataset same = blobs(12, 2, 1), contradiction = blobs(12, 2, 1), constant = blobs(12, 2, 1);
  testing::Table equal(12, {1, 2, 3}), twice, column;
  for (std::size_t i = 0; i < 12; ++i) {
    twice.push_back(contradiction.points.row(i - i % 2));  // each point with both labels
    column.push_back(constant.points.row(i));
    column.back()[1] = 7;
  }
  same.points = Points(equal);
  contradiction.points = Points(twice);
  constant.points = Points(column);
  for (const Dataset& data : {same, contradiction, constant})
    for (const char* kernel : {"linear", "rbf(gamma=1)", "rbf(gamma=scale)", "rbf(gamma=median)",
                               "rbf(gamma=1e9)", "constant(c=1)", "center(linear)"})
      for (const double C : {1e-300, 1.0, 1e6})
        for (const Scaling::Kind scaling : {Scaling::Kind::none, Scaling::Kind::standard}) {
          const std::string what = std::string(kernel) + ", C = " + std::to_string(C);
          try {
            testing::expect_finite(fit(Svm{.C = C}, Kernel::parse(kernel), data, {}, scaling), data.points,
                                   what);
          } catch (const Error& error) {  // auto and median of equal points
            EXPECT_TRUE(std::string(kernel).starts_with("rbf(gamma=") && error.kind() == ErrorKind::data)
                << what << ": " << error.what();
          }
        }
}

TEST(SvmTrainer, ExtremePricesGiveFiniteModels) {
  const Dataset apart = blobs(20, 2, 3, 0.1), mixed = blobs(20, 2, 3, 5);
  for (const double C : {1e-300, 1e-30, 1e30, 1e300}) {
    testing::expect_finite(fit_svm(apart, "linear", {}, {.C = C}), apart.points, "apart");
    testing::expect_finite(fit_svm(mixed, "rbf(gamma=10)", {}, {.C = C}), mixed.points, "mixed");
    testing::expect_finite(fit(Svr{.C = C}, Kernel::parse("rbf(gamma=10)"), testing::wave(20, 1)),
                           testing::wave(20, 1).points, "svr");
  }
  EXPECT_EQ(fit_svm(apart, "linear", {}, {.C = 1e-300}).fitted.report.converged, true);
  // A C that overflows is refused rather than taken for a hard margin.
  EXPECT_NE(refusal(ErrorKind::usage, [&] { fit_svm(mixed, "linear", {}, {.lambda = 1e-320}); }), "no error");
  Dataset heavy = mixed;
  heavy.weights.assign(20, 1e200);
  EXPECT_NE(refusal(ErrorKind::usage, [&] { fit_svm(heavy, "linear", {}, {.C = 1e200}); }), "no error");
}

TEST(SvmTrainer, AKernelThatSeesOnlyThePointItselfIsLearnedByHeart) {
  const Dataset data = blobs(20, 2, 3, 2);
  const Model model = fit_svm(data, "rbf(gamma=1e9)", testing::tight());
  EXPECT_EQ(testing::accuracy(model, data), 1);
  EXPECT_EQ(model.fitted.report.support_vectors, 20u);
}

Dataset far(double size) {
  Dataset data = blobs(12, 2, 3, 0.2);
  testing::Table rows;
  for (std::size_t i = 0; i < 12; ++i) {
    rows.push_back(data.points.row(i));
    for (double& value : rows.back()) value *= size;
  }
  data.points = Points(rows);
  return data;
}

TEST(SvmTrainer, NumbersBeyondFloat32AreTakenInFloat64) {
  const Dataset data = far(1e30), small = far(1);
  for (const char* kernel : {"linear", "rbf(gamma=1e-60)", "poly(degree=2, scale=1e-60, offset=1)"}) {
    const Model model =
        fit_svm(data, kernel, {.tolerance = 1e-4}, {.C = std::string(kernel) == "linear" ? 1e-50 : 1.0});
    testing::expect_finite(model, data.points, kernel);
    EXPECT_TRUE(model.fitted.report.converged) << kernel;
    EXPECT_EQ(testing::accuracy(model, data), 1) << kernel;
  }
  testing::expect_near(fit_svm(data, "rbf(gamma=1e-60)", testing::tight()).predict(data.points).scores,
                       fit_svm(small, "rbf(gamma=1)", testing::tight()).predict(small.points).scores, 1e-4);
}

// float32 rows of K lose what tells the points apart; float64 goes on where they stop.
TEST(SvmTrainer, ALinearKernelFarFromTheOriginIsLearnedAllTheSame) {
  const Dataset data = blobs(60, 2, 2, 0.5);
  const std::vector<double> near = fit_svm(data, "linear", testing::tight(1e-4)).predict(data.points).scores;
  for (const double shift : {1e3, 1e4}) {
    Dataset shifted = data;
    testing::Table rows;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      rows.push_back(data.points.row(i));
      for (double& value : rows.back()) value += shift;
    }
    shifted.points = Points(rows);
    const Model model = fit_svm(shifted, "linear", testing::tight(1e-4));
    EXPECT_TRUE(model.fitted.report.converged) << shift;
    testing::expect_near(model.predict(shifted.points).scores, near, 1e-2, std::to_string(shift));
  }
}

TEST(SvmTrainer, NumbersBeyondFloat64AreRefusedByTheUsersRows) {
  Dataset data = blobs(12, 2, 3);
  testing::Table rows;
  for (std::size_t i = 0; i < 12; ++i) rows.push_back(data.points.row(i));
  rows[5][1] = 1e200;  // of the second class: in the layout by classes it is another row
  data.points = Points(rows);
  const std::string linear = data_refusal(data, "linear");
  EXPECT_NE(linear.find("row 6"), std::string::npos) << linear;
  data.weights.assign(12, 1.0);
  data.weights[0] = data.weights[1] = 0;
  EXPECT_NE(data_refusal(data, "linear").find("row 6"), std::string::npos) << data_refusal(data, "linear");
}

TEST(SvmTrainer, ABudgetBelowTwoRowsIsRefused) {
  const Dataset data = blobs(3000, 2, 1);
  EXPECT_NE(
      refusal(ErrorKind::budget, [&] { fit_svm(data, "rbf(gamma=1)", {.memory = 1000}); }).find("two rows"),
      std::string::npos);
  EXPECT_NE(
      refusal(ErrorKind::budget, [&] { fit_svm(data, "rbf(gamma=1)", {.memory = 0}); }).find("two rows"),
      std::string::npos);
}

TEST(SvmTrainer, ASmallBudgetGivesTheSameMachine) {
  const Dataset data = blobs(400, 3, 1, 2);
  const Model rich = fit_svm(data, "rbf(gamma=1)", testing::tight());
  FitOptions options = testing::tight();
  options.memory = 40'000;
  const Model poor = fit_svm(data, "rbf(gamma=1)", options);
  EXPECT_TRUE(poor.fitted.report.converged);
  EXPECT_GT(poor.fitted.report.kernel_evaluations, rich.fitted.report.kernel_evaluations);
  testing::expect_near(poor.predict(data.points).scores, rich.predict(data.points).scores, 1e-4);
}

TEST(SvmTrainer, UnprovedKernelsAreRefusedUnlessAllowed) {
  const Dataset data = blobs(20, 2, 3);
  for (const char* kernel : {"sigmoid(scale=1, offset=-1)", "linear - rbf(gamma=1)"}) {
    EXPECT_NE(usage_refusal(data, kernel, {}).find("is not proved positive semidefinite"), std::string::npos)
        << kernel;
    const Model model = fit_svm(data, kernel, {.allow_indefinite = true});
    testing::expect_finite(model, data.points, kernel);
    ASSERT_EQ(model.fitted.report.warnings.size() > 0, true);
    EXPECT_NE(model.fitted.report.warnings.back().text.find("local"), std::string::npos);
  }
}

TEST(SvmTrainer, TolerancesBelowZeroAreRefused) {
  for (const double bad : {0.0, -1.0, std::nan("")})
    EXPECT_NE(usage_refusal(blobs(9, 2, 1), "linear", {.tolerance = bad}), "no error") << bad;
}

TEST(SvmTrainer, DataThatContradictThemselvesAreRefused) {
  Dataset weights = blobs(9, 2, 1), codes = weights, values = testing::wave(9, 1);
  weights.weights = {1, 2};
  codes.target.codes.pop_back();
  values.target.values.push_back(1);
  EXPECT_EQ(data_refusal(weights), "there are 2 weights for 9 rows");
  EXPECT_EQ(data_refusal(codes), "the target has 8 entries for 9 rows");
  EXPECT_EQ(refusal(ErrorKind::data, [&] { fit(Svr{}, Kernel::parse("linear"), values); }),
            "the target has 10 entries for 9 rows");
}

/// Every method, and each way of several classes.
std::vector<AnyMethod> resumable() {
  std::vector<AnyMethod> all = testing::svms();
  Svm rest{.C = 2};
  rest.multiclass = Svm::Multiclass::ovr;
  all.push_back(rest);
  return all;
}

TEST(SvmTrainer, AloneGoesOnFromAnEarlierModel) {
  for (const AnyMethod& method : methods()) {
    const auto svms = testing::svms();
    const bool is_svm =
        std::ranges::any_of(svms, [&](const AnyMethod& other) { return other->name() == method->name(); });
    EXPECT_EQ(method->traits().resumable, is_svm) << method->name();
  }
  const Dataset data = testing::wave(20, 1);
  const Model first = fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), data);
  EXPECT_EQ(refusal(ErrorKind::usage,
                    [&] { fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), data, {.resume = &first}); }),
            "ridge cannot be warm-started from a model; start without a model");
}

TEST(SvmTrainer, GoesOnFromAnEarlierModel) {
  for (const AnyMethod& method : resumable()) {
    SCOPED_TRACE(method->name());
    Dataset data = testing::data_for(*method, 60, 3);
    std::vector<std::size_t> rows(60);
    std::iota(rows.begin(), rows.end(), std::size_t(0));
    rows.insert(rows.end(), {5, 5, 8});  // some of them twice and more
    data = testing::choose(data, rows);
    const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
    const FitOptions fine{.tolerance = 1e-6};
    const Model first = fit(method, kernel, data, fine);
    FitOptions again = fine;
    again.resume = &first;
    const Model same = fit(method, kernel, data, again);
    EXPECT_LE(same.fitted.report.iterations, 10u) << first.fitted.report.iterations << " at first";
    EXPECT_GT(first.fitted.report.iterations, 20u);
    EXPECT_NEAR(same.fitted.report.objective, first.fitted.report.objective,
                1e-7 * std::abs(first.fitted.report.objective));

    // From a rough answer, from other rows and from those of half the data: to the same optimum.
    const Model rough = fit(method, kernel, data, {.tolerance = 0.5});
    again.resume = &rough;
    EXPECT_NEAR(fit(method, kernel, data, again).fitted.report.objective, first.fitted.report.objective,
                1e-5 * std::abs(first.fitted.report.objective));
    std::vector<std::size_t> half;
    for (std::size_t i = 0; i < 63; ++i)
      if (i % 7 < 4) half.push_back(62 - i);
    const Model part = fit(method, kernel, testing::choose(data, half), fine);
    again.resume = &part;
    EXPECT_NEAR(fit(method, kernel, data, again).fitted.report.objective, first.fitted.report.objective,
                1e-5 * std::abs(first.fitted.report.objective));
    again.resume = &first;
    EXPECT_NEAR(fit(method, kernel, testing::choose(data, half), again).fitted.report.objective,
                part.fitted.report.objective, 1e-5 * std::abs(part.fitted.report.objective));
  }
}

TEST(SvmTrainer, GoesOnWithAnotherPrice) {
  const Dataset data = blobs(80, 3, 4);
  const Kernel kernel = Kernel::parse("rbf(gamma=0.5)");
  const Model first = fit(Svm{.C = 1}, kernel, data, {.tolerance = 1e-6});
  for (const double C : {0.01, 0.5, 1.5, 40.0}) {
    const Model anew = fit(Svm{.C = C}, kernel, data, {.tolerance = 1e-6}),
                on = fit(Svm{.C = C}, kernel, data, {.tolerance = 1e-6, .resume = &first});
    EXPECT_NEAR(anew.fitted.report.objective, on.fitted.report.objective,
                1e-5 * std::abs(anew.fitted.report.objective))
        << C;
  }
  const Model hard = fit(Svm{.C = std::numeric_limits<double>::infinity()}, kernel, data);
  const Model again = fit(Svm{.C = std::numeric_limits<double>::infinity()}, kernel, data, {.resume = &hard});
  EXPECT_NEAR(hard.fitted.report.objective, again.fitted.report.objective,
              1e-3 * std::abs(hard.fitted.report.objective));
}

TEST(SvmTrainer, GoesOnOnlyFromAModelOfTheSameKind) {
  const Dataset data = blobs(30, 3, 4);
  const Model pairs = fit_svm(data);
  const auto refused = [&](const AnyMethod& method, const Dataset& rows) {
    return refusal(ErrorKind::usage, [&] { fit(method, Kernel::parse("linear"), rows, {.resume = &pairs}); });
  };
  EXPECT_EQ(refused(NuSvm{.nu = 0.1}, data), "the model for the warm start was fitted by svm, not by nu_svm");
  EXPECT_EQ(refused(Svm{}, blobs(30, 2, 4)),
            "the model for the warm start has the classes 1, 2, 3, but the data have 1, 2");
  EXPECT_EQ(refused(Svm{}, blobs(30, 3, 4, 1, 2)),
            "the model for the warm start has 3 columns, but the data have 2");
  Svm rest;
  rest.multiclass = Svm::Multiclass::ovr;
  EXPECT_EQ(refused(rest, data),
            "the model for the warm start is one-vs-one and this fit one-vs-rest, or the other way round; "
            "set multiclass alike");
  const Model other = fit(Svm{}, Kernel::parse("linear"), blobs(30, 3, 5), {.resume = &pairs});
  ASSERT_EQ(other.fitted.report.warnings.size(), 1u);
  EXPECT_EQ(other.fitted.report.warnings[0].text,
            "none of the earlier model's support vectors is among the rows: the fit started from zero");
}

TEST(SvmTrainer, EqualRowsAreAsGoodAsOneWithTheirWeight) {
  for (const AnyMethod& method : resumable()) {
    SCOPED_TRACE(method->name());
    const Dataset once = testing::data_for(*method, 45, 6);
    Dataset weighted = once;
    weighted.weights.assign(45, 1);
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < 45; ++i)
      rows.insert(rows.end(), 1 + i % 3, i), weighted.weights[i] = double(1 + i % 3);
    std::ranges::reverse(rows);
    const Model a = fit(method, Kernel::parse("rbf(gamma=0.5)"), testing::choose(once, rows),
                        {.tolerance = 1e-6}),
                b = fit(method, Kernel::parse("rbf(gamma=0.5)"), weighted, {.tolerance = 1e-6});
    EXPECT_NEAR(a.fitted.report.objective, b.fitted.report.objective,
                1e-5 * std::abs(b.fitted.report.objective));
    testing::expect_near(a.predict(once.points).scores, b.predict(once.points).scores, 1e-4);
    EXPECT_GE(a.fitted.report.support_vectors, b.fitted.report.support_vectors);
  }
}

TEST(SvmTrainer, LaysPartsOutOneBehindTheOther) {
  const Dataset data = blobs(7, 3, 1);
  const FitOptions options{};
  const Kernel kernel = Kernel::parse("linear");
  const Training training{data.points, data.target, {1, 1, 0, 1, 2, 1, 1}, kernel, options, 1e-3};
  const SvmTrainer trainer(training, rows_by_class(training), Rule::one_vs_one, 2, 3);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < trainer.size(); ++i) rows.push_back(trainer.row(i));
  EXPECT_EQ(rows, (std::vector<std::size_t>{0, 3, 6, 1, 4, 5}));
  EXPECT_EQ(trainer.part(0).size(), 3u);
  EXPECT_EQ(trainer.part(1).begin, 3u);
  EXPECT_EQ(trainer.part(2).begin, 5u);
  EXPECT_EQ(trainer.part(2).end, 6u);
  EXPECT_EQ(trainer.weight(4), 2);
  double largest = 0;
  for (const std::size_t i : rows)
    largest = std::max(largest, testing::dot(data.points.row(i), data.points.row(i)));
  EXPECT_NEAR(trainer.largest_diagonal(), largest, 1e-12);
}

}  // namespace
}  // namespace mercer

#include "methods/agreement.hpp"

namespace mercer {
namespace {

using testing::blobs;
using testing::two_classes;
constexpr double infinity = std::numeric_limits<double>::infinity();

// The coefficients of every problem sum to 0, so that k and center(k) give the same f.            Schölkopf
// 2000
TEST(EverySvm, TakesKernelsThatAreValidConditionally) {
  for (const char* text :
       {"distance", "distance(beta=2)", "multiquadric(c=0.5)", "2*distance(beta=0.5) + rbf(gamma=1)"})
    for (const AnyMethod& method : testing::svms()) {
      if (method->name() == "one_class") continue;
      SCOPED_TRACE(std::string(text) + " " + std::string(method->name()));
      const Kernel kernel = Kernel::parse(text);
      EXPECT_EQ(kernel.properties().conditional_order, 1);
      const Dataset data = method->traits().task == Task::classification ? testing::blobs(60, 3, 2, 0.5)
                                                                         : testing::wave(60, 2);
      const Model model = fit(method, kernel, data, testing::tight(1e-7)),
                  centred = fit(method, center(kernel), data, testing::tight(1e-7));
      EXPECT_TRUE(model.fitted.report.converged && model.fitted.report.warnings.empty());
      std::vector<double> scores = model.predict(data.points).scores,
                          others = centred.predict(data.points).scores;
      if (method->name() == "nu_svr")  // where no variable is free b is not unique
        for (std::vector<double>* all : {&scores, &others}) {
          const double mean = testing::sum_of(*all) / double(all->size());
          for (double& score : *all) score -= mean;
        }
      testing::expect_near(scores, others, 2e-5);
      EXPECT_NEAR(model.fitted.report.objective, centred.fitted.report.objective,
                  1e-5 * (1 + std::abs(centred.fitted.report.objective)));
    }
}

TEST(Svm, AgreesWithLibsvmOnTwoClasses) {
  SKIP_WITHOUT_LIBSVM();
#ifdef MERCER_LIBSVM
  Random random(1);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const Dataset data = blobs(20 + random.below(30), 2, seed, random.uniform(0.5, 2));
    const auto& kernel = testing::libsvm_kernels[seed % testing::libsvm_kernels.size()];
    svm_parameter parameter = testing::libsvm_parameter(C_SVC, kernel, 1e-6);
    parameter.C = std::pow(10, random.uniform(-1.5, 1));
    testing::expect_agreement(Svm{.C = parameter.C}, data, parameter, kernel, "seed " + std::to_string(seed));
  }
#endif
}

TEST(Svm, AgreesWithLibsvmOnSeveralClassesWithWeights) {
  SKIP_WITHOUT_LIBSVM();
#ifdef MERCER_LIBSVM
  Random random(2);
  for (std::uint64_t seed = 0; seed < 30; ++seed) {
    const std::size_t classes = 3 + seed % 2;
    const Dataset data = blobs(30 + random.below(30), classes, seed, random.uniform(0.5, 2));
    const auto& kernel = testing::libsvm_kernels[seed % testing::libsvm_kernels.size()];
    svm_parameter parameter = testing::libsvm_parameter(C_SVC, kernel, 1e-6);
    int labels[] = {1, 3};
    double factors[] = {random.uniform(0.2, 5), random.uniform(0.2, 5)};
    parameter.nr_weight = 2;
    parameter.weight_label = labels;
    parameter.weight = factors;
    testing::expect_agreement(Svm{}, data, parameter, kernel, "seed " + std::to_string(seed),
                              {.class_weights = {{"1", factors[0]}, {"3", factors[1]}}});
  }
#endif
}

// The optimality conditions by double loops: nothing of the library but its coefficients and level.
TEST(Svm, SatisfiesTheOptimalityConditions) {
  for (std::uint64_t seed = 0; seed < 8; ++seed)
    for (const auto& [expression, value] : testing::plain_kernels) {
      SCOPED_TRACE(expression);
      Dataset data = blobs(40, 2, seed, 1.5);
      for (std::size_t i = 0; i < 40; ++i) data.weights.push_back(1 + double(i % 3));
      const double C = 0.7, tolerance = 1e-5;
      const Model model = fit(Svm{.C = C}, Kernel::parse(expression), data, testing::tight(tolerance));
      const std::vector<double> beta = testing::coefficients_of(model, data.points);
      const std::vector<double> f = testing::decision(data.points, beta, model.fitted.rho[0], value);
      EXPECT_NEAR(testing::sum_of(beta), 0, 1e-9);
      double hinge = 0, alphas = 0;
      std::size_t support = 0, bounded = 0;
      for (std::size_t i = 0; i < f.size(); ++i) {
        const double y = data.target.codes[i] == 0 ? 1 : -1, alpha = y * beta[i], most = C * data.weights[i],
                     slack = 1 - y * f[i];
        EXPECT_GE(alpha, 0);
        EXPECT_LE(alpha, most);
        if (alpha < most) {
          EXPECT_LE(slack, 2 * tolerance) << i;
        }
        if (alpha > 0) {
          EXPECT_GE(slack, -2 * tolerance) << i;
        }
        hinge += most * std::max(0.0, slack);
        alphas += alpha;
        support += alpha > 0;
        bounded += alpha == most;
      }
      const double norm = testing::half_norm(data.points, beta, value);
      const FitReport& r = model.fitted.report;
      EXPECT_NEAR(r.objective, norm - alphas, 1e-8 * (1 + alphas));
      EXPECT_NEAR(r.gap, norm + hinge - (alphas - norm), 1e-8 * (1 + alphas));
      EXPECT_EQ(r.support_vectors, support);
      EXPECT_EQ(r.bounded_support_vectors, bounded);
      std::vector<double> outputs = model.predict(data.points).scores;  // positive for the second class
      for (double& output : outputs) output = -output;
      testing::expect_near(outputs, f, 1e-10);
    }
}

TEST(Svm, LambdaAndTheMeanConventionArePricesInOtherWords) {
  const Dataset data = blobs(40, 2, 3, 1.5);
  const auto scores = [&](const Svm& svm, const Dataset& rows) {
    return fit(svm, Kernel::parse("rbf(gamma=1)"), rows, testing::tight()).predict(rows.points).scores;
  };
  EXPECT_EQ(scores({.C = 20, .C_convention = Svm::Convention::mean}, data), scores({.C = 0.5}, data));
  // 1 / (2·λ·40), whatever C says.
  EXPECT_EQ(scores({.C = 77, .lambda = 1.0 / 40}, data), scores({.C = 0.5}, data));
  EXPECT_NE(scores({.C = 20}, data), scores({.C = 0.5}, data));
  const Dataset three = blobs(30, 3, 3, 1.5);  // n is that of the pair
  EXPECT_EQ(scores({.C = 10, .C_convention = Svm::Convention::mean}, three), scores({.C = 0.5}, three));
  EXPECT_EQ(
      scores({.C = 15, .C_convention = Svm::Convention::mean, .multiclass = Svm::Multiclass::ovr}, three),
      scores({.C = 0.5, .multiclass = Svm::Multiclass::ovr}, three));
}

// --- The hard margin.
TEST(Svm, TheHardMarginIsTheLimitOfLargePrices) {
  for (std::uint64_t seed = 0; seed < 10; ++seed)
    for (const char* kernel : {"linear", "rbf(gamma=0.5)", "poly(degree=2, offset=1)"}) {
      const Dataset data = blobs(30, 2, seed, 0.15);
      const Model hard = fit(Svm{.C = infinity}, Kernel::parse(kernel), data, testing::tight());
      const Model soft = fit(Svm{.C = 1e6}, Kernel::parse(kernel), data, testing::tight());
      EXPECT_TRUE(hard.fitted.report.converged);
      EXPECT_EQ(hard.fitted.report.bounded_support_vectors, 0u);
      const std::vector<double> scores = hard.predict(data.points).scores;
      for (std::size_t i = 0; i < data.rows(); ++i)
        EXPECT_GE((data.target.codes[i] == 1 ? 1 : -1) * scores[i], 1 - 1e-5) << kernel;
      EXPECT_NEAR(hard.fitted.report.objective, soft.fitted.report.objective,
                  1e-4 * std::abs(soft.fitted.report.objective))
          << kernel;
      testing::expect_near(hard.predict(data.points).scores, soft.predict(data.points).scores, 1e-4, kernel);
    }
}

TEST(Svm, TheHardMarginByHand) {
  // The nearest points of the classes are (0, 0) and (3, 4): the margin is 5, w = 2/25·(3, 4) towards the
  // second.
  const Dataset data = two_classes({{0, 0}, {-1, 0}, {0, -2}, {3, 4}, {4, 5}, {6, 4}}, {0, 0, 0, 1, 1, 1});
  const Model model = fit(Svm{.C = infinity}, Kernel::parse("linear"), data, testing::tight(1e-8));
  const Points at(testing::Table{{0, 0}, {3, 4}, {1.5, 2}, {1, 0}, {0, 1}});
  testing::expect_near(model.predict(at).scores, {-1, 1, 0, 6.0 / 25 - 1, 8.0 / 25 - 1}, 1e-6);
  EXPECT_NEAR(model.fitted.report.objective, -0.5 * 4 / 25, 1e-7);  // −½‖w‖²
}

TEST(Svm, TheHardMarginDoesNotMindWeightsOrWhereTheOriginIs) {
  Dataset data = blobs(30, 2, 2, 0.15);
  const auto scores = [](const Dataset& rows) {
    return fit(Svm{.C = infinity}, Kernel::parse("linear"), rows, testing::tight())
        .predict(rows.points)
        .scores;
  };
  const std::vector<double> plain = scores(data);
  data.weights.assign(30, 0.001);
  testing::expect_near(scores(data), plain, 1e-5);
  testing::Table rows;
  for (std::size_t i = 0; i < 30; ++i) {
    rows.push_back(data.points.row(i));
    for (double& value : rows.back()) value += 2e4;
  }
  data.points = Points(rows);
  testing::expect_near(scores(data), plain, 1e-3, "shifted");
}

// The distance of the convex hulls of two sets of points of the plane that do not meet: that of a point of
// one from a segment of the other.
long double hull_distance(const testing::Table& a, const testing::Table& b) {
  long double least = std::numeric_limits<long double>::infinity();
  const auto from_segments = [&](const testing::Table& points, const testing::Table& ends) {
    for (const auto& p : points)
      for (const auto& s : ends)
        for (const auto& e : ends) {
          const long double dx = static_cast<long double>(e[0]) - s[0],
                            dy = static_cast<long double>(e[1]) - s[1], length = dx * dx + dy * dy;
          const long double px = static_cast<long double>(p[0]) - s[0],
                            py = static_cast<long double>(p[1]) - s[1];
          const long double t = length > 0 ? std::clamp((px * dx + py * dy) / length, 0.0L, 1.0L) : 0.0L;
          least = std::min(least, std::hypot(px - t * dx, py - t * dy));
        }
  };
  from_segments(a, b);
  from_segments(b, a);
  return least;
}

// Classes on both sides of a line through the origin at a slant, `margin` away from it: about it and far
// along it.
TEST(Svm, TheHardMarginOfThinGapsIsTheDistanceOfTheHulls) {
  Random random(21);
  for (int exponent = 2; exponent <= 7; ++exponent)
    for (int round = 0; round < 4; ++round) {
      const double margin = std::pow(10.0, -exponent), angle = random.uniform(0, 3),
                   reach = exponent <= 5 ? 1 : 30 * margin;
      testing::Table rows, sides[2];
      std::vector<std::int32_t> codes;
      for (int i = 0; i < 24; ++i) {
        const double along = reach * random.normal(),
                     away = (i % 2 ? 1 : -1) * (margin + (i < 4 ? 0 : 1) * std::abs(random.normal()));
        rows.push_back({std::cos(angle) * along - std::sin(angle) * away,
                        std::sin(angle) * along + std::cos(angle) * away});
        sides[i % 2].push_back(rows.back());
        codes.push_back(i % 2);
      }
      const Model model = fit(Svm{.C = infinity}, Kernel::parse("linear"), two_classes(rows, codes));
      const double distance = double(hull_distance(sides[0], sides[1]));
      ASSERT_GT(distance, 0);
      EXPECT_TRUE(model.fitted.report.converged) << margin << ": " << model.fitted.report.violation;
      EXPECT_NEAR(2 / std::sqrt(*model.fitted.report.norm) / distance, 1, 1e-3) << margin;
      EXPECT_EQ(testing::accuracy(model, two_classes(rows, codes)), 1) << margin;
    }
}

TEST(Svm, TheHardMarginOfTwoNeighboursAmongFarPoints) {
  for (const double margin : {1e-2, 1e-3, 2e-5, 1e-6, 1e-7}) {
    const Dataset data = two_classes({{-1}, {-margin}, {margin}, {1}}, {0, 0, 1, 1});
    const Model model = fit(Svm{.C = infinity}, Kernel::parse("linear"), data);
    EXPECT_TRUE(model.fitted.report.converged) << margin;
    EXPECT_NEAR(1 / std::sqrt(*model.fitted.report.norm), margin, 1e-3 * margin);
    EXPECT_EQ(testing::accuracy(model, data), 1);
  }
}

// Far from the origin K has too few digits for the tolerance, but a function that separates is a proof all
// the same.
TEST(Svm, TheHardMarginSaysWhereRoundingKeepsItFromItsTolerance) {
  Random random(5);
  testing::Table rows;
  std::vector<std::int32_t> codes;
  for (int i = 0; i < 12; ++i) {
    rows.push_back(
        {1000 + 1e-3 * random.normal(), 1000 + (i % 2 ? 1e-3 : -1e-3) * (1 + std::abs(random.normal()))});
    codes.push_back(i % 2);
  }
  const Dataset data = two_classes(rows, codes);
  const Model model = fit(Svm{.C = infinity}, Kernel::parse("linear"), data, {.tolerance = 1e-12});
  const FitReport& r = model.fitted.report;
  EXPECT_EQ(r.converged, r.violation <= 1e-12);
  EXPECT_EQ(r.converged, r.warnings.empty());
  EXPECT_EQ(testing::accuracy(model, data), 1);
}

TEST(Svm, TheHardMarginNamesRowsThatContradictEachOther) {
  const auto message = [](const Dataset& data, const char* kernel) {
    return refusal(ErrorKind::data, [&] { fit(Svm{.C = infinity}, Kernel::parse(kernel), data); });
  };
  const Dataset equal = two_classes({{0, 0}, {1, 1}, {2, 5}, {1, 1}, {7, 1}}, {0, 0, 0, 1, 1});
  for (const char* kernel : {"linear", "rbf(gamma=1)", "rbf(gamma=1e6)"})
    EXPECT_EQ(message(equal, kernel),
              "not separable: rows 2 and 4 are the same to the kernel, but one is 'a' and the other 'b'; "
              "give a finite C");
  // Other rows, but the kernel looks at the first column alone.
  const Dataset hidden = two_classes({{0, 0}, {3, 1}, {3, 2}, {5, 1}}, {0, 0, 1, 1});
  EXPECT_EQ(message(hidden, "rbf(gamma=1)@1"),
            "not separable: rows 2 and 3 are the same to the kernel, but one is 'a' and the other 'b'; give "
            "a finite C");
}

TEST(Svm, TheHardMarginRefusesWhatCannotBeSeparated) {
  const auto refused = [](const Dataset& data, const char* kernel) {
    const std::string message =
        refusal(ErrorKind::data, [&] { fit(Svm{.C = infinity}, Kernel::parse(kernel), data); });
    EXPECT_TRUE(message.starts_with("not separable")) << kernel << ": " << message;
  };
  refused(two_classes({{0, 0}, {1, 1}, {0, 1}, {1, 0}}, {0, 0, 1, 1}), "linear");  // exclusive or
  EXPECT_EQ(fit(Svm{.C = infinity}, Kernel::parse("poly(degree=2, offset=1)"),
                two_classes({{0, 0}, {1, 1}, {0, 1}, {1, 0}}, {0, 0, 1, 1}))
                .fitted.report.converged,
            true);
  for (const char* kernel : {"linear", "rbf(gamma=1)", "poly(degree=5, offset=1)", "rbf(gamma=1e6)"}) {
    refused(two_classes({{0, 0}, {1, 1}, {2, 5}, {1, 1}, {7, 1}}, {0, 0, 0, 1, 1}), kernel);
    refused(two_classes({{1, 1}, {1, 1}}, {0, 1}), kernel);
  }
  for (std::uint64_t seed = 0; seed < 5; ++seed) refused(blobs(60, 2, seed, 4), "linear");
  refused(blobs(90, 3, 1, 4), "linear");
}

// --- One against the rest.
TEST(Svm, OneAgainstRestFindsTheSameBlobs) {
  const Dataset data = blobs(90, 4, 6, 0.25);
  const Model pairs = fit(Svm{}, Kernel::parse("rbf(gamma=0.5)"), data);
  const Model rest = fit(Svm{.multiclass = Svm::Multiclass::ovr}, Kernel::parse("rbf(gamma=0.5)"), data);
  EXPECT_EQ(rest.fitted.rule, Rule::one_vs_rest);
  EXPECT_EQ(rest.predict(data.points).width, 4u);
  EXPECT_GT(testing::accuracy(pairs, data), 0.95);
  EXPECT_NEAR(testing::accuracy(rest, data), testing::accuracy(pairs, data), 0.03);
}

TEST(Svm, OneAgainstRestIsOneMachinePerClass) {
  const Dataset data = blobs(45, 3, 6, 1.5);
  const Predictions p =
      fit(Svm{.multiclass = Svm::Multiclass::ovr}, Kernel::parse("rbf(gamma=0.5)"), data, testing::tight())
          .predict(data.points);
  for (std::int32_t c = 0; c < 3; ++c) {
    Dataset own = data;
    own.target.labels = {"rest", "own"};
    for (std::int32_t& code : own.target.codes) code = code == c;
    std::vector<double> column;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      column.push_back(p.scores[i * 3 + std::size_t(c)]);
      EXPECT_GE(p.scores[i * 3 + std::size_t(p.codes[i])], column.back());
    }
    testing::expect_near(
        column,
        fit(Svm{}, Kernel::parse("rbf(gamma=0.5)"), own, testing::tight()).predict(data.points).scores, 1e-4);
  }
}

TEST(Svm, OneAgainstRestHasNoHardMarginButForTwoClasses) {
  EXPECT_NE(refusal(ErrorKind::usage,
                    [] {
                      fit(Svm{.C = infinity, .multiclass = Svm::Multiclass::ovr}, Kernel::parse("linear"),
                          blobs(30, 3, 1));
                    }),
            "no error");
  const Dataset two = blobs(30, 2, 2, 0.15);
  EXPECT_EQ(
      testing::accuracy(
          fit(Svm{.C = infinity, .multiclass = Svm::Multiclass::ovr}, Kernel::parse("linear"), two), two),
      1);
}

}  // namespace
}  // namespace mercer

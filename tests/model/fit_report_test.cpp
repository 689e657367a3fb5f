#include <gtest/gtest.h>

#include "methods/problems.hpp"
#include "mercer/fit.hpp"
#include "mercer/methods/gp.hpp"
#include "mercer/methods/pca.hpp"
#include "mercer/methods/ridge.hpp"
#include "mercer/model.hpp"
#include "random_objects.hpp"

namespace mercer {
namespace {

TEST(FitReport, DiagnosticsAreFoundByTheirIds) {
  FitReport report;
  report.add("p_value", "p-value", 0.25);
  report.diagnostics.push_back({.id = "eigenvalues", .label = "eigenvalue", .values = {3}, .list = true});
  report.diagnostics.push_back(
      {.id = "kernel_weights", .label = "weight of", .values = {1, 2}, .names = {"rbf", "linear"}});
  ASSERT_TRUE(report.diagnostic("p_value"));
  EXPECT_EQ(report.diagnostic("p_value")->values, std::vector<double>{0.25});
  EXPECT_FALSE(report.diagnostic("p-value"));
  EXPECT_EQ(value_label(report.diagnostics[0], 0), "p-value");
  EXPECT_EQ(value_label(report.diagnostics[1], 0), "eigenvalue 1");
  EXPECT_EQ(value_label(report.diagnostics[2], 1), "weight of linear");
}

TEST(FitReport, DiagnosticsSurviveAFile) {
  const Model model = fit(Pca{.components = 2}, Kernel::parse("rbf(gamma=1)"), testing::wave(20, 2));
  const Model back = Model::from_bytes(model.bytes());
  EXPECT_FALSE(model.fitted.report.diagnostics.empty());
  EXPECT_TRUE(back.fitted.report.diagnostics == model.fitted.report.diagnostics);
  EXPECT_EQ(back.fitted.report.certificate, CertificateKind::relative_residual);
}

TEST(FitReport, CertificatesHaveNamesAndLabels) {
  EXPECT_EQ(name_of(CertificateKind::kkt_violation), "kkt_violation");
  EXPECT_EQ(label_of(CertificateKind::kkt_violation), "violation");
  EXPECT_EQ(name_of(CertificateKind::none), "");
  EXPECT_EQ(label_of(CertificateKind::objective_change), "last change of the objective");
}

/// Rows of the columns a, b and c, with a target.
Dataset named_columns(std::size_t n = 200) {
  Dataset data = testing::wave(n, 3);
  Dense<double> rows{n, 3, Buffer<double>(3 * n)};
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<double> two = data.points.row(i);
    std::ranges::copy(std::initializer_list<double>{two[0], two[1], two[0] * two[1]},
                      rows.values.data() + 3 * i);
  }
  data.points = Points(std::move(rows), {"a", "b", "c"});
  return data;
}

TEST(FitPlan, ExplicitFeaturesAreTakenWhereTheyAreFewerThanTheRows) {
  const Dataset data = named_columns();
  struct Case {
    const char* kernel;
    std::size_t features;  // 0: over the rows of K
  };
  for (const auto& [kernel, features] : {Case{"linear", 3},
                                         {"2*linear", 3},
                                         {"linear@[a, c]", 2},
                                         {"0.5*linear@b", 1},
                                         {"poly(degree=2, offset=1)", 10},
                                         {"rbf(gamma=1)", 0}}) {
    for (const AnyMethod& method : {AnyMethod(Ridge{.lambda = 1e-3}), AnyMethod(method_named("huber"))}) {
      const FitPlan plan = fit(method, Kernel::parse(kernel), data).fitted.report.plan;
      EXPECT_EQ(plan.way == FitPlan::Way::primal, features > 0) << kernel << ", " << method->name();
      if (features > 0) {
        EXPECT_GE(plan.features, features) << kernel << ", " << method->name();
      }
    }
    const FitPlan gp =
        fit(Gp{.noise = 0.1, .optimize = Gp::Optimize::none}, Kernel::parse(kernel), data).fitted.report.plan;
    if (std::string_view(kernel).find("linear") != std::string_view::npos) {
      EXPECT_EQ(gp.features, features) << kernel;
    }
  }
}

Dataset with_classes(Dataset data) {
  data.target = {.task = Task::classification, .labels = {"a", "b"}};
  for (std::size_t i = 0; i < data.points.rows(); ++i)
    data.target.codes.push_back(std::int32_t(i * 7 / 3 % 2));
  return data;
}

Dataset of_objects(Domain domain, std::size_t n) {
  Dataset data;
  data.points = Points(random_objects(domain, n, 4));
  data.target.task = Task::regression;
  for (std::size_t i = 0; i < n; ++i) data.target.values.push_back(double(i % 5));
  return data;
}

// Systems over K cost more than features from few rows on, working sets over K from 2,000.
TEST(FitPlan, EveryKernelWithFewFeaturesIsPrimal) {
  const Dataset numbers = named_columns(2200), texts = of_objects(Domain::text, 2200),
                sequences = of_objects(Domain::sequence, 2200);
  struct Case {
    const char* kernel;
    const Dataset& data;
    std::size_t least;  // features
  };
  for (const auto& [kernel, data, least] : {Case{"linear", numbers, 3},
                                            {"2*linear", numbers, 3},
                                            {"linear@[a, b]", numbers, 2},
                                            {"poly(degree=2)", numbers, 10},
                                            {"bow", texts, 2},
                                            {"spectrum(k=2)", sequences, 4}})
    for (const char* name : {"svm", "svr", "ridge", "logistic", "perceptron", "fisher"}) {
      SCOPED_TRACE(std::string(kernel) + ", " + name);
      const AnyMethod& method = method_named(name);
      const Dataset& rows = method->traits().task == Task::classification ? with_classes(data) : data;
      const FitReport report = fit(method, Kernel::parse(kernel), rows).fitted.report;
      EXPECT_EQ(report.plan.way, FitPlan::Way::primal);
      EXPECT_GE(report.plan.features, least);
      if (method->traits().work == SolverWork::working_sets) {
        EXPECT_EQ(fit(method, Kernel::parse(kernel), rows, {.solver = "dual"}).fitted.report.plan.way,
                  FitPlan::Way::dual);
        EXPECT_NE(report.solver.find("cost less than 2200 rows of K"), std::string::npos) << report.solver;
      }
    }
}

TEST(FitPlan, ThePrimalAndTheDualWayGiveTheSamePredictions) {
  const Dataset data = named_columns();
  for (const char* kernel : {"2*linear", "linear@[a, c]", "0.5*linear@b"})
    for (const AnyMethod& method :
         {method_named("ridge"), method_named("huber"), method_named("logistic"), method_named("perceptron"),
          AnyMethod(Gp{.noise = 0.1, .optimize = Gp::Optimize::none})}) {
      Dataset rows = data;
      if (method->traits().task == Task::classification) rows.target = testing::blobs(200, 2, 3).target;
      const Model model = fit(method, Kernel::parse(kernel), rows, {.tolerance = 1e-10});
      // A sum with a kernel that is nearly nothing is no such form, and is solved over the rows of K.
      const Model dual = fit(method, Kernel::parse(std::string(kernel) + " + 1e-14*rbf(gamma=1)"), rows,
                             {.tolerance = 1e-10});
      EXPECT_EQ(model.fitted.report.plan.way, FitPlan::Way::primal) << kernel << ", " << method->name();
      EXPECT_EQ(dual.fitted.report.plan.way, FitPlan::Way::dual) << kernel << ", " << method->name();
      const auto one = model.predict(rows.points).scores, other = dual.predict(rows.points).scores;
      ASSERT_EQ(one.size(), other.size());
      for (std::size_t e = 0; e < one.size(); ++e)
        EXPECT_NEAR(one[e], other[e], 1e-6 * (1 + std::abs(other[e]))) << kernel << ", " << method->name();
    }
}

}  // namespace
}  // namespace mercer

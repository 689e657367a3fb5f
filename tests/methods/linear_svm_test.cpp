#include "mercer/methods/linear_svm.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

/// w of each function of a model of the linear kernel, with b.
std::vector<std::vector<double>> functions_of(const Model& model, std::size_t columns) {
  std::vector<std::vector<double>> found;
  const std::size_t count = model.fitted.rho.size();
  for (std::size_t c = 0; c < count; ++c) {
    std::vector<double> w(columns, 0.0);
    const Expansion& e = model.fitted.expansion;
    for (std::size_t s = 0; s < e.points.rows(); ++s)
      for (std::size_t j = 0; j < columns; ++j) w[j] += e.coefficients[s * e.width + c] * e.points.row(s)[j];
    w.push_back(-model.fitted.rho[c]);
    found.push_back(std::move(w));
  }
  return found;
}

/// The objective of one function against y, written out; b / s is the weight of the constant.
double objective_of(const LinearSvm& svm, const Dataset& data, const std::vector<double>& y,
                    const std::vector<double>& C, const std::vector<double>& w) {
  const bool l1 = svm.penalty == LinearSvm::Penalty::l1;
  double sum = 0;
  for (std::size_t j = 0; j < w.size(); ++j) {
    const double weight = j + 1 < w.size() ? w[j] : svm.intercept ? w[j] / svm.intercept_scaling : 0;
    sum += l1 ? std::abs(weight) : weight * weight / 2;
  }
  for (std::size_t i = 0; i < y.size(); ++i) {
    double f = w.back();
    for (std::size_t j = 0; j + 1 < w.size(); ++j) f += w[j] * data.points.row(i)[j];
    const double m = std::max(0.0, 1 - y[i] * f);
    sum += C[i] * (svm.loss == LinearSvm::LossWord::hinge ? m : m * m);
  }
  return sum;
}

TEST(LinearSvm, NoStepInAnyDirectionLowersItsObjective) {
  using enum LinearSvm::LossWord;
  using enum LinearSvm::Penalty;
  for (const LinearSvm& svm :
       {LinearSvm{.C = 0.5}, LinearSvm{.C = 0.5, .loss = hinge}, LinearSvm{.C = 0.5, .penalty = l1},
        LinearSvm{.C = 0.5, .intercept_scaling = 3}, LinearSvm{.C = 0.5, .intercept = false}})
    for (const std::size_t classes : {2u, 3u}) {
      Dataset data = testing::blobs(60, classes, 5, 1.5);
      for (std::size_t i = 0; i < data.rows(); ++i)
        data.weights.push_back(i % 7 == 0 ? 0 : 0.5 + double(i % 3));
      FitOptions options{.tolerance = 1e-8, .class_weights = {{"1", 2.0}}};
      LinearSvm patient = svm;
      patient.epochs = 100000;
      const Model model = fit(patient, Kernel::parse("linear"), data, options);
      ASSERT_TRUE(model.fitted.report.converged);
      const auto functions = functions_of(model, 3);
      ASSERT_EQ(functions.size(), classes == 2 ? 1u : classes);
      double total = 0;
      for (std::size_t c = 0; c < functions.size(); ++c) {
        std::vector<double> y, C;
        for (std::size_t i = 0; i < data.rows(); ++i) {
          const bool own = std::size_t(data.target.codes[i]) == c;
          y.push_back(own ? 1 : -1);
          // One-vs-rest, the weight of class 1 counts in its own problem alone.
          C.push_back(0.5 * data.weights[i] * (data.target.codes[i] == 0 && own ? 2 : 1));
        }
        const auto value = [&](const std::vector<double>& w) { return objective_of(svm, data, y, C, w); };
        const double found = value(functions[c]);
        total += found;
        Random random(9);
        for (int trial = 0; trial < 300; ++trial) {
          std::vector<double> w = functions[c];
          const double size = std::pow(10, random.uniform(-4, 0));
          for (std::size_t j = 0; j < w.size(); ++j)
            if (j + 1 < w.size() || svm.intercept) w[j] += size * random.normal();
          EXPECT_GT(value(w), found - 1e-7 * found);
        }
      }
      EXPECT_NEAR(model.fitted.report.objective, total, 1e-8 * total);
    }
}

TEST(LinearSvm, DescentAndNewtonFindTheSameWeights) {
  const Dataset data = testing::blobs(80, 3, 6, 1.5);
  FitOptions options{.tolerance = 1e-9, .solver = "newton"};
  const Model newton = fit(LinearSvm{}, Kernel::parse("linear"), data, options);
  options.solver = "descent";
  const Model descent = fit(LinearSvm{.epochs = 100000}, Kernel::parse("linear"), data, options);
  EXPECT_EQ(newton.fitted.report.certificate, CertificateKind::gradient_norm);
  EXPECT_EQ(descent.fitted.report.certificate, CertificateKind::kkt_violation);
  EXPECT_LT(descent.fitted.report.gap, 1e-6);
  testing::expect_near(newton.predict(data.points).scores, descent.predict(data.points).scores, 1e-6);
}

TEST(LinearSvm, SparseRowsAndDenseOnesAreTheSameToIt) {
  Dataset data = testing::blobs(80, 3, 7, 1.5);
  using enum LinearSvm::Multiclass;
  for (const LinearSvm& svm : {LinearSvm{}, LinearSvm{.penalty = LinearSvm::Penalty::l1},
                               LinearSvm{.multiclass = crammer_singer, .epochs = 100000}}) {
    const Model dense = fit(svm, Kernel::parse("linear"), data, testing::tight(1e-8));
    Dataset thin = data;
    thin.points = data.points.to_sparse();
    const Model sparse = fit(svm, Kernel::parse("linear"), thin, testing::tight(1e-8));
    testing::expect_near(dense.predict(data.points).scores, sparse.predict(data.points).scores, 1e-5);
  }
}

TEST(LinearSvm, OneProblemForAllClassesIsTheHingeOfTwo) {
  const Dataset data = testing::blobs(80, 2, 8, 1.5);
  // Of two classes w₁ = −w₂ = w/2, so that ½Σ‖w‖² = ¼‖w‖²: the hinge with 2C.
  const Model together =
      fit(LinearSvm{.C = 0.3, .multiclass = LinearSvm::Multiclass::crammer_singer, .epochs = 100000},
          Kernel::parse("linear"), data, testing::tight(1e-9));
  const Model hinge = fit(LinearSvm{.C = 0.6, .loss = LinearSvm::LossWord::hinge, .epochs = 100000},
                          Kernel::parse("linear"), data, testing::tight(1e-9));
  testing::expect_near(together.predict(data.points).scores, hinge.predict(data.points).scores, 1e-6);
}

TEST(LinearSvm, SaysWhereEpochsWereTooFew) {
  const Dataset data = testing::blobs(80, 2, 9, 2);
  const Model model = fit(LinearSvm{.C = 100, .epochs = 2}, Kernel::parse("linear"), data,
                          {.tolerance = 1e-9, .solver = "descent"});
  EXPECT_FALSE(model.fitted.report.converged);
  EXPECT_EQ(model.fitted.report.problems.front().iterations, 2u);
  ASSERT_FALSE(model.fitted.report.warnings.empty());
}

TEST(LinearSvm, RefusesCombinationsWithoutASolver) {
  const Dataset data = testing::blobs(30, 2, 10);
  const Kernel linear = Kernel::parse("linear");
  EXPECT_THROW(
      fit(LinearSvm{.penalty = LinearSvm::Penalty::l1, .loss = LinearSvm::LossWord::hinge}, linear, data),
      Error);
  EXPECT_THROW(fit(LinearSvm{.loss = LinearSvm::LossWord::hinge}, linear, data, {.solver = "newton"}), Error);
  EXPECT_THROW(fit(LinearSvm{.penalty = LinearSvm::Penalty::l1}, linear, data, {.solver = "newton"}), Error);
  EXPECT_THROW(fit(LinearSvm{}, linear, data, {.solver = "cholesky"}), Error);
  EXPECT_THROW(AnyMethod(LinearSvm{.C = 0}), Error);
  EXPECT_THROW(AnyMethod(LinearSvm{.intercept_scaling = 0}), Error);
}

}  // namespace
}  // namespace mercer

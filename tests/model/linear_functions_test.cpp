// The weights of linear models, against the scores that the model gives.
#include "mercer/linear_functions.hpp"

#include <fmt/format.h>

#include <numeric>

#include "mercer/features.hpp"
#include "model/models.hpp"

namespace mercer {
namespace {

using testing::data_for;

void expect_functions(const Model& model, const Points& rows, const std::string& what) {
  const std::vector<LinearFunction> functions = linear_functions(model);
  const Predictions p = model.predict(rows);
  ASSERT_EQ(functions.size(), p.width) << what;
  for (std::size_t i = 0; i < rows.rows(); ++i)
    for (std::size_t o = 0; o < p.width; ++o) {
      const std::vector<double> x = rows.row(i);
      ASSERT_EQ(functions[o].weights.size(), x.size());
      const double f =
          std::inner_product(x.begin(), x.end(), functions[o].weights.begin(), functions[o].intercept);
      EXPECT_NEAR(f, p.scores[i * p.width + o], 1e-9 * (1 + std::abs(f))) << what;
    }
}

TEST(LinearFunctions, AreTheScoresOfEveryLinearModel) {
  for (const AnyMethod& method : methods()) {
    if (!method->traits().expands || method->name() == "spectral" || method->name() == "mean_distance")
      continue;
    for (const Scaling::Kind scaling : {Scaling::Kind::none, Scaling::Kind::standard})
      for (const char* kernel : {"linear", "0.5*linear"}) {
        Dataset data = data_for(*method, 40);
        const Model model = fit(method, Kernel::parse(kernel), data, {}, scaling);
        expect_functions(model, data.points, fmt::format("{} {}", method->name(), kernel));
        data.points = data.points.to_sparse();
        expect_functions(fit(method, Kernel::parse(kernel), data, {}, scaling), data.points,
                         fmt::format("{} {} sparse", method->name(), kernel));
      }
  }
}

TEST(LinearFunctions, AreNamedByWhatTheyScore) {
  const auto subject = [](const AnyMethod& method, std::size_t which) {
    return linear_functions(fit(method, Kernel::parse("linear"), data_for(*method, 40))).at(which).subject;
  };
  EXPECT_EQ(subject(Svm{}, 1), "1 against 3");
  EXPECT_EQ(subject(Fisher{}, 2), "3");
  EXPECT_EQ(subject(OneClass{}, 0), "inside");
  EXPECT_EQ(subject(Pca{}, 1), "coordinate 2");
  EXPECT_EQ(subject(Poisson{}, 0), "log target");
}

TEST(LinearFunctions, OtherModelsHaveNone) {
  for (const char* kernel : {"rbf(gamma=1)", "poly(degree=2)", "linear + rbf(gamma=1)"})
    EXPECT_TRUE(linear_functions(fit(Svm{}, Kernel::parse(kernel), data_for(*AnyMethod(Svm{}), 40))).empty())
        << kernel;
  const AnyMethod neighbours = Knn{};
  EXPECT_TRUE(linear_functions(fit(neighbours, Kernel::parse("linear"), data_for(*neighbours, 40))).empty());
}

TEST(FeatureFunctions, AreTheScoresOverTheExplicitFeatures) {
  for (const AnyMethod& method : {AnyMethod(Svm{}), AnyMethod(Ridge{}), AnyMethod(Logistic{})})
    for (const Scaling::Kind scaling : {Scaling::Kind::none, Scaling::Kind::standard})
      for (const char* text : {"poly(degree=2)", "linear + 1", "mapped(linear, by=squares)"}) {
        const Kernel kernel = Kernel::parse(text);
        const Dataset data = data_for(*method, 40);
        const Model model = fit(method, kernel, data, {}, scaling);
        const FeatureFunctions over = feature_functions(model);
        const Predictions p = model.predict(data.points);
        ASSERT_EQ(over.functions.size(), p.width) << method->name() << " " << text;
        const Points phi = explicit_features(kernel, model.scaling.apply(data.points));
        EXPECT_EQ(over.names, phi.names());
        for (std::size_t i = 0; i < phi.rows(); ++i)
          for (std::size_t o = 0; o < p.width; ++o) {
            const std::vector<double> row = phi.row(i);
            const LinearFunction& f = over.functions[o];
            const double score = std::inner_product(row.begin(), row.end(), f.weights.begin(), f.intercept);
            EXPECT_NEAR(score, p.scores[i * p.width + o], 1e-8 * (1 + std::abs(score))) << text;
          }
      }
}

TEST(FeatureFunctions, AreNoneWhereThereIsNoFiniteMap) {
  for (const char* text : {"rbf(gamma=1)", "laplace(lambda=1)", "linear"}) {
    const Dataset data = data_for(*AnyMethod(Svm{}), 40);
    EXPECT_TRUE(feature_functions(fit(Svm{}, Kernel::parse(text), data)).functions.empty()) << text;
  }
}

}  // namespace
}  // namespace mercer

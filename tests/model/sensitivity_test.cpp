#include "model/sensitivity.hpp"

#include <gtest/gtest.h>

#include "mercer/kernels/precomputed.hpp"
#include "mercer/methods.hpp"
#include "methods/problems.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

using testing::blobs;

Model ridge_of(Points points, Schema schema, Scaling::Kind scaling = Scaling::Kind::none) {
  Dataset data{.points = points, .target = {.task = Task::regression, .values = {}}};
  for (std::size_t i = 0; i < points.rows(); ++i) data.target.values.push_back(double(i));
  data.schema = std::move(schema);
  return fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), data, {.approx = "none"}, scaling);
}

TEST(SourceColumns, CategoriesAreOneColumn) {
  const Schema schema{.columns = {{"size", {}, 0}, {"home", {"cage", "sea"}, 0}, {"age", {}, 0}},
                      .target = "y",
                      .weights = ""};
  const Model model =
      ridge_of(Points({{1, 1, 0, 2}, {3, 0, 1, 4}, {5, 1, 0, 4}}), schema, Scaling::Kind::standard);
  const auto columns = source_columns(model);
  ASSERT_EQ(columns.size(), 3u);
  EXPECT_EQ(columns[1].name, "home");
  EXPECT_EQ(columns[1].begin, 1u);
  EXPECT_EQ(columns[1].count(), 2u);
  EXPECT_EQ(columns[2].begin, 3u);
  const std::vector<double> row = unscaled(model.scaling, model.fitted.expansion.points.row(1));
  EXPECT_NEAR(row[0], 3, 1e-12);
  EXPECT_EQ(value_text(columns[0], row), "3");
  EXPECT_EQ(value_text(columns[1], row), "sea");
  EXPECT_EQ(value_text(columns[1], std::vector<double>{0, 0, 0, 0}), "none");
}

TEST(SourceColumns, DatesAreWrittenAsDates) {
  const Schema schema{.columns = {{.name = "born", .categories = {}, .dates = Schema::Dates::day_first}},
                      .target = "y",
                      .weights = ""};
  const Model model = ridge_of(Points({{19000.0}, {19001.0}, {19033.0}}), schema, Scaling::Kind::standard);
  const SourceColumn column = source_columns(model).at(0);
  EXPECT_EQ(value_text(column, unscaled(model.scaling, model.fitted.expansion.points.row(0))), "2022-01-08");
  EXPECT_EQ(value_text(column, unscaled(model.scaling, model.fitted.expansion.points.row(2))), "2022-02-10");
}

TEST(SourceColumns, WithoutATableTheyAreThePointsOwn) {
  const auto columns = source_columns(ridge_of(Points({{1, 2}, {3, 4}}), {}));
  ASSERT_EQ(columns.size(), 2u);
  EXPECT_EQ(columns[1].name, "column 2");
  EXPECT_TRUE(columns[1].categories.empty());
}

TEST(SourceColumns, UnscaledWithoutScalingIsTheRow) {
  EXPECT_EQ(unscaled(Scaling(), {1, 2}), (std::vector<double>{1, 2}));
}

// The runner-up is found by looking at every pair of the predicted class; the outputs and the constant give
// the score back.
TEST(Question, OfPairsIsTheWeakestOfThePredictedClass) {
  const Dataset data = blobs(80, 4, 3, 1.5);
  const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=0.5)"), data);
  const Predictions p = model.predict(data.points);
  std::vector<double> sums(data.rows() * model.fitted.expansion.outputs());
  model.method->evaluate(model.fitted, data.points, sums, 1, {});
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const auto asked = questions(model, p, row);
    ASSERT_EQ(asked.size(), 1u);
    const auto own = std::size_t(p.codes[row]);
    double least = INFINITY;
    std::string against;
    std::size_t pair = 0;
    for (std::size_t a = 0; a < 4; ++a)
      for (std::size_t b = a + 1; b < 4; ++b, ++pair) {
        if (a != own && b != own) continue;
        const double score = p.scores[row * 6 + pair] * (a == own ? 1 : -1);
        if (score < least) least = score, against = model.labels[a == own ? b : a];
      }
    EXPECT_EQ(asked[0].subject, model.labels[own]);
    EXPECT_EQ(asked[0].against, against);
    EXPECT_EQ(asked[0].score(p.scores.data() + row * 6), least);
    const auto factors = asked[0].outputs(model);
    double sum = asked[0].constant(model);
    for (std::size_t o = 0; o < factors.size(); ++o) sum += factors[o] * sums[row * factors.size() + o];
    EXPECT_NEAR(sum, least, 1e-12);
  }
}

TEST(Question, OfScoresPerClassIsTheDifferenceFromTheNext) {
  const Dataset data = blobs(60, 3, 4);
  const Model model = fit(Logistic{}, Kernel::parse("rbf(gamma=0.5)"), data);
  const Predictions p = model.predict(data.points);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    std::vector<double> scores(p.scores.begin() + std::ptrdiff_t(3 * row),
                               p.scores.begin() + std::ptrdiff_t(3 * row + 3));
    const Question asked = questions(model, p, row).at(0);
    EXPECT_EQ(asked.subject, model.labels[std::size_t(p.codes[row])]);
    std::ranges::sort(scores);
    EXPECT_NEAR(asked.score(p.scores.data() + 3 * row), scores[2] - scores[1], 1e-15);
  }
}

TEST(Question, OfTwoClassesIsTurnedToThePredictedOne) {
  const Dataset data = blobs(40, 2, 5);
  for (const AnyMethod& method : {AnyMethod(Svm{}), AnyMethod(Logistic{}), AnyMethod(Fisher{})}) {
    const Model model = fit(method, Kernel::parse("rbf(gamma=0.5)"), data);
    const Predictions p = model.predict(data.points);
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const Question asked = questions(model, p, row).at(0);
      EXPECT_GE(asked.score(p.scores.data() + row * p.width), 0);
      EXPECT_EQ(asked.against, model.labels[p.codes[row] == 0 ? 1 : 0]);
    }
  }
}

TEST(Question, OfNumbersIsEachOutput) {
  Dataset data = testing::wave(20, 6);
  data.schema.target = "height";
  EXPECT_EQ(questions(fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), data), {}, 0).at(0).subject, "height");
  EXPECT_EQ(questions(fit(OneClass{}, Kernel::parse("rbf(gamma=1)"), data), {}, 0).at(0).subject, "inside");
  EXPECT_EQ(questions(fit(Pca{}, Kernel::parse("rbf(gamma=1)"), data), {}, 0).at(1).subject, "coordinate 2");
  data.target.outputs = 2;
  data.points = data.points.select_rows(std::vector<std::size_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  data.schema.target = "height,width";
  const auto two = questions(fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), data), {}, 0);
  ASSERT_EQ(two.size(), 2u);
  EXPECT_EQ(two[1].subject, "width");
  const std::vector<double> scores{3, 4};
  EXPECT_EQ(two[1].score(scores.data()), 4);
}

// Slopes against the derivative of the formula, and categories against the model asked by hand.
// ∂/∂xⱼ Σᵢ aᵢ exp(−γ‖zᵢ − z‖²) with z = (x − shift)·scale.
double slope_of_rbf(const Model& model, std::vector<double> x, std::size_t j, double gamma) {
  const auto& scale = model.scaling.scale();
  const auto& shift = model.scaling.shift();
  for (std::size_t c = 0; c < x.size(); ++c) {
    if (!shift.empty()) x[c] -= shift[c];
    if (!scale.empty()) x[c] *= scale[c];
  }
  double sum = 0;
  for (std::size_t i = 0; i < model.fitted.expansion.points.rows(); ++i) {
    const auto z = model.fitted.expansion.points.row(i);
    double d2 = 0;
    for (std::size_t c = 0; c < x.size(); ++c) d2 += (z[c] - x[c]) * (z[c] - x[c]);
    sum += model.fitted.expansion.coefficients[i] * std::exp(-gamma * d2) * -2 * gamma * (x[j] - z[j]) *
           (scale.empty() ? 1 : scale[j]);
  }
  return sum;
}

TEST(Sensitivity, IsTheDerivative) {
  Dataset data = testing::wave(40, 1);
  for (const auto scaling : {Scaling::Kind::none, Scaling::Kind::standard, Scaling::Kind::minmax}) {
    const Model model = fit(Ridge{}, Kernel::parse("rbf(gamma=0.7)"), data, {.approx = "none"}, scaling);
    const Predictions p = model.predict(data.points);
    const Sensitivity sensitivity(model, data.points, 1);
    ASSERT_TRUE(sensitivity.defined());
    for (const std::size_t row : {0, 7, 39}) {
      const auto effects = sensitivity.effects(row, questions(model, p, row)).at(0);
      ASSERT_EQ(effects.size(), 2u);
      for (std::size_t j = 0; j < 2; ++j) {
        const double expected = slope_of_rbf(model, data.points.row(row), j, 0.7);
        EXPECT_NEAR(effects[j].slope, expected, 1e-6 * (1 + std::abs(expected)));
        double mean = 0, squares = 0;
        for (std::size_t i = 0; i < 40; ++i) mean += data.points.row(i)[j] / 40;
        for (std::size_t i = 0; i < 40; ++i) squares += std::pow(data.points.row(i)[j] - mean, 2) / 40;
        EXPECT_NEAR(effects[j].effect, effects[j].slope * std::sqrt(squares),
                    1e-12 * (1 + std::abs(effects[j].effect)));
        EXPECT_FALSE(effects[j].amount);
      }
    }
  }
}

TEST(Sensitivity, OfEveryStorageIsTheSame) {
  const auto rows = random_rows(30, 3, 2);
  Dataset data = testing::wave(30, 2);
  for (const Kind kind : {Kind::dense64, Kind::dense32, Kind::sparse64, Kind::sparse32}) {
    data.points = as_points(rows, kind);
    const Model model = fit(Ridge{}, Kernel::parse("rbf(gamma=0.7)"), data, {.approx = "none"});
    const Predictions p = model.predict(data.points);
    const auto effects = Sensitivity(model, data.points, 1).effects(4, questions(model, p, 4)).at(0);
    for (const ColumnEffect& one : effects)
      EXPECT_NEAR(one.slope, slope_of_rbf(model, rows[4], one.column, 0.7), 1e-5) << int(kind);
    std::size_t held = 0;
    for (const double value : rows[4]) held += value != 0;
    EXPECT_EQ(effects.size(), kind == Kind::dense64 || kind == Kind::dense32 ? 3 : held);
  }
}

TEST(Sensitivity, OfALinearKernelIsTheWeightAndColumnsAddUp) {
  const Dataset data = testing::blobs(40, 2, 3);
  for (const char* approx : {"none", "explicit"})
    for (const char* kernel : {"linear", "2*linear"}) {
      const Model model =
          fit(Logistic{}, Kernel::parse(kernel), data, {.approx = approx}, Scaling::Kind::standard);
      const Predictions p = model.predict(data.points);
      const Sensitivity sensitivity(model, data.points, 1);
      std::vector<double> first;
      for (const std::size_t row : {0, 2}) {  // of the same class
        const auto asked = questions(model, p, row);
        const auto effects = sensitivity.effects(row, asked).at(0);
        double sum = asked[0].constant(model);
        for (const ColumnEffect& one : effects) sum += one.amount.value();
        EXPECT_NEAR(sum, asked[0].score(p.scores.data() + row), 1e-10);
        for (std::size_t j = 0; j < 3; ++j) {
          if (row == 0) first.push_back(effects[j].slope * (p.codes[0] == 0 ? 1 : -1));
          EXPECT_NEAR(effects[j].slope * (p.codes[row] == 0 ? 1 : -1), first[j], 1e-7);
        }
      }
    }
}

Model with_categories(Dataset& data, const char* kernel) {
  data = testing::wave(30, 4);
  std::vector<std::vector<double>> rows;
  for (std::size_t i = 0; i < 30; ++i) {
    const double x = data.points.row(i)[0];
    rows.push_back({x, double(i % 3 == 0), double(i % 3 == 1), double(i % 3 == 2)});
    data.target.values[i] += double(i % 3);
  }
  data.points = Points(rows);
  data.schema = {
      .columns = {{"x", {}, 0}, {"home", {"cage", "sea", "tree"}, 0}}, .target = "y", .weights = ""};
  return fit(Ridge{}, Kernel::parse(kernel), data, {.approx = "none"});
}

TEST(Sensitivity, CategoriesAreReplaced) {
  Dataset data;
  for (const char* kernel : {"rbf(gamma=0.5)", "linear"}) {
    const Model model = with_categories(data, kernel);
    const Predictions p = model.predict(data.points);
    // Row 4 is of the sea.
    const auto effects = Sensitivity(model, data.points, 1).effects(4, questions(model, p, 4)).at(0);
    ASSERT_EQ(effects.size(), 2u);
    const double x = data.points.row(4)[0];
    const auto f = model.predict(Points({{x, 1, 0, 0}, {x, 0, 1, 0}, {x, 0, 0, 1}})).values;
    const double cage = f[0] - f[1], tree = f[2] - f[1];
    EXPECT_EQ(effects[1].value, "sea");
    EXPECT_EQ(effects[1].category, std::abs(cage) > std::abs(tree) ? "cage" : "tree");
    EXPECT_NEAR(effects[1].change, std::abs(cage) > std::abs(tree) ? cage : tree, 1e-12);
    EXPECT_NEAR(effects[1].effect, (std::abs(cage) + std::abs(tree)) / 3, 1e-12);
  }
}

TEST(Sensitivity, KeepsToNumbersThatTheKernelTakes) {
  Dataset data = testing::wave(20, 5);
  data.points = Points(random_rows(20, 2, 5, true));  // with zeros
  const Model model = fit(Ridge{}, Kernel::parse("chi2(gamma=0.4)"), data, {.approx = "none"});
  const Predictions p = model.predict(data.points);
  for (std::size_t row = 0; row < 20; ++row) {
    const auto effects = Sensitivity(model, data.points, 1).effects(row, questions(model, p, row));
    for (const ColumnEffect& one : effects.at(0)) EXPECT_TRUE(std::isfinite(one.slope));
  }
}

TEST(Sensitivity, RowNumbersHaveNone) {
  Dataset data = testing::wave(3, 6);
  data.points = kernel_rows(Points({{2, 1, 0}, {1, 2, 1}, {0, 1, 2}}));
  const Model model =
      fit(Ridge{}, Kernel::parse("precomputed"), data, {.approx = "none", .allow_indefinite = true});
  EXPECT_FALSE(Sensitivity(model, data.points, 1).defined());
  EXPECT_TRUE(column_influence(model, data.points).empty());
}

}  // namespace
}  // namespace mercer

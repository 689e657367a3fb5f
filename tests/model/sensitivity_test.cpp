// Slopes against the derivative of the formula, and categories against the model asked by hand.
#include "mercer/kernels/precomputed.hpp"
#include "model/sensitivity.hpp"

#include <gtest/gtest.h>

#include "methods/problems.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

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

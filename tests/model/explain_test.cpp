// Explanations against double loops over the examples, with kernels written by hand.
#include "mercer/explain.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "methods/problems.hpp"
#include "reference_kernels.hpp"

namespace mercer {
namespace {

const std::string sum_text = "2*(rbf(gamma=0.3) + 0.5*poly(degree=2, offset=0)) + linear";
const std::vector<Reference> sum_terms{
    [](auto& x, auto& z) { return 2 * std::exp(-0.3 * squared_gap(x, z)); },
    [](auto& x, auto& z) { return std::pow(dot(x, z), 2); }, dot};
double sum_kernel(const Row& x, const Row& z) {
  double sum = 0;
  for (const Reference& term : sum_terms) sum += term(x, z);
  return sum;
}

constexpr std::size_t all = 1000000;

TEST(Explain, EveryMethodsAmountsAddUp) {
  for (const AnyMethod& method : methods()) {
    const Dataset data = testing::data_for(*method, 40);
    const Model model =
        fit(method, Kernel::parse(method->traits().needs_columns ? "linear" : "rbf(gamma=0.3)"), data,
            {.approx = "none"});
    const std::vector<std::size_t> rows{0, 3, 17};
    for (const std::size_t examples : {std::size_t(2), all})
      for (const Explanation& e : explain(model, data.points, rows, {.examples = examples})) {
        // Of weights of columns there are none.
        ASSERT_EQ(e.no_examples.empty(), method->traits().expands && !method->traits().needs_columns)
            << method->name();
        if (!e.no_examples.empty()) continue;
        double sum = e.constant + e.self + e.others, shares = 0, size = std::abs(e.others);
        for (const Contribution& one : e.examples) {
          sum += one.amount, shares += one.share, size += std::abs(one.amount);
          EXPECT_EQ(one.amount, one.coefficient * one.similarity);
        }
        EXPECT_NEAR(sum, e.score, 1e-10 + 1e-13 * size) << method->name();  // those of ols are large
        if (examples == all && !e.examples.empty()) {
          EXPECT_NEAR(shares, 1, 1e-12);
          EXPECT_EQ(e.other_count, 0u);
        }
        EXPECT_LE(e.examples.size(), examples);
        for (std::size_t i = 1; i < e.examples.size(); ++i)
          EXPECT_GE(std::abs(e.examples[i - 1].amount), std::abs(e.examples[i].amount));
      }
  }
}

TEST(Explain, AgreesWithADoubleLoop) {
  const Dataset data = testing::blobs(60, 3, 2);
  for (const AnyMethod& method : {AnyMethod(Svm{}), AnyMethod(Logistic{})}) {
    const Model model = fit(method, Kernel::parse(sum_text), data, {.approx = "none"});
    const Points& points = model.fitted.expansion.points;
    const std::vector<std::size_t> rows{1, 0, 59};
    const auto explained = explain(model, data.points, rows, {.examples = all});
    ASSERT_EQ(explained.size(), 3u);
    for (std::size_t r = 0; r < 3; ++r) {
      const Explanation& e = explained[r];
      EXPECT_EQ(e.row, rows[r]);
      const Row x = data.points.row(rows[r]);
      std::vector<double> terms(3);
      double f = e.constant;
      for (const Contribution& one : e.examples) {
        const double k = sum_kernel(points.row(one.example), x);
        EXPECT_NEAR(one.similarity, k, 1e-11 * (1 + std::abs(k)));
        f += one.coefficient * k;
        for (std::size_t t = 0; t < 3; ++t)
          terms[t] += one.coefficient * sum_terms[t](points.row(one.example), x);
      }
      EXPECT_NEAR(f, e.score, 1e-10 * (1 + std::abs(f)));
      ASSERT_EQ(e.terms.size(), 3u);
      double total = e.constant;
      for (std::size_t t = 0; t < 3; ++t) {
        EXPECT_NEAR(e.terms[t].amount, terms[t], 1e-10 * (1 + std::abs(terms[t])));
        total += e.terms[t].amount;
      }
      EXPECT_NEAR(total, e.score, 1e-10 * (1 + std::abs(e.score)));
      EXPECT_EQ(e.terms[2].kernel, "linear");
    }
  }
}

TEST(Explain, FeaturesHaveNoExamples) {
  const Dataset data = testing::blobs(60, 2, 3);
  const Model model = fit(Logistic{}, Kernel::parse("rbf(gamma=0.3)"), data, {.approx = "nystrom:10"});
  const Explanation e = explain(model, data.points, std::vector<std::size_t>{0}).at(0);
  EXPECT_TRUE(e.examples.empty());
  EXPECT_EQ(e.no_examples,
            "the model was fitted on 10 features (nystrom:10), not on similarities to examples");
  EXPECT_EQ(e.columns.size(), 3u);
  EXPECT_NE(e.columns[0].slope, 0);
  EXPECT_EQ(example_text(model, 0, std::vector<std::size_t>{0}), "");
}

TEST(Explain, ExamplesAreShownAsTheyWere) {
  Dataset data = testing::blobs(30, 3, 4);
  const Model model = fit(Svm{}, Kernel::parse("rbf(gamma=0.3)"), data, {}, Scaling::Kind::standard);
  const Expansion& e = model.fitted.expansion;
  for (std::size_t i = 0; i < e.points.rows(); ++i) {
    const std::string label = example_class(model, i),
                      text = example_text(model, i, std::vector<std::size_t>{2, 0});
    bool found = false;
    for (std::size_t row = 0; row < 30; ++row) {
      char expected[80];
      std::snprintf(expected, sizeof expected, "column 3 %.4g, column 1 %.4g", data.points.row(row)[2],
                    data.points.row(row)[0]);
      found |= text == expected && label == data.target.labels[std::size_t(data.target.codes[row])];
    }
    EXPECT_TRUE(found) << label << ": " << text;
  }
}

TEST(Explain, ColumnsThatDoNotMatterComeLast) {
  Dataset data = testing::wave(80, 5, 0.01);
  for (std::size_t i = 0; i < 80; ++i) data.target.values[i] = std::sin(data.points.row(i)[0]);
  const Model model =
      fit(Ridge{}, Kernel::parse("rbf(gamma=0.5)"), data, {.approx = "none"}, Scaling::Kind::standard);
  const auto influences = column_influence(model, data.points);
  ASSERT_EQ(influences.size(), 2u);
  EXPECT_EQ(influences[0].column, 0u);
  EXPECT_GT(influences[0].share, 0.8);
  EXPECT_NEAR(influences[0].share + influences[1].share, 1, 1e-12);
  std::vector<std::size_t> rows(80);
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  double mean = 0;
  for (const Explanation& e : explain(model, data.points, rows))
    for (const ColumnEffect& one : e.columns)
      if (one.column == 0) mean += std::abs(one.effect) / 80;
  EXPECT_NEAR(influences[0].influence, mean, 1e-12);
  for (const int threads : {1, 3})
    EXPECT_EQ(column_influence(model, data.points, {.threads = threads})[0].influence,
              influences[0].influence);
}

TEST(Explain, RowsThatAreNotThere) {
  const Dataset data = testing::wave(10, 6);
  const Model model = fit(Ridge{}, Kernel::parse("rbf(gamma=1)"), data);
  EXPECT_TRUE(explain(model, data.points, {}).empty());
  const std::string message =
      refusal(ErrorKind::usage, [&] { explain(model, data.points, std::vector<std::size_t>{10}); });
  EXPECT_EQ(message, "there is no row 11; the data have 10");
  EXPECT_EQ(explain(model, data.points.select_rows(std::vector<std::size_t>{3}), std::vector<std::size_t>{0})
                .size(),
            1u);
}

}  // namespace
}  // namespace mercer

// Sums of linear kernels by weights, against double loops over the kernel's values, and models that keep
// weights.
#include "methods/linear_weights.hpp"

#include "methods/problems.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

const char* const linear_kernels[] = {"linear",
                                      "2*linear",
                                      "linear@[2, 4]",
                                      "linear + constant(c=3)",
                                      "linear@1 + 0.5*linear@[1, 3] + 2*constant(c=0.25)",
                                      "2*(linear + constant(c=1))",
                                      "poly(degree=1, scale=0.5, offset=2)"};

Expansion random_expansion(const std::string& kernel, std::vector<std::size_t> blocks, std::size_t width,
                           Kind kind, std::size_t cols = 4) {
  std::size_t rows = 0;
  for (const std::size_t block : blocks) rows += block;
  Random random(5);
  Expansion e{.kernel = Kernel::parse(kernel),
              .points = as_points(random_rows(rows, cols, 3), kind),
              .blocks = std::move(blocks),
              .width = width};
  for (std::size_t i = 0; i < rows * width; ++i) e.coefficients.push_back(random.normal());
  return e;
}

std::vector<double> by_kernel_values(const Expansion& e, const Points& at) {
  std::vector<double> K(at.rows() * e.points.rows()), out(at.rows() * e.outputs(), 0.0);
  KernelOperator<double>(e.kernel, at, e.points, {.threads = 1}).matrix(K);
  for (std::size_t i = 0; i < at.rows(); ++i)
    for (std::size_t b = 0, s = 0; b < e.blocks.size(); ++b)
      for (const std::size_t end = s + e.blocks[b]; s < end; ++s)
        for (std::size_t c = 0; c < e.width; ++c)
          out[i * e.outputs() + b * e.width + c] +=
              e.coefficients[s * e.width + c] * K[i * e.points.rows() + s];
  return out;
}

TEST(LinearWeights, GiveTheSumsOfEveryLinearKernel) {
  for (const char* kernel : linear_kernels)
    for (const Kind kind : {Kind::dense64, Kind::dense32, Kind::sparse64, Kind::sparse32})
      for (const std::size_t width : {1u, 3u}) {
        const Expansion e = random_expansion(kernel, {7, 0, 5}, width, kind);
        const auto weights = LinearWeights::of(e);
        ASSERT_TRUE(weights) << kernel;
        for (const Kind other : {Kind::dense64, Kind::dense32, Kind::sparse64, Kind::sparse32}) {
          const Points at = as_points(random_rows(9, 4, 8), other);
          std::vector<double> out(at.rows() * e.outputs(), 7.0);
          weights->sums(at, out, 1, {});
          testing::expect_near(out, by_kernel_values(e, at), 1e-12, kernel);
          std::vector<double> sums(out.size());
          e.sums(at, sums);
          EXPECT_EQ(sums, out) << kernel;
        }
      }
}

TEST(LinearWeights, AreThoseOfLargeProductsToo) {
  for (const std::size_t width : {1u, 5u}) {
    const Expansion e = random_expansion("linear", {40}, width, Kind::dense64, 70);
    const Points at(random_rows(600, 70, 4));  // several blocks of rows, by OpenBLAS
    std::vector<double> one(at.rows() * width), two(one.size());
    LinearWeights::of(e)->sums(at, one, 1, {});
    LinearWeights::of(e)->sums(at, two, 2, {});
    EXPECT_EQ(one, two);
    testing::expect_near(one, by_kernel_values(e, at), 1e-11);
  }
}

TEST(LinearWeights, OtherKernelsHaveNone) {
  for (const char* kernel : {"rbf(gamma=1)", "linear^2", "normalize(linear)", "center(linear)",
                             "linear - 0.5*linear@1", "linear + rbf(gamma=1)", "poly(degree=2)"})
    EXPECT_FALSE(LinearWeights::of(random_expansion(kernel, {6}, 1, Kind::dense64))) << kernel;
}

TEST(LinearWeights, SayWhichNumberIsNotFinite) {
  const Expansion e = random_expansion("linear", {6}, 1, Kind::dense64);
  auto rows = random_rows(3, 4, 1);
  rows[1][2] = std::nan("");
  std::vector<double> out(3);
  EXPECT_EQ(refusal(ErrorKind::data, [&] { e.sums(Points(rows), out); }),
            "row 2, column 3 is nan; points must be finite numbers");
}

// The scores of a machine for pairs, before ρ: what a rule makes of the sums.
std::vector<double> pair_sums(const std::vector<double>& sums, std::size_t classes) {
  std::vector<double> pairs;
  const std::size_t width = classes - 1;
  for (std::size_t row = 0; row * classes * width < sums.size(); ++row)
    for (std::size_t i = 0; i < classes; ++i)
      for (std::size_t j = i + 1; j < classes; ++j) {
        const double* of_row = sums.data() + row * classes * width;
        pairs.push_back(of_row[i * width + j - 1] + of_row[j * width + i]);
      }
  return pairs;
}

TEST(LinearWeights, TakeThePlaceOfPoints) {
  for (const char* kernel : linear_kernels)
    for (const bool pairs : {false, true}) {
      Fitted fitted{.expansion = random_expansion(
                        kernel, pairs ? std::vector<std::size_t>{9, 8, 7} : std::vector<std::size_t>{24}, 2,
                        Kind::dense64),
                    .rule = pairs ? Rule::one_vs_one : Rule::value};
      const Expansion before = fitted.expansion;
      keep_weights(fitted, true);
      EXPECT_LE(fitted.expansion.points.rows(), 5u) << kernel;
      const Points at(random_rows(6, 4, 2));
      const auto compared = [&](const Expansion& e) {
        const std::vector<double> sums = by_kernel_values(e, at);
        return pairs ? pair_sums(sums, 3) : sums;
      };
      testing::expect_near(compared(fitted.expansion), compared(before), 1e-11, kernel);
      const Expansion support = over_support(fitted);
      EXPECT_EQ(support.coefficients, before.coefficients);
      EXPECT_EQ(support.blocks, before.blocks);
      EXPECT_EQ(&support.points.storage(), &before.points.storage());
    }
}

TEST(LinearWeights, StayAwayWhereTheyTakeMoreRoom) {
  Fitted few{.expansion = random_expansion("linear", {2}, 3, Kind::dense64)};
  keep_weights(few, true);
  EXPECT_EQ(few.expansion.points.rows(), 2u);
  EXPECT_TRUE(few.support.coefficients.empty());
  Sparse<double> rows{3, 1000, Buffer<std::size_t>(4), Buffer<std::int32_t>(3), Buffer<double>(3, 1.0)};
  for (std::size_t i = 0; i < 4; ++i) rows.starts[i] = i;
  for (std::size_t i = 0; i < 3; ++i) rows.indices[i] = std::int32_t(100 * i);
  Fitted wide{.expansion = {.kernel = Kernel::parse("linear"),
                            .points = Points(std::move(rows)),
                            .blocks = {3},
                            .coefficients = {1, 2, 3}}};
  keep_weights(wide, true);
  EXPECT_EQ(wide.expansion.points.rows(), 3u);
}

// Whatever was solved, features or K: a model of a linear kernel holds a point for each function.
TEST(LinearWeights, AreWhatModelsOfLinearKernelsKeep) {
  for (const AnyMethod& method : {AnyMethod(Svm{}), AnyMethod(Svr{}), AnyMethod(OneClass{.nu = 0.3}),
                                  AnyMethod(Ridge{}), AnyMethod(Logistic{})})
    for (const char* kernel : {"linear", "2*linear", "linear + constant(c=2)"})
      for (const char* solver : {"dual", "primal"}) {
        const Dataset data = testing::data_for(*method, 60);
        const Model model = fit(method, Kernel::parse(kernel), data, {.solver = solver});
        const std::string what = std::string(method->name()) + " " + kernel + " " + solver;
        EXPECT_LE(model.fitted.expansion.points.rows(), 6u) << what;
        EXPECT_GT(model.fitted.report.support_vectors, 6u) << what;
        EXPECT_EQ(model.fitted.support.rows.size() * model.fitted.expansion.width,
                  model.fitted.support.coefficients.size())
            << what;
      }
}

TEST(LinearWeights, AreNotKeptOfAFitThatWasCutShort) {
  const Dataset data = testing::blobs(60, 2, 1, 2);
  const FitOptions cut{.most_steps = 3};
  const Model model = fit(Svm{.C = 100}, Kernel::parse("linear"), data, cut);
  ASSERT_FALSE(model.fitted.report.converged);
  EXPECT_EQ(model.fitted.expansion.points.rows(), model.fitted.report.support_vectors);
  const Model whole = fit(Svm{.C = 100}, Kernel::parse("linear"), data, {.resume = &model});
  EXPECT_TRUE(whole.fitted.report.warnings.empty());
  // In memory a fit goes on from the support vectors, also where the model predicts by weights.
  EXPECT_EQ(fit(Svm{.C = 100}, Kernel::parse("linear"), data, {.resume = &whole}).fitted.report.iterations,
            0u);
  const Model loaded = Model::from_bytes(whole.bytes());
  const auto warnings =
      fit(Svm{.C = 100}, Kernel::parse("linear"), data, {.resume = &loaded}).fitted.report.warnings;
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(warnings[0].text,
            "the earlier model keeps weights, not support vectors: the fit started from zero");
}

}  // namespace
}  // namespace mercer

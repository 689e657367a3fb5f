#include "mercer/kernels/precomputed.hpp"
#include "mercer/methods/lwlr.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

using Row = std::vector<double>;

// Ax = b by elimination with pivots.
Row solved(testing::Table A, Row b) {
  const std::size_t n = b.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c; r < n; ++r)
      if (std::abs(A[r][c]) > std::abs(A[pivot][c])) pivot = r;
    std::swap(A[c], A[pivot]);
    std::swap(b[c], b[pivot]);
    for (std::size_t r = 0; r < n; ++r) {
      if (r == c) continue;
      const double factor = A[r][c] / A[c][c];
      for (std::size_t j = c; j < n; ++j) A[r][j] -= factor * A[c][j];
      b[r] -= factor * b[c];
    }
  }
  for (std::size_t c = 0; c < n; ++c) b[c] /= A[c][c];
  return b;
}

// β₀ of the normal equations in (1, xᵢ − x), as they stand in the books.
double textbook(const Dataset& data, const Row& x, double ridge, const testing::KernelFunction& k) {
  const std::size_t d = x.size();
  testing::Table A(d + 1, Row(d + 1, 0));
  Row b(d + 1, 0), mean(d, 0);
  double total = 0, trace = 0;
  const auto weight = [&](std::size_t i) {
    return k(data.points.row(i), x) * (data.weights.empty() ? 1 : data.weights[i]);
  };
  for (std::size_t i = 0; i < data.rows(); ++i) {
    Row z{1};
    for (std::size_t c = 0; c < d; ++c) z.push_back(data.points.row(i)[c] - x[c]);
    for (std::size_t r = 0; r <= d; ++r) {
      for (std::size_t c = 0; c <= d; ++c) A[r][c] += weight(i) * z[r] * z[c];
      b[r] += weight(i) * z[r] * data.target.values[i];
    }
    total += weight(i);
    for (std::size_t c = 0; c < d; ++c) mean[c] += weight(i) * data.points.row(i)[c];
  }
  for (std::size_t i = 0; i < data.rows(); ++i)
    for (std::size_t c = 0; c < d; ++c)
      trace += weight(i) * std::pow(data.points.row(i)[c] - mean[c] / total, 2);
  for (std::size_t c = 1; c <= d; ++c) A[c][c] += ridge * trace;
  return solved(A, b)[0];
}

const testing::KernelFunction near = [](auto& x, auto& z) { return testing::rbf(x, z, 0.7); };

TEST(Lwlr, SolvesTheNormalEquationsAtEachRow) {
  for (const double ridge : {1e-8, 0.1, 0.0}) {
    Dataset data = testing::wave(80, 2);
    for (std::size_t i = 0; i < 80; ++i) data.weights.push_back(1 + double(i % 2));
    const Points at = testing::wave(25, 5).points;
    const Predictions p = fit(Lwlr{.ridge = ridge}, Kernel::parse("rbf(gamma=0.7)"), data).predict(at);
    for (std::size_t i = 0; i < 25; ++i)
      ASSERT_NEAR(p.values[i], textbook(data, at.row(i), ridge, near), 1e-9) << ridge;
  }
}

// Over features the books' equations are those of a table of them, with the weights of the rows themselves.
TEST(Lwlr, FitsFeaturesOfTheRows) {
  const auto phi = [](const Row& x) { return Row{x[0], x[1], x[0] * x[0], x[0] * x[1], x[1] * x[1]}; };
  Dataset data = testing::wave(90, 2), image = data;
  const Points at = testing::wave(20, 5).points;
  testing::Table rows;
  for (std::size_t i = 0; i < 90; ++i) rows.push_back(phi(data.points.row(i)));
  image.points = Points(rows);
  const Lwlr quadratic{.ridge = 1e-10, .features = "mapped(linear, by=[x1, x2, x1^2, x1*x2, x2^2])"};
  const Model model = fit(quadratic, Kernel::parse("rbf(gamma=0.7)"), data);
  const Predictions p = model.predict(at);
  for (std::size_t i = 0; i < 20; ++i) {
    const testing::KernelFunction by_first = [&](auto& a, auto& b) {
      return testing::rbf({a[0], a[1]}, {b[0], b[1]}, 0.7);
    };
    ASSERT_NEAR(p.values[i], textbook(image, phi(at.row(i)), 1e-10, by_first), 1e-8);
  }
  const Model back = Model::from_bytes(model.bytes());
  EXPECT_EQ(back.predict(at).values, p.values);
}

TEST(Lwlr, OfDegreeTwoIsExactForParabolas) {
  Dataset data = testing::wave(60, 4);
  const auto parabola = [](const Row& x) { return 1 + x[0] - 2 * x[0] * x[1] + 3 * x[1] * x[1]; };
  for (std::size_t i = 0; i < 60; ++i) data.target.values[i] = parabola(data.points.row(i));
  const Points at = testing::wave(10, 9).points;
  const Predictions p =
      fit(Lwlr{.features = "poly(degree=2)"}, Kernel::parse("rbf(gamma=0.5)"), data).predict(at);
  for (std::size_t i = 0; i < 10; ++i) EXPECT_NEAR(p.values[i], parabola(at.row(i)), 1e-5);
  const auto said = [&](const char* features) {
    return refusal(ErrorKind::usage,
                   [&] { fit(Lwlr{.features = features}, Kernel::parse("rbf(gamma=1)"), data); });
  };
  EXPECT_NE(said("rbf(gamma=1)").find("infinitely many"), std::string::npos);
  EXPECT_NE(said("polly").find("did you mean 'poly'"), std::string::npos);
  EXPECT_NE(said("poly(degree=-1)").find("features must be a kernel"), std::string::npos);
}

TEST(Lwlr, IsExactForLinearTargetsAlsoFarFromTheOrigin) {
  for (const double shift : {0.0, 1e6}) {
    Dataset data = testing::wave(60, 4);
    testing::Table rows;
    for (std::size_t i = 0; i < 60; ++i) {
      rows.push_back(data.points.row(i));
      data.target.values[i] = 3 + 2 * rows[i][0] - rows[i][1];
      rows[i][0] += shift;
    }
    data.points = Points(rows);
    const Model model = fit(Lwlr{}, Kernel::parse("rbf(gamma=2)"), data);
    EXPECT_NEAR(model.predict(Points(testing::Table{{shift + 1.5, 0.5}})).values[0], 5.5, 1e-5);
    EXPECT_LT(model.fitted.report.diagnostics.at(0).values[0], 1e-4);
  }
}

TEST(Lwlr, LeavesTheOwnRowOutOfItsError) {
  const Dataset data = testing::wave(30, 6);
  double squares = 0;
  for (std::size_t i = 0; i < 30; ++i) {
    Dataset rest = data;
    rest.weights.assign(30, 1.0);
    rest.weights[i] = 0;
    squares += std::pow(data.target.values[i] - textbook(rest, data.points.row(i), 1e-8, near), 2) / 30;
  }
  const Diagnostic rmse = fit(Lwlr{}, Kernel::parse("rbf(gamma=0.7)"), data).fitted.report.diagnostics.at(0);
  EXPECT_EQ(rmse.id, "leave_one_out_rmse");
  EXPECT_NEAR(rmse.values[0], std::sqrt(squares), 1e-8);
}

TEST(Lwlr, AnswersWithTheMeanWhereThereIsNoSlopeOrNoWeight) {
  Dataset data;
  data.points = Points(testing::Table{{1, 1}, {1, 1}, {1, 1}});
  data.target = {Task::regression, "", {}, {}, {1, 2, 6}};
  const Model model = fit(Lwlr{}, Kernel::parse("rbf(gamma=1)"), data);
  EXPECT_NEAR(model.predict(Points(testing::Table{{2, 0}})).values[0], 3, 1e-12);    // all rows are one
  EXPECT_NEAR(model.predict(Points(testing::Table{{1e3, 0}})).values[0], 3, 1e-12);  // all weights are 0
  const Dataset one = testing::wave(1, 2);
  EXPECT_EQ(fit(Lwlr{}, Kernel::parse("rbf(gamma=1)"), one).predict(one.points).values[0],
            one.target.values[0]);
}

// Two rows on a line in the plane: the shortest slope points along it.
TEST(Lwlr, TakesTheShortestSlopeWhereTheRowsDoNotDetermineIt) {
  Dataset data;
  data.points = Points(testing::Table{{0, 0}, {1, 1}});
  data.target = {Task::regression, "", {}, {}, {0, 2}};
  const Points at(testing::Table{{0.5, 0.5}, {1, 0}, {0.25, 0.25}});
  for (const double ridge : {0.0, 1e-10})
    testing::expect_near(fit(Lwlr{.ridge = ridge}, Kernel::parse("rbf(gamma=0.1)"), data).predict(at).values,
                         {1, 1, 0.5}, 1e-6);
}

TEST(Lwlr, RefusesManyColumnsNegativeWeightsAndPrecomputedKernels) {
  Dataset wide = testing::wave(3, 2);
  wide.points = Points(testing::Table(3, Row(1001, 1.0)));
  EXPECT_NE(refusal(ErrorKind::data, [&] { fit(Lwlr{}, Kernel::parse("rbf(gamma=1)"), wide); })
                .find("the data have 1001, at most 1000"),
            std::string::npos);
  EXPECT_NE(refusal(ErrorKind::data, [&] { fit(Lwlr{}, Kernel::parse("linear"), testing::wave(20, 2)); })
                .find("a weight must be ≥ 0"),
            std::string::npos);
  Dataset given = testing::wave(2, 2);
  given.points = kernel_rows(Points(testing::Table{{1, 0}, {0, 1}}));
  EXPECT_NE(refusal(ErrorKind::usage, [&] { fit(Lwlr{}, Kernel::parse("precomputed"), given); })
                .find("precomputed"),
            std::string::npos);
}

}  // namespace
}  // namespace mercer

#include "mercer/preimage.hpp"

#include "methods/problems.hpp"

namespace mercer {
namespace {

using testing::Table;

Dataset cloud(std::size_t n, std::uint64_t seed = 1, std::size_t cols = 3) {
  Dataset data = testing::blobs(n, 2, seed, 1, cols);
  data.target = {};
  return data;
}

void expect_rows(const Points& found, const Points& wanted, double tolerance) {
  ASSERT_EQ(found.rows(), wanted.rows());
  for (std::size_t i = 0; i < wanted.rows(); ++i)
    testing::expect_near(found.row(i), wanted.row(i), tolerance, "row " + std::to_string(i));
}

TEST(Preimages, OfRowsProjectedOnAllComponentsAreTheRows) {
  const Dataset data = cloud(20);
  for (const char* kernel :
       {"rbf(gamma=0.5)", "rational_quadratic(alpha=1, length=1)", "0.5*rbf(gamma=2) + laplace(lambda=1)"})
    for (const auto scaling : {Scaling::Kind::none, Scaling::Kind::standard, Scaling::Kind::minmax}) {
      SCOPED_TRACE(kernel);
      const Model model = fit(Pca{.components = 19}, Kernel::parse(kernel), data, {}, scaling);
      expect_rows(preimages(model, model.predict(data.points).values), data.points, 1e-4);
    }
}

TEST(Preimages, WithTheLinearKernelAreTheProjections) {
  const Dataset data = cloud(30);
  const Model all = fit(Pca{.components = 3}, Kernel::parse("linear"), data, {}, Scaling::Kind::standard);
  expect_rows(preimages(all, all.predict(data.points).values), data.points, 1e-10);
  const Model one = fit(Pca{.components = 1}, Kernel::parse("linear"), data);
  const std::vector<double> z = one.predict(data.points).values;
  const Points line = preimages(one, z);
  testing::expect_near(one.predict(line).values, z, 1e-10);  // a projection is its own projection
  for (std::size_t i = 2; i < 30; ++i)                       // and they all lie on a line
    for (std::size_t j = 0; j < 3; ++j)
      EXPECT_NEAR((line.row(i)[j] - line.row(0)[j]) * (z[1] - z[0]),
                  (line.row(1)[j] - line.row(0)[j]) * (z[i] - z[0]), 1e-9);
}

TEST(Preimages, OfAWidenedModelHaveZerosInTheNewColumns) {
  const Dataset data = cloud(12);
  const Model wide = fit(Pca{.components = 3}, Kernel::parse("linear"), data).widened(5, 1);
  Table rows;
  for (std::size_t i = 0; i < 12; ++i) {
    const std::vector<double> x = data.points.row(i);
    rows.push_back({0, x[0], x[1], x[2], 0});
  }
  expect_rows(preimages(wide, wide.predict(Points(rows)).values), Points(rows), 1e-10);
}

// No point of a fine net around it is nearer in feature space, the distance being computed from the
// definition.
TEST(Preimages, AreNearestInFeatureSpace) {
  const Dataset data = cloud(25, 4, 2);
  for (const bool centred : {true, false}) {
    const Model model = fit(Pca{.components = 4, .centred = centred}, Kernel::parse("rbf(gamma=0.3)"), data);
    const std::vector<double> z = model.predict(data.points).values;
    const Points found = preimages(model, std::span(z).first(4 * 8));
    for (std::size_t r = 0; r < 8; ++r) {
      std::vector<double> gamma(25, centred ? 1.0 / 25 : 0);
      for (std::size_t i = 0; i < 25; ++i)
        for (std::size_t c = 0; c < 4; ++c)
          gamma[i] += z[r * 4 + c] * model.fitted.expansion.coefficients[i * 4 + c];
      const auto height = [&](const std::vector<double>& x) {
        double sum = 0;
        for (std::size_t i = 0; i < 25; ++i) sum += gamma[i] * testing::rbf(x, data.points.row(i), 0.3);
        return sum;
      };
      const std::vector<double> x = found.row(r);
      for (int a = -20; a <= 20; ++a)
        for (int b = -20; b <= 20; ++b)
          EXPECT_LE(height({x[0] + 0.05 * a, x[1] + 0.05 * b}), height(x) + 1e-9) << r;
    }
  }
}

TEST(Preimages, RemoveNoise) {
  Random random(1);
  Table rows, clean;
  for (int i = 0; i < 150; ++i) {
    const double angle = random.uniform(0, 3.14159);
    clean.push_back({std::cos(angle), std::sin(angle)});
    rows.push_back({clean.back()[0] + 0.1 * random.normal(), clean.back()[1] + 0.1 * random.normal()});
  }
  Dataset data;
  data.points = Points(rows);
  const Model model = fit(Pca{.components = 3}, Kernel::parse("rbf(gamma=1)"), data);
  const Points found = preimages(model, model.predict(data.points).values, {.threads = 2});
  double before = 0, after = 0;
  for (std::size_t i = 0; i < 150; ++i)
    before += std::abs(std::hypot(rows[i][0], rows[i][1]) - 1),
        after += std::abs(std::hypot(found.row(i)[0], found.row(i)[1]) - 1);
  EXPECT_LT(after, 0.7 * before);
}

TEST(Preimages, AreRefusedWithTheReason) {
  const Dataset data = cloud(10);
  const Model poly = fit(Pca{}, Kernel::parse("poly(degree=2)"), data),
              machine = fit(OneClass{}, Kernel::parse("rbf(gamma=1)"), data),
              good = fit(Pca{}, Kernel::parse("rbf(gamma=1)"), data);
  EXPECT_NE(refusal(ErrorKind::usage, [&] { preimages(poly, std::vector<double>(2)); })
                .find("has no pre-images here: the kernel must be linear, or a function of the distance"),
            std::string::npos);
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { preimages(machine, std::vector<double>(2)); }),
            "pre-images are those of a model of pca, not of one_class");
  EXPECT_EQ(refusal(ErrorKind::usage, [&] { preimages(good, std::vector<double>(3)); }),
            "there are 3 coordinates, which is not a multiple of the 2 components");
  EXPECT_EQ(preimages(good, {}).rows(), 0u);
  Model damaged = good;
  damaged.fitted.centre.pop_back();
  EXPECT_EQ(refusal(ErrorKind::data, [&] { preimages(damaged, std::vector<double>(2)); }),
            "the model's mean has 9 numbers; they must be 10");
}

}  // namespace
}  // namespace mercer

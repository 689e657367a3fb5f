#include "solvers/laplace.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/refusal.hpp"
#include "laplace_textbook.hpp"
#include "mercer/kernel_operator.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"

namespace mercer {
namespace {

const Progress no_progress;

LaplaceEvidence::Data signed_data(std::size_t n, std::size_t functions, std::uint64_t seed = 1) {
  Random random(seed);
  LaplaceEvidence::Data data{as_points(random_rows(n, 2, seed)), functions, {}, {}};
  for (std::size_t e = 0; e < n * functions; ++e)
    data.signs.push_back(data.points.row(e / functions)[e % 2] + 0.5 * random.normal() > 0 ? 1 : -1);
  for (std::size_t i = 0; i < n; ++i) data.weights.push_back(i % 3 == 0 ? 2 : 1);
  return data;
}

testing::TextbookMatrix matrix_of(const Kernel& kernel, const Points& points) {
  const std::size_t n = points.rows();
  std::vector<double> K(n * n);
  KernelOperator<double>(kernel, points).matrix(K);
  testing::TextbookMatrix rows;
  for (std::size_t i = 0; i < n; ++i) rows.emplace_back(K.begin() + i * n, K.begin() + (i + 1) * n);
  return rows;
}

TEST(LaplaceEvidence, IsThatOfTheTextbook) {
  for (const std::size_t n : {1u, 2u, 33u, 70u})
    for (const std::size_t functions : {1u, 3u})
      for (const char* text : {"2*rbf(gamma=0.7) + linear", "300*rbf(gamma=0.1)"}) {
        const LaplaceEvidence::Data data = signed_data(n, functions);
        const Kernel kernel = Kernel::parse(text);
        LaplaceEvidence laplace(data, KernelCoordinates(kernel), 1, no_progress);
        const double value = laplace(laplace.coordinates().start());
        std::vector<double> factors(functions * n * n);
        EXPECT_NEAR(laplace.posterior(laplace.coordinates().start(), factors), value,
                    1e-12 * (1 + std::abs(value)));
        double expected = 0;
        for (std::size_t c = 0; c < functions; ++c) {
          std::vector<double> y;
          for (std::size_t i = 0; i < n; ++i) y.push_back(data.signs[i * functions + c]);
          const testing::LaplaceTextbook book(matrix_of(kernel, data.points), y, data.weights);
          expected += book.log_q;
          const LaplaceEvidence::Mode& mode = laplace.modes()[c];
          EXPECT_LE(mode.residual, 1e-9);
          for (std::size_t i = 0; i < n; ++i) {
            EXPECT_NEAR(mode.f[i], book.f[i], 1e-7 * (1 + std::abs(book.f[i])));
            EXPECT_NEAR(mode.a[i], book.a[i], 1e-8);
            for (std::size_t j = 0; j <= i; ++j)
              EXPECT_NEAR(factors[(c * n + i) * n + j] * book.roots[i], book.L[i][j], 1e-6);
          }
        }
        EXPECT_NEAR(value, expected, 1e-8 * (1 + std::abs(expected))) << text << " " << n;
      }
}

TEST(LaplaceEvidence, HasTheGradientOfItsDifferences) {
  for (const std::size_t functions : {1u, 2u})
    for (const char* text :
         {"2*rbf(gamma=0.7)", "matern(length=0.8) + 0.3*linear", "poly(degree=2, scale=0.5, offset=1)"}) {
      LaplaceEvidence laplace(signed_data(40, functions, 5), KernelCoordinates(Kernel::parse(text)), 1,
                              no_progress);
      std::vector<double> t = laplace.coordinates().start(), gradient(t.size());
      laplace(t, gradient);
      for (std::size_t i = 0; i < t.size(); ++i) {
        constexpr double h = 1e-4;
        std::vector<double> up = t, down = t;
        up[i] += h, down[i] -= h;
        EXPECT_NEAR(gradient[i], (laplace(up) - laplace(down)) / (2 * h), 1e-5 * (1 + std::abs(gradient[i])))
            << text << " " << i;
      }
    }
}

TEST(LaplaceEvidence, GivesTheSameBitsForAnyNumberOfThreads) {
  const LaplaceEvidence::Data data = signed_data(700, 1);
  const KernelCoordinates coordinates(Kernel::parse("2*rbf(gamma=0.7)"));
  LaplaceEvidence one(data, coordinates, 1, no_progress), several(data, coordinates, 3, no_progress);
  std::vector<double> of_one(2), of_several(2);
  EXPECT_EQ(one(coordinates.start(), of_one), several(coordinates.start(), of_several));
  EXPECT_EQ(of_one, of_several);
}

// K = 0: the mode is 0, and every sign as probable as the other.
TEST(LaplaceEvidence, OfAKernelThatIsZeroIsThatOfCoins) {
  LaplaceEvidence laplace(signed_data(9, 1), KernelCoordinates(Kernel::parse("constant(c=0)")), 1,
                          no_progress);
  std::vector<double> factors(81);
  EXPECT_NEAR(laplace.posterior(laplace.coordinates().start(), factors), -12 * std::log(2.0),
              1e-12);  // Σ w = 12
}

TEST(LaplaceEvidence, OfSomeRowsIsThatOfTheseRows) {
  const LaplaceEvidence::Data data = signed_data(20, 2);
  const KernelCoordinates coordinates(Kernel::parse("rbf(gamma=0.7)"));
  const std::vector<std::size_t> rows{1, 4, 5, 11, 19};
  LaplaceEvidence::Data some{data.points.select_rows(rows), 2, {}, {}};
  for (const std::size_t i : rows) {
    some.signs.insert(some.signs.end(), {data.signs[2 * i], data.signs[2 * i + 1]});
    some.weights.push_back(data.weights[i]);
  }
  LaplaceEvidence all(data, coordinates, 1, no_progress), part(some, coordinates, 1, no_progress);
  EXPECT_EQ((*all.of_rows(rows))(coordinates.start()), part(coordinates.start()));
}

TEST(LaplaceEvidence, RefusesAKernelFarFromPositiveSemidefinite) {
  LaplaceEvidence laplace(signed_data(10, 1), KernelCoordinates(Kernel::parse("rbf(gamma=1) - 50*linear")), 1,
                          no_progress);
  EXPECT_EQ(laplace.value(laplace.coordinates().start()), std::nullopt);
  EXPECT_NE(refusal(ErrorKind::data, [&] { laplace(laplace.coordinates().start()); })
                .find("I + W^½KW^½ is not positive definite"),
            std::string::npos);
}

TEST(AveragedSigmoid, IsItsIntegral) {
  for (const double mean : {0.0, 0.3, -1.5, 4.0, -7.0})
    for (const double variance : {0.0, 0.1, 1.0, 10.0, 300.0})
      EXPECT_NEAR(averaged_sigmoid(mean, variance), testing::average_of_sigmoid(mean, variance), 3e-4)
          << mean << " " << variance;
}

}  // namespace
}  // namespace mercer

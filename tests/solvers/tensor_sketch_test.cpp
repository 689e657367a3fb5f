#include "solvers/tensor_sketch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/random.hpp"
#include "kernels/node.hpp"
#include "mercer/kernels.hpp"
#include "random_points.hpp"
#include "solvers/feature_errors.hpp"

namespace mercer {
namespace {

std::unique_ptr<const DenseMap> sketch_of(const Kernel& k, std::size_t columns, std::size_t features,
                                          std::uint64_t seed = 1) {
  return tensor_sketch(*k.node().dot_power(), columns, features, seed);
}

TEST(TensorSketch, ApproachesTheKernelAsItGrows) {
  const Points x = as_points(random_rows(9, 5, 7));
  for (const char* text : {"linear", "poly(degree=2)", "poly(degree=3, scale=0.5, offset=0)",
                           "3*poly(degree=4, scale=0.1, offset=2)", "linear^2", "(2*linear)^3",
                           "2*(3*poly(degree=2, scale=0.1))"}) {
    const Kernel k = Kernel::parse(text);
    double few = 0, many = 0, size = 0;
    for (const double value : full(KernelOperator<double>(k, x))) size = std::max(size, std::abs(value));
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      few += feature_error(features_of(*sketch_of(k, 5, 32, seed), x), k, x).root_mean_square / 4;
      many += feature_error(features_of(*sketch_of(k, 5, 2048, seed), x), k, x).root_mean_square / 4;
    }
    EXPECT_LT(many, few / 2) << text;
    EXPECT_LT(many, 0.05 * size) << text;
  }
}

TEST(TensorSketch, IsRightInTheMean) {  // E φ(x)ᵀφ(z) = k(x, z)
  const Points x(std::vector<Row>{{1, 2, 0.5}, {0.3, 1, 2}});
  const Kernel k = poly({.degree = 2, .scale = 0.5, .offset = 1});
  double mean = 0;
  const int seeds = 3000;
  for (int seed = 0; seed < seeds; ++seed) {
    const auto phi = features_of(*sketch_of(k, 3, 4, std::uint64_t(seed)), x);
    for (std::size_t f = 0; f < 4; ++f) mean += phi[f] * phi[4 + f] / seeds;
  }
  EXPECT_NEAR(mean, std::pow(1 + 0.5 * (0.3 + 2 + 1), 2), 0.6);
}

TEST(TensorSketch, IsTheConvolutionOfCountSketches) {
  // With one coordinate and no offset each count sketch is ±x at one place, and so is their convolution:
  // ±x^p.
  const Points x(std::vector<Row>{{3}});
  const auto phi = features_of(*sketch_of(poly({.degree = 5, .offset = 0}), 1, 8), x);
  EXPECT_EQ(std::ranges::count_if(phi, [](double value) { return std::abs(std::abs(value) - 243) < 1e-10; }),
            1);
  EXPECT_EQ(std::ranges::count_if(phi, [](double value) { return std::abs(value) < 1e-10; }), 7);
}

TEST(TensorSketch, WithOneFeatureIsASignedSum) {
  const Points x(std::vector<Row>{{3, 4}});
  const double value = std::abs(features_of(*sketch_of(linear(), 2, 1), x).at(0));
  EXPECT_TRUE(value == 7 || value == 1);
}

TEST(TensorSketch, IsTheSameForEveryStorageAndThreadCount) {
  const auto rows = random_rows(300, 6, 2);
  const auto map = sketch_of(poly({.degree = 2}), 6, 64);
  const auto dense = features_of(*map, as_points(rows), 1);
  EXPECT_TRUE(same_bits(dense, features_of(*map, as_points(rows), 3)));
  for (const Kind kind : {Kind::dense32, Kind::sparse64, Kind::sparse32}) {
    const auto other = features_of(*map, as_points(rows, kind), 2);
    for (std::size_t e = 0; e < dense.size(); ++e) ASSERT_NEAR(other[e], dense[e], 1e-12);
  }
}

using Complex = std::complex<double>;

std::vector<Complex> random_numbers(std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<Complex> values(n);
  for (Complex& value : values) value = {random.normal(), random.normal()};
  return values;
}

TEST(FastFourier, EqualsTheSum) {
  for (const std::size_t n : {1, 2, 4, 8, 64}) {
    const auto x = random_numbers(n, n);
    auto X = x;
    FastFourier(n).forward(X);
    for (std::size_t k = 0; k < n; ++k) {
      Complex sum = 0;
      for (std::size_t j = 0; j < n; ++j)
        sum += x[j] * std::polar(1.0, -2 * std::numbers::pi * double(j * k % n) / double(n));
      EXPECT_LT(std::abs(X[k] - sum), 1e-13 * double(n)) << n << " " << k;
    }
  }
}

TEST(FastFourier, BackwardUndoesForward) {
  const auto x = random_numbers(256, 1);
  const FastFourier transform(256);
  auto y = x;
  transform.forward(y);
  transform.backward(y);
  for (std::size_t j = 0; j < 256; ++j) EXPECT_LT(std::abs(y[j] / 256.0 - x[j]), 1e-14);
}

TEST(FastFourier, OfAProductIsTheCircularConvolution) {
  for (const std::size_t n : {1, 2, 32, 128}) {
    const auto x = random_numbers(n, 2), y = random_numbers(n, 3);
    const FastFourier transform(n);
    auto X = x, Y = y;
    transform.forward(X);
    transform.forward(Y);
    for (std::size_t k = 0; k < n; ++k) X[k] *= Y[k];
    transform.backward(X);
    for (std::size_t k = 0; k < n; ++k) {
      Complex sum = 0;
      for (std::size_t j = 0; j < n; ++j) sum += x[j] * y[(k + n - j) % n];
      EXPECT_LT(std::abs(X[k] / double(n) - sum), 1e-13 * double(n));
    }
  }
}

}  // namespace
}  // namespace mercer

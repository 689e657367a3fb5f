#include "solvers/fast_fourier.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/random.hpp"

namespace mercer {
namespace {

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

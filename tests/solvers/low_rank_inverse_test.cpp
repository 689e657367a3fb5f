#include "solvers/low_rank_inverse.hpp"

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "solvers/dense_cholesky.hpp"

namespace mercer {
namespace {

std::vector<double> random_normals(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = double(float(random.normal()));
  return values;
}

template <class T>
void expect_inverse(std::size_t n, std::size_t rank, std::size_t k, double mu, bool scaled) {
  const std::vector<double> numbers = random_normals(n * rank, n + rank);
  const std::vector<T> factor(numbers.begin(), numbers.end());
  std::vector<double> s = scaled ? random_normals(n, 3) : std::vector<double>{};
  for (double& value : s) value = value < -1 ? 0 : std::abs(value);
  const Progress progress;
  LowRankInverse<T> inverse(factor.data(), rank, n, 1, progress), other(factor.data(), rank, n, 2, progress);
  ASSERT_TRUE(inverse.prepare({}, 3.0));  // another S and μ before
  ASSERT_TRUE(inverse.prepare(s, mu));
  ASSERT_TRUE(other.prepare(s, mu));
  const std::vector<double> X = random_normals(n * k, 7);
  std::vector<double> R(n * k), inner(rank * k), out(n * k), again(n * k);
  const auto weight = [&](std::size_t i) { return s.empty() ? 1.0 : s[i]; };
  for (std::size_t r = 0; r < rank; ++r)
    for (std::size_t e = 0; e < n * k; ++e)
      inner[r * k + e % k] += numbers[r * n + e / k] * weight(e / k) * X[e];
  for (std::size_t e = 0; e < n * k; ++e) {
    R[e] = mu * X[e];
    for (std::size_t r = 0; r < rank; ++r)
      R[e] += weight(e / k) * numbers[r * n + e / k] * inner[r * k + e % k];
  }
  inverse.apply(R, k, out);
  other.apply(R, k, again);
  // A rough small matrix (float32, and a μ that hides it) gives an inverse that is only near.
  const double tolerance = sizeof(T) == 4 ? 2e-2 : 1e-9 / mu;
  for (std::size_t e = 0; e < out.size(); ++e)
    ASSERT_NEAR(out[e], X[e], tolerance) << n << ' ' << rank << ' ' << k;
  EXPECT_EQ(out, again);
}

TEST(LowRankInverse, UndoesTheProduct) {
  for (const std::size_t n : {1u, 2u, 51u})
    for (const std::size_t rank : {0u, 1u, 20u})
      for (const std::size_t k : {1u, 3u, 20u})
        for (const bool scaled : {false, true}) {
          expect_inverse<double>(n, rank, k, 0.1, scaled);
          expect_inverse<float>(n, rank, k, 0.1, scaled);
        }
  expect_inverse<float>(4500, 130, 1, 0.5, true);
  expect_inverse<double>(300, 250, 2, 0.5, true);
}

}  // namespace
}  // namespace mercer

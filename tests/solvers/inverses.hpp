// What the tests of inverses share: (S K S + cI) X by a double loop, and how far an inverse brings it back.
#pragma once

#include <cmath>
#include <vector>

#include "mercer/kernel_operator.hpp"
#include "random_points.hpp"
#include "solvers/inverse.hpp"

namespace mercer {

inline std::vector<double> normal_numbers(std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<double> values(count);
  for (double& value : values) value = random.normal();
  return values;
}

inline std::vector<double> system_product(const Kernel& kernel, const Points& points,
                                          const std::vector<double>& s, double c,
                                          const std::vector<double>& X, std::size_t k) {
  const std::size_t n = points.rows();
  std::vector<double> K(n * n), out(n * k);
  KernelOperator<double>(kernel, points, {.threads = 1}).matrix(K);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t q = 0; q < k; ++q) {
      out[i * k + q] = c * X[i * k + q];
      for (std::size_t j = 0; j < n; ++j)
        out[i * k + q] += K[i * n + j] * (s.empty() ? 1 : s[i] * s[j]) * X[j * k + q];
    }
  return out;
}

/// The largest |X − A⁻¹(A X)| for random X, in units of the largest |X|.
inline double inversion_error(Inverse& inverse, const Kernel& kernel, const Points& points,
                              const std::vector<double>& s, double c, std::size_t k) {
  const std::vector<double> X = normal_numbers(points.rows() * k, 5),
                            R = system_product(kernel, points, s, c, X, k);
  std::vector<double> found(X.size());
  if (!inverse.prepare(s, c)) return INFINITY;
  inverse.apply(R, k, found);
  double worst = 0, scale = 0;
  for (std::size_t e = 0; e < X.size(); ++e) {
    worst = std::max(worst, std::abs(X[e] - found[e]));
    scale = std::max(scale, std::abs(X[e]));
  }
  return worst / scale;
}

}  // namespace mercer

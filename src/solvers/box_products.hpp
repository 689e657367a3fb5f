// f = Kβ of the box problem, K held.
#pragma once

#include <span>
#include <vector>

#include "solvers/box_qp.hpp"

namespace mercer {

/// Per point; `K`: points × points, row-major.
inline std::vector<double> box_products(const BoxQp& problem, std::span<const double> K, std::size_t points,
                                        std::span<const double> beta) {
  std::vector<double> sums(points, 0), f(points, 0);
  for (std::size_t v = 0; v < beta.size(); ++v) sums[std::size_t(problem.points[v])] += beta[v];
  for (std::size_t i = 0; i < points; ++i) {
    const double* row = K.data() + i * points;
    for (std::size_t j = 0; j < points; ++j) f[i] += row[j] * sums[j];
  }
  return f;
}

}  // namespace mercer

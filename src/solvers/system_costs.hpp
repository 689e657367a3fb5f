// What the ways of solving (S K S + cI) X = R are expected to cost, in seconds of one usual core. Only their
// ratios matter, and nothing is measured, so that the same problem is always solved in the same way.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace mercer {

struct SystemCosts {
  std::size_t n = 0;
  std::size_t features = 1;  ///< columns of the points, or non-zeros of a row
  double held = 1;           ///< the share of the float32 tiles that are held
  double right_hand_sides = 1;
  double tolerance = 1e-8;
  bool cholesky_possible = false;  ///< then conjugate gradients are given up where they would cost more

  static constexpr double single_flops = 8e10, double_flops = 4e10, bytes_read = 1.2e10;

  double half() const { return 0.5 * double(n) * double(n); }
  /// Half of K, computed in float32 or float64.
  double entries_single() const { return half() * (1 / 1e9 + 2 * double(features) / 4e10); }
  double entries_double() const { return half() * (1 / 4e8 + 2 * double(features) / 2e10); }

  double iteration(double rank) const {
    const double reading = (half() * held + 2 * double(n) * rank) * 4 / bytes_read;
    const double arithmetic = right_hand_sides * 4 * (half() + double(n) * rank) / double_flops;
    return (1 - held) * entries_single() + std::max(reading, arithmetic);
  }
  /// Making a factor of that rank, and its small matrix.
  double factor(double rank) const {
    return double(n) * rank * rank * (1 / single_flops + 1 / double_flops) +
           rank * rank * rank / (3 * double_flops);
  }
  /// Conjugate gradients on a matrix of eigenvalues from c to c + largest.
  double iterations(double largest, double c) const {
    return c > 0 ? 0.5 * std::sqrt(1 + largest / c) * std::log(2 / tolerance) : std::max(double(n), 1000.0);
  }
  double cholesky() const {
    const double size = double(n);
    return size * size * size / (3 * single_flops) + entries_single() +
           4 * (entries_double() / 2 + half() * 4 / bytes_read);
  }
};

}  // namespace mercer

// The Hilbert–Schmidt independence criterion: do rows and targets depend on each other, in whatever way?
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "mercer/dataset.hpp"
#include "mercer/kernel_operator.hpp"

namespace MERCER_EXPORT mercer {

struct HsicOptions {
  std::size_t permutations = 1000;  ///< for the p-value; 0: none
  std::uint64_t seed = 1;
  int threads = 0;
  std::size_t memory = std::size_t(1) << 30;  ///< bytes, for both kernel matrices
  Progress progress = {};
};

struct HsicTest {
  Kernel kernel, target_kernel;  ///< resolved
  double biased = 0;  ///< tr(KHLH)/n², H = I − 1/n                           Gretton et al. 2008, eq. 4
  std::optional<double> unbiased =
      {};                ///< of four rows or more                        Song et al. 2012, eq. 5
  double alignment = 0;  ///< tr(KHLH) / √(tr(KHKH)·tr(LHLH)), in [0, 1] for valid kernels
  std::size_t permutations = 0;
  std::size_t recomputed = 0;  ///< of these: too near to call in float32, and done again in float64
  /// The share of permutations of the targets (the given order is one) with at least this HSIC.
  std::optional<double> p_value = {};
};

/// Of as many x as y; at least two.
HsicTest hsic_test(const Kernel& kernel, const Points& x, const Kernel& target_kernel, const Points& y,
                   const HsicOptions& options = {});

struct ColumnDependence {
  std::size_t column = 0;  ///< from 0
  double hsic = 0;         ///< biased
  double alignment = 0;
  std::optional<double> p_value = {};  ///< where permutations were asked for
};

/// HSIC of each column alone with the target, the largest first. `kernel` is of one column, its scale, auto
/// or median resolved for each.
std::vector<ColumnDependence> hsic_ranking(const Kernel& kernel, const Points& x, const Kernel& target_kernel,
                                           const Points& y, const HsicOptions& options = {});

/// A target as points: its numbers, or of classes a column for each with 1 for the own class and 0 for the
/// others.
Points target_points(const Target& target);
/// rbf(gamma=median) of numbers; of classes linear, which is 1 for two rows of a class and 0 for others.
Kernel standard_target_kernel(const Target& target);

}  // namespace mercer

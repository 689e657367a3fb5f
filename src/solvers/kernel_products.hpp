// f = Kβ at points of a problem, summed in float64 without keeping K: the certificate of support vector
// methods, and what changes of β change.
#pragma once

#include <span>

#include "mercer/kernel_operator.hpp"
#include "mercer/progress.hpp"

namespace mercer {

/// f[i] += Σₚ t[p]·K[points[p], i] for every i of the ranges, tile by tile; the points are different ones, K
/// is symmetric. Where many of the ranges' points are among them, entries between these are computed once for
/// both of their places. `progress` is told now and then, and does not stop it. The sums do not depend on the
/// number of threads.
template <class T>
void add_products(const KernelOperator<T>& K, std::span<const std::size_t> points, std::span<const double> t,
                  std::span<const Range> ranges, std::span<double> f, int threads,
                  const Progress& progress = {});

}  // namespace mercer

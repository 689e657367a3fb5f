// f = Kβ from float64 kernel values: what a certificate is made of.
#pragma once

#include <span>

#include "mercer/kernel_operator.hpp"

namespace mercer {

/// f[i] += Σₚ t[p]·K[points[p], i] for every i of the ranges, tile by tile. `progress` is told now and
/// then, and does not stop it.
void add_exact_products(const KernelOperator<double>& K, std::span<const std::size_t> points,
                        std::span<const double> t, std::span<const Range> ranges, std::span<double> f,
                        int threads, const Progress& progress = {});

}  // namespace mercer

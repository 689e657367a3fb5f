// Kernels, weights and maps given as C++ functions.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "mercer/kernel.hpp"

namespace MERCER_EXPORT mercer {

/// A kernel given as a function of two points, or of a tile: out[(i − rows.begin) · columns.size() + j −
/// columns.begin] = k(xᵢ, zⱼ). Not proved PSD unless `psd` says that you know it is. Called from several
/// threads.
using PairFunction = std::function<double(std::span<const double>, std::span<const double>)>;
using TileFunction =
    std::function<void(const Points& x, Range rows, const Points& z, Range columns, double* out)>;
Kernel user_kernel(std::string name, PairFunction function, bool psd = false);
Kernel user_kernel(std::string name, TileFunction function, bool psd = false);

/// f(x) k(x, z) f(z) with any f.
Kernel weighted(const Kernel& k, std::function<double(std::span<const double>)> by);
/// k(φ(x), φ(z)) with any φ that gives the same number of values for every point.
Kernel mapped(const Kernel& k, std::function<std::vector<double>(std::span<const double>)> by);

}  // namespace mercer

// k-means on the unit sphere (Dhillon & Modha 2001): max Σ wᵢ zᵢ·m_c(i) over unit centres m_c, zᵢ = row i
// scaled to length 1.
#pragma once

#include "methods/clusters.hpp"

namespace mercer {

struct SphereMeans {
  Assignment assignment;        // clusters in the order in which rows meet them
  std::vector<double> centres;  // clusters × dimension, row-major, each of length 1
  double objective = 0;         // Σ wᵢ (1 − zᵢ·m)
  bool converged = false;       // no row wants to move
};

/// As many clusters as `rows` (n × clusters, row-major) has columns. A row of zeros belongs anywhere.
SphereMeans sphere_means(std::span<const double> rows, std::size_t clusters, std::span<const double> weights,
                         std::size_t starts, std::uint64_t seed);

}  // namespace mercer

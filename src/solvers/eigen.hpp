// Eigenvalues and eigenvectors of a dense symmetric matrix (LAPACK's divide and conquer).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mercer {

struct Eigen {
  std::vector<double> values;   // n, ascending
  std::vector<double> vectors;  // n × n, row-major; column i belongs to values[i]; empty where not asked for
};

/// Of the n × n symmetric K, row-major.
Eigen symmetric_eigen(std::span<const double> K, std::size_t n, bool vectors);

}  // namespace mercer

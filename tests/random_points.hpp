// Random points of every storage for the tests.
#pragma once

#include <vector>

#include "base/random.hpp"
#include "mercer/points.hpp"

namespace mercer {

/// n × d normal numbers, shifted; negative ones are mirrored where asked, and some entries are 0.
inline std::vector<std::vector<double>> random_rows(std::size_t n, std::size_t d, std::uint64_t seed,
                                                    bool non_negative = false, double shift = 0) {
  Random random(seed);
  std::vector<std::vector<double>> rows(n, std::vector<double>(d));
  for (auto& row : rows)
    for (double& value : row) {
      // Rounded to float so that float32 and float64 tests see the same points.
      value = random.uniform() < 0.3 ? 0 : double(float(random.normal() + shift));
      if (non_negative) value = std::abs(value);
    }
  return rows;
}

enum class Kind { dense64, dense32, sparse64, sparse32 };

inline Points as_points(const std::vector<std::vector<double>>& rows, Kind kind = Kind::dense64) {
  const Points dense(rows);
  switch (kind) {
    case Kind::dense64:
      return dense;
    case Kind::dense32:
      return dense.with_precision(Precision::float32);
    case Kind::sparse64:
      return dense.to_sparse();
    case Kind::sparse32:
      break;
  }
  return dense.to_sparse().with_precision(Precision::float32);
}

}  // namespace mercer

// A part of the rows, where all of them would be too many.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <utility>
#include <vector>

#include "base/random.hpp"

namespace mercer {

/// `most` of the numbers 0 … n − 1 drawn without replacement, ascending; all of them where there are no more.
inline std::vector<std::size_t> sampled_rows(std::size_t n, std::size_t most, std::uint64_t seed) {
  std::vector<std::size_t> rows(n);
  std::iota(rows.begin(), rows.end(), std::size_t(0));
  if (n <= most) return rows;
  Random random(seed);
  for (std::size_t i = 0; i < most; ++i) std::swap(rows[i], rows[i + random.below(n - i)]);
  rows.resize(most);
  std::ranges::sort(rows);
  return rows;
}

}  // namespace mercer

// Which rows hold the same numbers, however they are stored.
#pragma once

#include "mercer/points.hpp"

namespace mercer {

inline constexpr std::size_t no_row = std::size_t(-1);

/// For each of `rows` the first row of `among` that equals it, or no_row.
std::vector<std::size_t> find_rows(const Points& rows, const Points& among, int threads = 0);

}  // namespace mercer

// Rows of numbers as the bytes of a message, dense or sparse, in either precision, and back. Objects do not
// travel: their features depend on all rows.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "mercer/points.hpp"

namespace mercer::cluster {

std::vector<std::byte> bytes_of(const Points& points);
/// `names`: of the columns; they do not travel.
Points points_of(std::span<const std::byte> bytes, const std::vector<std::string>& names);

/// The rows of all, in order; all stored alike, with as many columns.
Points joined(std::span<const Points> parts);

/// Rows [begin, end).
Points rows_of(const Points& points, std::size_t begin, std::size_t end);

}  // namespace mercer::cluster

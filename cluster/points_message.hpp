// Rows of numbers as the bytes of a message, dense or sparse, in either precision, and back. Objects do not
// travel: their features depend on all rows.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "cluster/communicator.hpp"
#include "mercer/points.hpp"

namespace mercer::cluster {

std::vector<std::byte> bytes_of(const Points& points);
/// `names`: of the columns; they do not travel.
Points points_of(std::span<const std::byte> bytes, const std::vector<std::string>& names);

/// The rows of all, in order; all stored alike, with as many columns.
Points joined(std::span<const Points> parts);

/// The rows that rank 0 has, each rank its share of them; `all`: null on the others. Names travel, too.
Points handed_out(const Communicator& ranks, const Points* all);

/// Rows [begin, end).
Points rows_of(const Points& points, std::size_t begin, std::size_t end);

}  // namespace mercer::cluster

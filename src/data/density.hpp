// When sparse rows are better held dense. The rules look at the numbers alone, not at the file they came in
// or at the machine, so that the same data give the same model everywhere.
#pragma once

#include "mercer/points.hpp"

namespace mercer {

/// 2²⁵ float64 numbers are 256 MB: what may be spent on the zeros of sparse rows that have to be shifted.
inline constexpr std::size_t most_numbers_filled_in = std::size_t(1) << 25;

/// rows × cols; throws Error{data} where that overflows.
std::size_t checked_product(std::size_t rows, std::size_t cols);

/// Sparse, with more than half of the numbers non-zero: dense storage then takes at most 4/3 of the memory,
/// and two thirds of it where no number is zero.
bool mostly_non_zero(const Points& points) noexcept;

/// Whether the zeros of the rows may be filled in: they are dense already, mostly non-zero, or few enough.
bool may_be_dense(const Points& points) noexcept;

/// Dense storage of rows that are mostly non-zero; all others as they are. The memory of the sparse rows is
/// given back while they are copied, so that large files need little more than the larger of the two.
Points::Storage dense_where_mostly_non_zero(Points::Storage storage);

}  // namespace mercer

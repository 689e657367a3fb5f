#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) is read from the row of x: column 0 of a row is its serial number s, from 1, and column j its
/// value with the row whose serial number is j. Of the points that others are compared with, the serial
/// number alone is read.
struct Precomputed {
  static constexpr std::string_view name = "precomputed";
  static constexpr std::string_view formula = "x[serial of z]";
  static constexpr std::string_view summary =
      "a precomputed kernel matrix: a row is its number, then its values with rows 1, 2, …";
  static constexpr LeafTraits traits{.statistic = Statistic::tile};
  static void params(auto&&) {}
  Properties properties() const { return {}; }
  static void tile(const Points& x, Range rows, const Points& z, Range columns, double* out);
  /// Throws Error{data} for a serial number that names no column, and for one of two rows with different
  /// values.
  static void check_reference(const Points& points);
  Symbol operator()(Symbol value) const { return value; }
};
inline constexpr Maker<Precomputed> precomputed;

}  // namespace mercer

#pragma once
#include "mercer/leaf.hpp"

namespace MERCER_EXPORT mercer {

/// k(x, z) is given: the rows are those of a kernel matrix, with ids (Points::with_ids), and k(x, z) stands
/// in the row of x in the column that is the id of z. Of new rows the values with the training rows are
/// needed, not the ids.
struct Precomputed {
  static constexpr std::string_view name = "precomputed";
  static constexpr std::string_view formula = "K[x, z]";
  static constexpr std::string_view summary = "a precomputed kernel matrix";
  static constexpr LeafTraits traits{.statistic = Statistic::tile};
  static void params(auto&&) {}
  Properties properties() const { return {}; }
  static void tile(const Points& x, Range rows, const Points& z, Range columns, double* out);
  /// Throws Error{data} for rows without ids, and for two of one id with different values.
  static void check_reference(const Points& points);
  Symbol operator()(Symbol value) const { return value; }
};
inline constexpr Maker<Precomputed> precomputed;

/// A table as rows of a kernel matrix. A symmetric n × n table is the matrix of its rows. Any other has
/// LIBSVM's layout: first the row's number, from 1, then its values with rows 1, 2, … Throws Error{data}
/// where that number names no value.
Points kernel_rows(const Points& table);
/// Rows of which the ids alone are known, among `columns`: all that a model has to keep of the rows that it
/// learned from.
Points known_by_ids(std::vector<std::size_t> ids, std::size_t columns);
/// The first column, which has the rows' numbers, taken away: of rows to predict they mean nothing.
Points without_serial_numbers(const Points& table);

}  // namespace mercer

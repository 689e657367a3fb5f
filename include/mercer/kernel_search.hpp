// What automatic selection tries of a kernel and on which data. It stands with the kernel: in the traits of a
// leaf, beside the name of a rule.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

#include "mercer/export.hpp"
#include "mercer/points.hpp"
#include "mercer/task.hpp"

namespace MERCER_EXPORT mercer {

/// A candidate for the data it is made for, with the values of its numbers.
struct KernelSearch {
  std::string_view kernel;  ///< "rbf(gamma=scale)", "normalize(wl(iterations=3))"
  /// Tried of the lengths that `scale`, `auto` and `median` stand for; of the unit, where a number has one.
  std::initializer_list<double> multiples = {};
  Task task = Task::either;  ///< of the target
  /// Of the table, or of the column of objects alone: whether the kernel is worth trying. None: always.
  bool (*when)(const Points& points) = nullptr;
  /// A number that has no such word, and its unit. A single multiple is set, several are tried.
  std::string_view number = {};
  double (*unit)(const Points& points) = nullptr;
  /// Of the column of objects that it is for. None: the first that the leaf compares, or rows of numbers.
  std::optional<Domain> domain = {};
  /// The lower ones of a domain come first, equal ones in the order of the catalogue. The first for a column
  /// of objects is its default kernel.
  int rank = 0;
  /// For numbers where one kernel is wanted and none searched: the default kernel, and what is added for the
  /// numbers beside objects.
  bool standard = false;
};

// Conditions. Below 40 rows the noise of the choice outweighs what more kernels could gain; above 500 columns
// distances tell little apart.
bool small_table(const Points& table);
bool wide_table(const Points& table);    ///< and not small
bool usual_table(const Points& table);   ///< neither
bool equally_long(const Points& texts);  ///< so that they may be aligned
bool equally_large(const Points& images);

// Units.
double inverse_columns(const Points& table);
/// 1 / the median of ‖x − z‖₁ over distinct pairs of (at most 500 evenly spaced) rows.
double inverse_manhattan(const Points& table);

}  // namespace mercer

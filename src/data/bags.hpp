// Sets of vectors as tables have them: a row for each member, with a column that names its set. What is to be
// learned is said of the set, so it stands in each of its rows (multiple-instance learning: Dietterich,
// Lathrop & Lozano-Pérez 1997).
#pragma once

#include "mercer/dataset.hpp"

namespace mercer {

/// The name of the column of objects that the rows become.
inline constexpr const char* bag_column = "bag";

/// How a table of members is read, before they are grouped.
class BagReading {
 public:
  /// Error{usage} where columns are to stay objects beside that of the sets' names: members are rows of
  /// numbers.
  BagReading(const ReadOptions& options, const std::string& file);
  BagReading(const BagReading&) = delete;
  /// Whether the options name a column of sets, or their schema has one.
  bool bags() const noexcept { return bags_; }
  /// The members as an ordinary table, with the names of their sets as objects. They live as long as this.
  const ReadOptions& of_members() const noexcept { return options_; }

 private:
  bool bags_ = false;
  Schema schema_;
  ReadOptions options_;
};

/// One row for each value of the members' one column of objects, which names their set, in the order of first
/// appearance: a column "bag" of Domain::vectors holding the members' numbers. The schema keeps all columns;
/// that of the names is marked Domain::vectors. Error{data} where two members of a set differ in their target
/// or weight; `file` is for messages.
Dataset grouped(const Dataset& members, const std::string& file);

/// The reverse: a row for each member, with columns "bag" (the set's number, from 1), x1, x2, … (or the names
/// in the schema) and what is known of the set. Error{data} where a set is empty, since no row could say so.
Dataset with_a_row_for_each_member(const Dataset& sets, const std::string& file);

}  // namespace mercer

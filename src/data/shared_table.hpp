// A table that several ranks parse together, each its pieces of the text: what the columns are, their
// categories and notes are agreed on, and the first rank puts the rows together. It gets to the bit what
// read_table() gives; the other ranks get nothing.
#pragma once

#include <optional>

#include "base/ranks.hpp"
#include "data/formats.hpp"
#include "data/table_layout.hpp"

namespace mercer {

struct SharedTable {
  const Ranks& ranks;
  std::vector<std::string_view> pieces;  ///< of the source, whole records: those of this rank
  /// The source is the same text on all ranks, so that the first one can name a place that another one met.
  bool one_text = true;
};

/// `layout`: the same on all ranks, but for its body, which is not looked at. Errors of one rank are thrown
/// on all. None, on all ranks, where a column is one of objects: those are read by read_table().
std::optional<Reading> read_shared_table(const TextSource& source, const ReadOptions& options,
                                         TableLayout layout, const SharedTable& shared);

/// The records that are this rank's, of those that `body` has: about as many bytes on each rank.
std::vector<std::string_view> pieces_of_rank(const TextSource& source, std::string_view body,
                                             const Ranks& ranks, int threads);

}  // namespace mercer

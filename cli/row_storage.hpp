// Whether the rows of a fit are kept on disk, and where: by wish (--stream), or because they are more than
// half of the memory.
#pragma once

#include <optional>

#include "cli/fit_options.hpp"

namespace mercer::cli {

struct RowStorage {
  std::string folder;
  std::size_t resident;  ///< bytes of the rows that may be in memory at a time
  bool asked;            ///< by --stream
};

/// None: in memory. Throws Error{usage} where they are to be on disk for what needs them in memory.
std::optional<RowStorage> rows_on_disk(const FitCommand& options, const Session& session);

/// What is said about it.
std::string storage_note(const RowStorage& storage, const Dataset& data);

}  // namespace mercer::cli

// Files read by all ranks: of LIBSVM text and of tables (CSV, TSV) each rank parses its range of the bytes,
// cut at lines or records, and rank 0 puts the rows together: to the bit what read() gives. What a column is,
// its categories and whether labels are classes depends on all rows, and is agreed on. A path with %r in it
// is one file for each rank, %r being its number: the rows are those of one file that has theirs one after
// the other. Other formats, rows with objects and what is unusual in LIBSVM text (a missing value, a query, a
// fault) are read by rank 0 alone: messages are then those of read().
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/file.hpp"
#include "cluster/communicator.hpp"
#include "mercer/dataset.hpp"

namespace mercer::cluster {

/// The lines of a text that are a rank's: from the first line that begins in its share of the bytes on.
std::string_view lines_of_rank(std::string_view text, int rank, int ranks);

/// The file of a rank, where the path has one for each; else the path.
std::string path_of_rank(const std::string& path, int rank);
bool has_file_for_each_rank(const std::string& path);

/// Whether this rank sees the file that rank 0 sees; none where some rank cannot read it.
std::optional<bool> is_same_file(const Communicator& ranks, const std::string& path);
/// Throws on all ranks where one of them cannot read the file, or sees another one than rank 0 does.
void check_same_file(const Communicator& ranks, const std::string& path);

/// On rank 0: work that may read files. The other ranks help until it ends. An error of the work is thrown on
/// all ranks, and so is one where a rank sees another file than rank 0 does.
class ReadingRanks {
 public:
  ReadingRanks(const Communicator& ranks, int threads) : ranks_(ranks), threads_(threads) {}

  /// By all ranks together; `work` runs on rank 0.
  void run(const std::function<void()>& work);
  /// Inside of the work: what read() would give, or nothing where that should be asked.
  std::optional<Dataset> read(const std::string& path, const ReadOptions& options);

 private:
  std::optional<Dataset> read_together(const std::string& path, Format format, const ReadOptions& options);
  std::optional<Dataset> read_lines(const MappedFile& file, bool own_file, const ReadOptions& options);
  std::optional<Dataset> read_records(const MappedFile& file, bool own_file, bool tabs,
                                      const ReadOptions& options);

  const Communicator& ranks_;
  int threads_;
};

}  // namespace mercer::cluster

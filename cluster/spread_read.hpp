// LIBSVM text read by all ranks: each parses its range of the bytes, cut at line ends, and rank 0 puts the
// rows together: to the bit what read() gives. Labels are read by rank 0 from the first fields of all lines,
// since what they are, classes or numbers, depends on all of them. Where a range holds something unusual (a
// missing value, a query, a fault) rank 0 reads the whole file itself, and so do all other formats, whose
// columns depend on all rows: messages are then those of read().
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "cluster/communicator.hpp"
#include "mercer/dataset.hpp"

namespace mercer::cluster {

/// The lines of a text that are a rank's: from the first line that begins in its share of the bytes on.
std::string_view lines_of_rank(std::string_view text, int rank, int ranks);

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
  std::optional<Dataset> read_range(const std::string& path, const ReadOptions& options);

  const Communicator& ranks_;
  int threads_;
};

}  // namespace mercer::cluster

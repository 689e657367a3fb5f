// The options of every subcommand that reads data.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/session.hpp"
#include "mercer/dataset.hpp"
#include "mercer/kernel.hpp"
#include "mercer/scaling.hpp"

namespace mercer::cli {

struct DataOptions {
  std::string path;
  ReadOptions read;
  std::string scale = "none";

  /// Adds DATA and its options; what `read` holds before is their default. `precision`: what the numbers are
  /// read as.
  void add(CLI::App& command, Precision precision = Precision::float64);
  /// The same with the columns as objects that the kernel compares as such.
  DataOptions for_kernel(const Kernel& kernel) const;
  Dataset read_rows(const Session& session) const;
  /// Reads, tells of the notes and scales.
  Dataset load(const Session& session) const;
};

/// --format NAME for reading or writing.
CLI::Option* add_format(CLI::App& command, const std::string& flag, Format& format,
                        const std::string& meaning);

/// What was done with a file, on standard error, unless --quiet.
void complain_of(const Session& session, const std::vector<Note>& notes);

/// Throws Error{usage} with the columns to choose from where the data have no target.
void require_target(const Dataset& data, const std::string& path);

/// "200 rows × 2 columns, dense float64, 2 classes (0, 1)"
std::string describe(const Dataset& data);

}  // namespace mercer::cli

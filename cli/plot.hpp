// What the kinds of `mercer plot` share.
#pragma once

#include "cli/commands.hpp"
#include "cli/data_options.hpp"

namespace mercer::cli {

// Kinds of plots, a file for each: regions, curve, roc …; components, gram, spectrum, prior; surface, path,
// learning-curve.
AddCommand add_model_plots, add_kernel_plots, add_search_plots;

/// Where a picture goes: -o FILE.svg, by default the kind's name.
class PictureFile {
 public:
  /// Adds -o to `command`, whose name is the kind.
  void add(CLI::App& command);
  /// Throws Error{usage} for names that do not end in .svg; to be asked before the work.
  void check() const;
  /// Writes and says so. `contents`: what is in the picture, for --json.
  void write(const Session& session, const std::string& svg, const Json& contents) const;

 private:
  std::string kind_, path_;
};

/// The last part of a path.
std::string name_of_file(const std::string& path);

}  // namespace mercer::cli

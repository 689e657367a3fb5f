// One kind of picture, one function, one line here.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cli/session.hpp"

namespace mercer::cli {

void add_plot_regions(CLI::App& plot, Session& session);
void add_plot_curve(CLI::App& plot, Session& session);
void add_plot_components(CLI::App& plot, Session& session);
void add_plot_gram(CLI::App& plot, Session& session);
void add_plot_lines(CLI::App& plot, Session& session);
void add_plot_losses(CLI::App& plot, Session& session);

inline constexpr auto plots = {add_plot_regions, add_plot_curve, add_plot_components, add_plot_gram, add_plot_lines, add_plot_losses};

/// Where a picture goes: -o FILE.svg, by default the kind's name.
class PictureFile {
 public:
  /// Adds -o to `command`, whose name is the kind.
  void add(CLI::App& command);
  /// Throws Error{usage} for names that do not end in .svg; to be asked before the work.
  void check() const;
  /// Writes and says so. `facts`: what is in the picture, for --json.
  void write(const Session& session, const std::string& svg, Json facts = Json::object()) const;

 private:
  std::string kind_, path_;
};

}  // namespace mercer::cli

// One kind of picture, one function, one line here.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/model_options.hpp"

namespace mercer::cli {

void add_plot_regions(CLI::App& plot, Session& session);
void add_plot_curve(CLI::App& plot, Session& session);
void add_plot_components(CLI::App& plot, Session& session);
void add_plot_gram(CLI::App& plot, Session& session);
void add_plot_roc(CLI::App& plot, Session& session);
void add_plot_precision_recall(CLI::App& plot, Session& session);
void add_plot_calibration(CLI::App& plot, Session& session);
void add_plot_confusion(CLI::App& plot, Session& session);
void add_plot_residuals(CLI::App& plot, Session& session);
void add_plot_spectrum(CLI::App& plot, Session& session);
void add_plot_surface(CLI::App& plot, Session& session);
void add_plot_path(CLI::App& plot, Session& session);
void add_plot_learning_curve(CLI::App& plot, Session& session);
void add_plot_lines(CLI::App& plot, Session& session);
void add_plot_losses(CLI::App& plot, Session& session);

inline constexpr auto plots = {add_plot_regions,        add_plot_curve,     add_plot_components,
                               add_plot_gram,           add_plot_roc,       add_plot_precision_recall,
                               add_plot_calibration,    add_plot_confusion, add_plot_residuals,
                               add_plot_spectrum,       add_plot_surface,   add_plot_path,
                               add_plot_learning_curve, add_plot_lines,     add_plot_losses};

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

/// The method and the kernel of pictures that fit by themselves.
struct MethodOptions {
  std::string method, kernel, metric;
  std::vector<std::string> set;
  std::size_t folds = 5;

  void add(CLI::App& command);
  /// Reads the rows, their target as the method needs it and what the kernel compares as objects.
  Dataset read(const DataOptions& data, const Session& session) const;
  /// As given, or what suits the rows.
  Kernel chosen_kernel(const Dataset& data) const;
  /// With the parameters that were set; by default svm for classes and svr for numbers.
  AnyMethod chosen(const Dataset& data) const;
};

/// The last part of a path.
std::string name_of_file(const std::string& path);

}  // namespace mercer::cli

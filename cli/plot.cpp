// mercer plot KIND …: one picture alone. The kinds that need neither a kernel nor a model are here: lines,
// losses.
#include "cli/plot.hpp"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "mercer/file.hpp"
#include "mercer/line_picture.hpp"
#include "mercer/pictures.hpp"

namespace mercer::cli {

void PictureFile::add(CLI::App& command) {
  kind_ = command.get_name();
  path_ = kind_ + ".svg";
  add_value(command, "-o,--output", path_, "FILE", "SVG file to write")->capture_default_str();
}

void PictureFile::check() const {
  if (!path_.ends_with(".svg") || path_ == ".svg")
    throw Error(ErrorCode::invalid_argument, fmt::format("-o {}: plots are SVG files", path_),
                {.hint = "the name must end in .svg"});
}

void PictureFile::write(const Session& session, const std::string& svg, const Json& contents) const {
  write_file(path_, svg);
  session.say(fmt::format("{}: {:.0f} kB", path_, std::ceil(double(svg.size()) / 1000)));
  Json json{{"kind", kind_}, {"file", path_}, {"bytes", svg.size()}};
  json.update(contents);
  session.answer(json);
}

std::string name_of_file(const std::string& path) {
  return path == "-" ? "standard input" : path.substr(path.rfind('/') + 1);
}

namespace {

void add_lines(CLI::App& plot, Session& session) {
  struct Options {
    DataOptions table;
    LinePicture picture;
    std::string logarithmic = "none";
    PictureFile file;
  };
  auto* command = plot.add_subcommand("lines", "columns of a table as lines over the first column");
  auto options = std::make_shared<Options>();
  options->table.read.target = "none";
  add_value(*command, "TABLE", options->table.path, "FILE",
            "CSV, TSV, .npy or .npz file of numbers; - for standard input")
      ->required();
  add_format(*command, "--format", options->table.read.format,
             "format of TABLE; auto: by the extension, then by the content");
  command->add_option("--title", options->picture.title, "title of the plot");
  command->add_option("--label", options->picture.label, "label of the vertical axis");
  command->add_option("--log", options->logarithmic, "logarithmic axes")
      ->check(CLI::IsMember({"x", "y", "both", "none"}))
      ->capture_default_str();
  options->file.add(*command);
  command->callback([&session, options] {
    options->file.check();
    options->picture.log_x = options->logarithmic == "x" || options->logarithmic == "both";
    options->picture.log_y = options->logarithmic == "y" || options->logarithmic == "both";
    const Dataset table = options->table.read_rows(session);
    options->file.write(session, line_picture(table.points, options->picture),
                        {{"rows", table.rows()}, {"lines", table.points.cols() - 1}});
  });
}

void add_loss_plot(CLI::App& plot, Session& session) {
  struct Options {
    std::vector<std::string> names;
    PictureFile file;
  };
  auto* command = plot.add_subcommand("losses", "losses as functions of the margin or the residual");
  auto options = std::make_shared<Options>();
  add_value(*command, "NAMES", options->names, "LOSS",
            "losses to plot ('mercer losses' lists all); default: all");
  options->file.add(*command);
  command->callback([&session, options] {
    options->file.check();
    const std::vector<AnyLoss> chosen =
        options->names.empty() ? losses() : values_of(options->names, loss_named);
    const auto names = values_of(chosen, [](const AnyLoss& loss) { return loss->name(); });
    options->file.write(session, loss_picture(chosen), {{"losses", names}});
  });
}

}  // namespace

void add_plot(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("plot", "plot data, a search or a model as SVG");
  command->require_subcommand(1);
  command->footer("'mercer plot KIND --help' explains a kind.");
  for (AddCommand* add : {add_model_plots, add_kernel_plots, add_search_plots, add_lines, add_loss_plot})
    add(*command, session);
}

}  // namespace mercer::cli

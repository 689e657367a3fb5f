// mercer plot lines TABLE: the columns of a table as lines over the first one.
#include <memory>

#include "cli/data_options.hpp"
#include "cli/plot.hpp"
#include "mercer/line_picture.hpp"

namespace mercer::cli {

void add_plot_lines(CLI::App& plot, Session& session) {
  struct Options {
    DataOptions table;
    LinePicture picture;
    std::string logarithmic = "none";
    PictureFile file;
  };
  auto* command = plot.add_subcommand("lines", "columns of a table as lines over the first column");
  auto options = std::make_shared<Options>();
  options->table.read.target = "none";
  command
      ->add_option("TABLE", options->table.path,
                   "CSV, TSV, .npy or .npz file of numbers; - for standard input")
      ->required()
      ->type_name("FILE");
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

}  // namespace mercer::cli

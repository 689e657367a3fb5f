// mercer convert A B: data from one format to another.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"

namespace mercer::cli {

void add_convert(CLI::App& app, Session& session) {
  struct Options {
    DataOptions data;
    std::string out, storage = "keep";
    Format format = Format::automatic;
  };
  auto* command = app.add_subcommand("convert", "write data in another format");
  auto options = std::make_shared<Options>();
  options->data.add(*command);
  command
      ->add_option("OUTPUT", options->out,
                   "file to write, its format given by the extension; - for standard output")
      ->required()
      ->type_name("FILE");
  add_format(*command, "--to", options->format, "format to write, if the extension does not say");
  command->add_option("--storage", options->storage, "store the rows dense or sparse")
      ->check(CLI::IsMember({"dense", "sparse", "keep"}))
      ->capture_default_str();
  command->callback([&session, options] {
    Dataset data = options->data.load(session);
    if (options->storage == "dense") data.points = data.points.to_dense();
    if (options->storage == "sparse") data.points = data.points.to_sparse();
    write(options->out, data, options->format);
    if (options->out == "-") return;
    session.say(fmt::format("{}: {}", options->out, describe(data)));
    session.answer({{"file", options->out},
                    {"rows", data.rows()},
                    {"columns", data.points.cols()},
                    {"sparse", data.points.sparse()}});
  });
}

}  // namespace mercer::cli

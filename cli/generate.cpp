// mercer generate NAME -n N -o FILE: toy data.
#include "mercer/generate.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"

namespace mercer::cli {

namespace {

std::string list_of_generators() {
  std::string list = "Data sets:";
  for (const Generator& g : generators())
    list += fmt::format("\n  {:<14}{}{}", g.name, g.summary,
                        g.default_noise > 0 ? fmt::format(" (noise {:g})", g.default_noise) : "");
  return list;
}

}  // namespace

void add_generate(CLI::App& app, Session& session) {
  struct Options {
    std::string name, out = "-";
    double noise = 0;
    GenerateOptions generate;
    Format format = Format::automatic;
  };
  auto* command = app.add_subcommand("generate", "generate a toy data set");
  auto options = std::make_shared<Options>();
  command->add_option("NAME", options->name, "the data set, listed below")->required()->type_name("DATASET");
  command->add_option("-n,--rows", options->generate.n, "number of rows")
      ->capture_default_str()
      ->type_name("N");
  auto* noise = command
                    ->add_option("--noise", options->noise,
                                 "standard deviation of the noise; each data set has its own default")
                    ->type_name("NUMBER");
  command->add_option("--dim", options->generate.dim, "number of columns, for data sets of any dimension")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command
      ->add_option("--classes", options->generate.classes,
                   "number of classes, for data sets with any number of classes")
      ->check(CLI::PositiveNumber)
      ->type_name("N");
  command->add_option("-o,--output", options->out, "file to write; - for standard output")
      ->capture_default_str()
      ->type_name("FILE");
  add_format(*command, "--format", options->format,
             "format to write; auto: by the extension, CSV on standard output");
  command->footer(list_of_generators());
  command->callback([&session, options, noise] {
    GenerateOptions generate_options = options->generate;
    generate_options.seed = session.seed;
    if (noise->count() > 0) generate_options.noise = options->noise;
    const Dataset data = generate(options->name, generate_options);
    const bool printed = options->out == "-";
    write(options->out, data,
          printed && options->format == Format::automatic ? Format::csv : options->format);
    if (printed) return;
    session.say(fmt::format("{}: {}", options->out, describe(data)));
    session.answer({{"name", options->name},
                    {"file", options->out},
                    {"rows", data.rows()},
                    {"columns", data.points.cols()},
                    {"seed", session.seed}});
  });
}

}  // namespace mercer::cli

// mercer generate NAME -n N -o FILE: toy data; mercer convert A B: data from one format to another, or a
// model as an ONNX graph.
#include "mercer/generate.hpp"

#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "mercer/onnx.hpp"

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
  add_value(*command, "NAME", options->name, "DATASET", "the data set, listed below")->required();
  add_value(*command, "-n,--rows", options->generate.n, "N", "number of rows")->capture_default_str();
  auto* noise = add_value(*command, "--noise", options->noise, "NUMBER",
                          "standard deviation of the noise; each data set has its own default");
  add_value(*command, "--dim", options->generate.dim, "N",
            "number of columns, for data sets of any dimension")
      ->check(CLI::PositiveNumber);
  add_value(*command, "--classes", options->generate.classes, "N",
            "number of classes, for data sets with any number of classes")
      ->check(CLI::PositiveNumber);
  add_value(*command, "-o,--output", options->out, "FILE", "file to write; - for standard output")
      ->capture_default_str();
  add_format(*command, "--format", options->format,
             "format to write; auto: by the extension, CSV on standard output");
  command->footer(list_of_generators());
  command->callback([&session, options, noise] {
    GenerateOptions generate_options = options->generate;
    generate_options.seed = session.seed;
    if (noise->count() > 0) generate_options.noise = options->noise;
    const Dataset data = generate(options->name, generate_options);
    const bool csv = options->out == "-" && options->format == Format::automatic;
    write_data(session, options->out, data, csv ? Format::csv : options->format,
               {{"name", options->name}, {"seed", session.seed}});
  });
}

namespace {

void convert_model(const std::string& from, const std::string& to, const OnnxOptions& options,
                   const Session& session) {
  const Model model = Model::load(from);
  save_onnx(to, model, options);
  if (to == "-") return;
  session.say(
      fmt::format("{}: {}, kernel {}, as an ONNX graph", to, model.method->name(), model.kernel().text()));
  session.answer({{"file", to},
                  {"method", std::string(model.method->name())},
                  {"kernel", model.kernel().text()},
                  {"float32", options.float32}});
}

}  // namespace

void add_convert(CLI::App& app, Session& session) {
  struct Options {
    DataOptions data;
    std::string out, storage = "keep";
    Format format = Format::automatic;
    OnnxOptions onnx;
  };
  auto* command = app.add_subcommand("convert", "write data in another format, or a model as an ONNX graph");
  auto options = std::make_shared<Options>();
  options->data.add(*command);
  add_value(
      *command, "OUTPUT", options->out, "FILE",
      "file to write, its format given by the extension; .onnx: DATA is a model, which is written as an "
      "ONNX graph; - for standard output")
      ->required();
  add_format(*command, "--to", options->format, "format to write, if the extension does not say");
  command->add_option("--storage", options->storage, "store the rows dense or sparse")
      ->check(CLI::IsMember({"dense", "sparse", "keep"}))
      ->capture_default_str();
  command->add_flag("--float32", options->onnx.float32,
                    "of .onnx: the graph takes and gives float32 numbers instead of float64");
  command->add_flag("--variance", options->onnx.variances,
                    "of .onnx: refused, since a graph has no variances; mercer predict --variance has them");
  command->footer("mercer convert DATA OUTPUT converts data, mercer convert MODEL OUTPUT.onnx a model.");
  command->callback([&session, options] {
    if (options->out.ends_with(".onnx"))
      return convert_model(options->data.path, options->out, options->onnx, session);
    if (options->onnx.float32 || options->onnx.variances)
      throw Error(ErrorCode::invalid_argument,
                  "--float32 and --variance are of models that become .onnx files");
    Dataset data = options->data.load(session);
    if (options->storage == "dense") data.points = data.points.to_dense();
    if (options->storage == "sparse") data.points = data.points.to_sparse();
    write_data(session, options->out, data, options->format, {{"sparse", data.points.sparse()}});
  });
}

}  // namespace mercer::cli

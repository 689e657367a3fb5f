// mercer predict MODEL DATA: the model's answer for each row.
#include <fmt/format.h>

#include <memory>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "mercer/error.hpp"
#include "mercer/file.hpp"

namespace mercer::cli {

void add_predict(CLI::App& app, Session& session) {
  struct Options {
    std::string model, out = "-";
    DataOptions data;
    bool scores = false;
  };
  auto* command = app.add_subcommand("predict", "predict rows with a model");
  auto options = std::make_shared<Options>();
  command->add_option("MODEL", options->model, "model file: .mercer or LIBSVM's")->required();
  options->data.add(*command);
  command->add_option("-o,--output", options->out, "file for one prediction a line; - for standard output")->capture_default_str()->type_name("FILE");
  command->add_flag("--score", options->scores, "print the decision values instead: one per pair of classes, class or output");
  command->callback([&session, options] {
    const Model model = Model::load(options->model);
    const Dataset data = load_for(model, options->data, session, false);
    const Predictions p = model.predict(data.points, session.threads, session.progress());
    std::string text;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      if (options->scores)
        for (std::size_t c = 0; c < p.width; ++c) text += fmt::format("{}{}", c ? " " : "", p.scores[i * p.width + c]);
      else text += p.codes.empty() ? fmt::format("{}", p.values[i]) : model.labels[std::size_t(p.codes[i])];
      text += '\n';
    }
    write_file(options->out, text);
    if (options->out == "-") return;
    session.say(fmt::format("{}: {} predictions", options->out, data.rows()));
    session.answer({{"file", options->out}, {"n", data.rows()}});
  });
}

}  // namespace mercer::cli

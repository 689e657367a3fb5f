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
    bool scores = false, probabilities = false, variances = false;
  };
  auto* command = app.add_subcommand("predict", "predict rows with a model");
  auto options = std::make_shared<Options>();
  add_model_and_data(*command, options->model, options->data);
  command->add_option("-o,--output", options->out, "file for one prediction a line; - for standard output")->capture_default_str()->type_name("FILE");
  command->add_flag("--score", options->scores, "print the decision values instead: one per pair of classes, class or output");
  command->add_flag("--proba", options->probabilities, "print the probability of each class instead, in the order of the model's classes; of novelty, of lying inside and outside (a model fitted with --probabilities)");
  command->add_flag("--variance", options->variances, "print the prediction and the variance of the function there (a model of gp)");
  command->callback([&session, options] {
    if (options->scores + options->probabilities + options->variances > 1) throw Error(ErrorKind::usage, "give one of --score, --proba and --variance");
    Model model = Model::load(options->model);
    // Every row gets a prediction, also one whose answer is missing.
    if (options->data.read.target.empty() && !model.schema.columns.empty()) options->data.read.target = "none";
    const Dataset data = load_for(model, options->data, session, false);
    const Predictions p = model.predict(data.points, session.threads, session.progress());
    if (options->probabilities && p.probabilities.empty() && data.rows() > 0)
      throw Error(ErrorKind::usage, model.labels.empty() && model.fitted.rule != Rule::novelty ? "the model predicts numbers, which have no probabilities; mercer inspect shows the scale of their noise"
                                                                     : "the model has no probabilities; fit it with --probabilities");
    const std::vector<double>& numbers = options->probabilities ? p.probabilities : p.scores;
    const std::size_t width = options->probabilities && data.rows() > 0 ? p.probabilities.size() / data.rows() : p.width;
    const std::vector<double> variances = options->variances ? model.variances(data.points, session.threads, session.progress()) : std::vector<double>();
    std::string text;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      if (options->scores || options->probabilities)
        for (std::size_t c = 0; c < width; ++c) text += fmt::format("{}{}", c ? " " : "", numbers[i * width + c]);
      else if (p.codes.empty())
        for (std::size_t o = 0; o < p.outputs; ++o) text += fmt::format("{}{}", o ? " " : "", p.values[i * p.outputs + o]);
      else text += model.labels[std::size_t(p.codes[i])];
      if (options->variances) text += fmt::format(" {}", variances[i]);
      text += '\n';
    }
    write_file(options->out, text);
    if (options->out == "-") return;
    session.say(fmt::format("{}: {} predictions", options->out, data.rows()));
    session.answer({{"file", options->out}, {"n", data.rows()}});
  });
}

}  // namespace mercer::cli

// mercer transform MODEL DATA -o FILE: rows as the model sees them, or brought back from there.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "mercer/preimage.hpp"

namespace mercer::cli {

namespace {

struct TransformOptions {
  std::string model, out;
  DataOptions data;
  bool preimages = false;
};

Points coordinates(const Model& model, const Predictions& predictions, std::size_t rows) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < predictions.width; ++c)
    names.push_back(fmt::format("{}{}", model.fitted.rule == Rule::projection ? "pc" : "score", c + 1));
  Dense<double> scores{rows, predictions.width, Buffer<double>(predictions.scores.size())};
  std::ranges::copy(predictions.scores, scores.values.begin());
  return Points(std::move(scores), std::move(names));
}

void run(TransformOptions& options, const Session& session) {
  Model model = Model::load(options.model);
  Dataset data = load_for(model, options.data, session, false);
  const Predictions predictions = model.predict(data.points, session.threads, session.progress());
  data.points = options.preimages ? preimages(model, predictions.scores,
                                              {.threads = session.threads, .progress = session.progress()})
                                  : coordinates(model, predictions, data.rows());
  data.schema = {};
  write(options.out, data);
  session.say(fmt::format("{}: {}", options.out, describe(data)));
  session.answer({{"file", options.out},
                  {"rows", data.rows()},
                  {"columns", data.points.cols()},
                  {"preimages", options.preimages}});
}

}  // namespace

void add_transform(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("transform", "project rows into the feature space of a model");
  auto options = std::make_shared<TransformOptions>();
  add_model_and_data(*command, options->model, options->data);
  add_value(*command, "-o,--output", options->out, "FILE",
            "file to write, including the target: .csv, .tsv, .svm, .npz, or .npy (without the target)")
      ->required();
  command->add_flag(
      "--preimages", options->preimages,
      "write pre-images instead: the rows of input space closest to the projections, for denoising "
      "(pca with a linear or radial kernel)");
  command->footer("The columns are pc1, pc2, … for pca, and score1, score2, … for other models.");
  command->callback([&session, options] { run(*options, session); });
}

}  // namespace mercer::cli

// mercer plot regions|curve|roc|precision-recall|calibration|confusion|residuals MODEL DATA: what a model
// predicts, and how good it is on rows whose target is known.
#include <fmt/format.h>

#include <memory>

#include "cli/plot.hpp"
#include "mercer/model_pictures.hpp"
#include "mercer/pictures.hpp"

namespace mercer::cli {

namespace {

struct ModelPlot {
  std::string model;
  DataOptions data;
  PictureFile file;
};

void add_regions(CLI::App& plot, Session& session) {
  struct Options : ModelPlot {
    std::string title, projection = "columns";
    std::vector<std::string> columns;
  };
  auto* command =
      plot.add_subcommand("regions", "predictions over a plane: decision regions, margins, support vectors");
  auto options = std::make_shared<Options>();
  add_model_and_data(*command, options->model, options->data);
  add_value(
      *command, "--projection", options->projection, "columns|components",
      "the plane: two columns, with the others at their medians, or the two leading components of kernel "
      "PCA")
      ->capture_default_str();
  add_value(*command, "--columns", options->columns, "A,B",
            "the two columns, by name or number (from 1), separated by a comma; default: the two that "
            "influence the prediction most")
      ->delimiter(',');
  add_value(*command, "--title", options->title, "TEXT", "title of the plot");
  options->file.add(*command);
  command->callback([&session, options] {
    options->file.check();
    RegionsOptions regions{.title = options->title,
                           .projection = projection_named(options->projection),
                           .columns = options->columns,
                           .threads = session.threads,
                           .progress = session.progress()};
    Model model = Model::load(options->model);
    const Dataset data = load_for(model, options->data, session, false);
    options->file.write(session, regions_picture(model, data, regions),
                        {{"rows", data.rows()}, {"columns", data.points.cols()}});
  });
}

void add_curve(CLI::App& plot, Session& session) {
  struct Options : ModelPlot {
    std::string title, column;
    std::vector<std::string> with;
  };
  auto* command =
      plot.add_subcommand("curve", "predictions of a regression model over a column, with its bands");
  auto options = std::make_shared<Options>();
  add_model_and_data(*command, options->model, options->data);
  add_value(*command, "--with", options->with, "MODEL",
            "more models of the same data, such as other quantiles");
  add_value(*command, "--column", options->column, "COL",
            "the column, by name or number (from 1); default: the one that influences the prediction most");
  add_value(*command, "--title", options->title, "TEXT", "title of the plot");
  options->file.add(*command);
  command->callback([&session, options] {
    options->file.check();
    std::vector<Model> models{Model::load(options->model)};
    for (const std::string& path : options->with) models.push_back(Model::load(path));
    const Dataset data = load_for(models[0], options->data, session, false);
    for (Model& model : models)
      if (model.columns != data.points.cols() && open_ended(data) && model.schema.columns.empty())
        model = widened_for(model, data);
    options->file.write(session,
                        curve_picture(models, data,
                                      {.title = options->title,
                                       .column = options->column,
                                       .threads = session.threads,
                                       .progress = session.progress()}),
                        {{"models", models.size()}, {"rows", data.rows()}, {"columns", data.points.cols()}});
  });
}

// How good a model is.
struct QualityPlot {
  const char *kind, *meaning;
  std::string (*picture)(const Target&, const Predictions&, const std::string& title);
  const char* title;
  bool of_classes = true;
};
constexpr QualityPlot quality_plots[] = {
    {"roc", "ROC curve: true positive rate against false positive rate", roc_picture, "ROC"},
    {"precision-recall", "precision against recall", precision_recall_picture, "Precision and recall"},
    {"calibration", "observed frequency against predicted probability (a model fitted with --proba)",
     calibration_picture, "Calibration"},
    {"confusion", "confusion matrix", confusion_picture, "Confusion"},
    {"residuals", "predicted against true values", residual_picture, "Residuals", false},
};

void draw(const Session& session, ModelPlot& options, const QualityPlot& plot) {
  options.file.check();
  Model model = Model::load(options.model);
  const bool classes = !model.labels.empty() && supervised(model.method->traits().task);
  if (classes != plot.of_classes || !supervised(model.method->traits().task))
    throw Error(ErrorCode::unsupported,
                fmt::format("{} is a model of {}, which does not predict {}", options.model,
                            model.method->name(), plot.of_classes ? "classes" : "numbers"));
  const Dataset data = load_for(model, options.data, session, true);
  if (data.target.task == Task::none)
    throw Error(ErrorCode::invalid_data, fmt::format("{}: no target to compare with", options.data.path),
                {.hint = "name the column with --target"});
  const Target truth = plot.of_classes ? known_classes(model, data.target) : data.target;
  const Predictions predictions = model.predict(data.points, session.threads, session.progress());
  const std::string title =
      fmt::format("{}: {} on {}", plot.title, name_of_file(options.model), name_of_file(options.data.path));
  options.file.write(session, plot.picture(truth, predictions, title),
                     {{"model", options.model}, {"data", options.data.path}, {"rows", data.rows()}});
}

}  // namespace

void add_model_plots(CLI::App& plot, Session& session) {
  add_regions(plot, session);
  add_curve(plot, session);
  for (const QualityPlot& quality : quality_plots) {
    auto* command = plot.add_subcommand(quality.kind, quality.meaning);
    auto options = std::make_shared<ModelPlot>();
    add_model_and_data(*command, options->model, options->data);
    options->file.add(*command);
    command->callback([&, options] { draw(session, *options, quality); });
  }
}

}  // namespace mercer::cli

// mercer plot roc|precision-recall|calibration|confusion|residuals MODEL DATA: how good a model is on rows
// whose answer is known.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/plot.hpp"
#include "mercer/error.hpp"
#include "mercer/pictures.hpp"

namespace mercer::cli {

namespace {

struct QualityOptions {
  std::string model;
  DataOptions data;
  PictureFile file;
};

// The data's target with the model's labels.
Target in_labels_of(const Model& model, const Target& target) {
  if (target.task != Task::classification)
    throw Error(ErrorCode::invalid_data, "no class labels to compare with",
                {.hint = "name the column with --target"});
  Target truth = target;
  truth.codes = codes_in(model, target);
  truth.labels = model.labels;
  if (const auto unknown = std::ranges::find(truth.codes, -1); unknown != truth.codes.end())
    throw Error(
        ErrorCode::invalid_data,
        fmt::format("row {} has the label '{}', which is not a class of the model",
                    unknown - truth.codes.begin() + 1,
                    target.labels[std::size_t(target.codes[std::size_t(unknown - truth.codes.begin())])]));
  return truth;
}

using ClassPicture = std::string (*)(const Target&, const Predictions&, const std::string&);

void draw(const Session& session, QualityOptions& options, ClassPicture picture, const std::string& title,
          bool of_classes) {
  options.file.check();
  Model model = Model::load(options.model);
  const bool classes = !model.labels.empty() && supervised(model.method->traits().task);
  if (classes != of_classes || !supervised(model.method->traits().task))
    throw Error(ErrorCode::unsupported,
                fmt::format("{} is a model of {}, which does not predict {}", options.model,
                            model.method->name(), of_classes ? "classes" : "numbers"));
  const Dataset data = load_for(model, options.data, session, true);
  if (data.target.task == Task::none)
    throw Error(ErrorCode::invalid_data, fmt::format("{}: no target to compare with", options.data.path),
                {.hint = "name the column with --target"});
  const Target truth = of_classes ? in_labels_of(model, data.target) : data.target;
  const Predictions predictions = model.predict(data.points, session.threads, session.progress());
  const std::string svg = picture(
      truth, predictions,
      fmt::format("{}: {} on {}", title, name_of_file(options.model), name_of_file(options.data.path)));
  options.file.write(session, svg,
                     {{"model", options.model}, {"data", options.data.path}, {"rows", data.rows()}});
}

void add(CLI::App& plot, Session& session, const char* kind, const char* meaning, ClassPicture picture,
         const char* title, bool of_classes) {
  auto* command = plot.add_subcommand(kind, meaning);
  auto options = std::make_shared<QualityOptions>();
  add_model_and_data(*command, options->model, options->data);
  options->file.add(*command);
  command->callback([=, &session] { draw(session, *options, picture, title, of_classes); });
}

}  // namespace

void add_plot_roc(CLI::App& plot, Session& session) {
  add(plot, session, "roc", "ROC curve: true positive rate against false positive rate", roc_picture, "ROC",
      true);
}
void add_plot_precision_recall(CLI::App& plot, Session& session) {
  add(plot, session, "precision-recall", "precision against recall", precision_recall_picture,
      "Precision and recall", true);
}
void add_plot_calibration(CLI::App& plot, Session& session) {
  add(plot, session, "calibration",
      "observed frequency against predicted probability (a model fitted with --proba)", calibration_picture,
      "Calibration", true);
}
void add_plot_confusion(CLI::App& plot, Session& session) {
  add(plot, session, "confusion", "confusion matrix", confusion_picture, "Confusion", true);
}
void add_plot_residuals(CLI::App& plot, Session& session) {
  add(plot, session, "residuals", "predicted against true values", residual_picture, "Residuals", false);
}

}  // namespace mercer::cli

// mercer evaluate MODEL DATA: how good the model is on rows whose answer is known.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/model_options.hpp"
#include "mercer/error.hpp"
#include "mercer/metrics.hpp"

namespace mercer::cli {

namespace {

void evaluate_classes(const Session& session, const Model& model, const Dataset& data, const Predictions& p) {
  if (data.target.kind != Target::Kind::classes) throw Error(ErrorKind::data, "the data have no class labels to compare with; name their column with --target");
  const auto truth = codes_in(model, data.target);
  if (const auto unknown = std::ranges::find(truth, -1); unknown != truth.end())
    throw Error(ErrorKind::data, fmt::format("row {} has the label '{}', which the model does not know", unknown - truth.begin() + 1,
                                             data.target.labels[std::size_t(data.target.codes[std::size_t(unknown - truth.begin())])]));
  const std::size_t k = model.labels.size();
  const ClassMetrics m = class_metrics(truth, p.codes, k);
  Json json{{"n", m.n}, {"accuracy", m.accuracy}, {"balanced_accuracy", m.balanced_accuracy}};
  session.say(fmt::format("accuracy           {:.4f} ({} of {} rows)", m.accuracy, std::size_t(m.accuracy * double(m.n) + 0.5), m.n));
  session.say(fmt::format("balanced accuracy  {:.4f}", m.balanced_accuracy));
  if (k == 2) {
    std::vector<bool> positive;
    std::vector<double> scores;  // larger for the first class; of a score per class the difference
    for (std::size_t i = 0; i < truth.size(); ++i) {
      positive.push_back(truth[i] == 0);
      scores.push_back(p.width == 2 ? p.scores[2 * i] - p.scores[2 * i + 1] : p.scores[i]);
    }
    const auto auc = area_under_roc(positive, scores);
    json["auc"] = auc ? Json(*auc) : Json();
    if (auc) session.say(fmt::format("AUC                {:.4f}", *auc));
  }
  if (!p.probabilities.empty()) {
    json["log_loss"] = log_loss(truth, p.probabilities, k);
    session.say(fmt::format("log loss           {:.4f}", json["log_loss"].get<double>()));
  }
  Json confusion = Json::array();
  for (std::size_t i = 0; i < k; ++i) confusion.push_back(std::vector<std::size_t>(m.confusion.begin() + std::ptrdiff_t(i * k), m.confusion.begin() + std::ptrdiff_t((i + 1) * k)));
  json["classes"] = model.labels;
  json["confusion"] = confusion;
  if (k <= 12) {
    session.say("confusion (rows: true, columns: predicted)");
    std::string head(12, ' ');
    for (const std::string& label : model.labels) head += fmt::format("{:>8.8}", label);
    session.say(head);
    for (std::size_t i = 0; i < k; ++i) {
      std::string line = fmt::format("{:>12.12}", model.labels[i]);
      for (std::size_t j = 0; j < k; ++j) line += fmt::format("{:>8}", m.confusion[i * k + j]);
      session.say(line);
    }
  }
  session.answer(json);
}

std::string counted(std::size_t count, const char* what) { return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s"); }

void add_outputs(const Session& session, const std::vector<std::string>& names, const RealMetrics& m, Json& json) {
  session.say("means of the outputs:");
  json["outputs"] = Json::array();
  for (std::size_t i = 0; i < m.outputs.size(); ++i) {
    const OutputMetrics& one = m.outputs[i];
    session.say(fmt::format("{:>12}  RMSE {:<12.6g}  R² {:.4f}", names[i], one.rmse, one.r2));
    json["outputs"].push_back({{"name", names[i]}, {"rmse", one.rmse}, {"mae", one.mae}, {"r2", one.r2}});
  }
}

// Of a Gaussian process: how probable the truth is, the variance of the function and that of the noise together.
void add_density(const Session& session, const Model& model, const Dataset& data, const Predictions& p, Json& json) {
  const auto& facts = model.fitted.report.facts;
  const auto noise = std::ranges::find(facts, "noise variance", &Fact::name);
  if (model.fitted.precision.empty() || noise == facts.end()) return;
  std::vector<double> variances = model.variances(data.points, session.threads, session.progress());
  for (double& variance : variances) variance = std::max(variance + noise->value, 1e-300);
  const double density = negative_log_density(data.target.numbers(), p.values, variances);
  session.say(fmt::format("NLPD  {:.6g} (mean negative logarithm of the predictive density)", density));
  json["nlpd"] = number(density);
}

void evaluate_values(const Session& session, const Model& model, const Dataset& data, const Predictions& p) {
  if (data.target.kind == Target::Kind::none) throw Error(ErrorKind::data, "the data have no target to compare with; name its column with --target");
  const std::size_t outputs = data.target.outputs;
  if (p.values.size() != data.rows() * outputs)
    throw Error(ErrorKind::data, fmt::format("the model predicts {} per row, but the target has {}; name as many columns with --target",
                                             counted(p.values.size() / std::max<std::size_t>(1, data.rows()), "number"), counted(outputs, "column")));
  const RealMetrics m = real_metrics(data.target.numbers(), p.values, outputs);
  session.say(fmt::format("RMSE  {:.6g}\nMAE   {:.6g}\nR²    {:.4f}\nrows  {}", m.rmse, m.mae, m.r2, m.n));
  Json json{{"n", m.n}, {"rmse", m.rmse}, {"mae", m.mae}, {"r2", m.r2}};
  add_density(session, model, data, p, json);
  if (outputs > 1) add_outputs(session, data.target.output_names(), m, json);
  session.answer(json);
}

void evaluate_novelty(const Session& session, const Predictions& p) {
  const auto inside = std::size_t(std::ranges::count(p.values, 1.0));
  const double part = p.values.empty() ? 0 : double(inside) / double(p.values.size());
  session.say(fmt::format("inside  {:.4f} ({} of {} rows)", part, inside, p.values.size()));
  session.answer({{"n", p.values.size()}, {"inside", part}});
}

// Clusters have names of their own: what is compared is which rows are together.
void evaluate_clusters(const Session& session, const Dataset& data, const Predictions& p) {
  if (data.target.kind != Target::Kind::classes) throw Error(ErrorKind::data, "the data have no class labels to compare the clusters with; name their column with --target");
  const double index = adjusted_rand_index(data.target.codes, p.codes);
  session.say(fmt::format("adjusted Rand index  {:.4f} (1: the clusters are the classes, 0: no better than chance)\nrows                 {}", index, p.codes.size()));
  session.answer({{"n", p.codes.size()}, {"adjusted_rand_index", index}});
}

}  // namespace

void add_evaluate(CLI::App& app, Session& session) {
  struct Options {
    std::string model;
    DataOptions data;
  };
  auto* command = app.add_subcommand("evaluate", "compare a model's predictions with the truth");
  auto options = std::make_shared<Options>();
  add_model_and_data(*command, options->model, options->data);
  command->callback([&session, options] {
    Model model = Model::load(options->model);
    const Dataset data = load_for(model, options->data, session, true);
    const Predictions p = model.predict(data.points, session.threads, session.progress());
    if (model.fitted.rule == Rule::projection)
      throw Error(ErrorKind::usage, fmt::format("{} gives coordinates, and there is no truth to compare them with; mercer transform writes them", model.method->name()));
    if (model.method->task() == Task::none && !model.labels.empty()) evaluate_clusters(session, data, p);
    else if (!p.codes.empty() || !model.labels.empty()) evaluate_classes(session, model, data, p);
    else if (model.fitted.rule == Rule::novelty) evaluate_novelty(session, p);
    else evaluate_values(session, model, data, p);
  });
}

}  // namespace mercer::cli

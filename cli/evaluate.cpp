// mercer evaluate MODEL DATA: how good the model is on rows whose target is known.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "mercer/metrics.hpp"

namespace mercer::cli {

namespace {

// What a name means in --metric; none: all that the predictions allow.
std::vector<Metric> chosen_metrics(const std::vector<std::string>& names, Task task, const Predictions& p) {
  std::vector<Metric> chosen = values_of(names, [](const std::string& name) { return metric_named(name); });
  if (!names.empty()) return chosen;
  for (const Metric& metric : metrics())
    if (metric.task == task && (!metric.needs_probabilities || !p.probabilities.empty()))
      chosen.push_back(metric);
  return chosen;
}

// Of many rows, or of pairs of many classes, fewer samples give the same width.
std::size_t sample_count(const Target& truth) {
  const std::size_t work = std::max<std::size_t>(1, truth.size() * (1 + truth.labels.size() / 4));
  return std::clamp<std::size_t>(100000000 / work, 100, 1000);
}

// f1_micro is the accuracy, and the median's pinball loss half of mae: printed where they are asked for.
bool says_more(const Metric& metric) { return metric.name != "f1_micro" && metric.name != "pinball"; }

std::string digits(const Metric& metric, double value) {
  if (std::isnan(value)) return "-";
  const bool share = metric.task == Task::classification || metric.name == "r2";
  if (share && std::abs(value) < 5e-5) value = 0;  // not "-0.0000"
  return share ? fmt::format("{:.4f}", value) : fmt::format("{:.6g}", value);
}

using Table = std::vector<std::array<std::string, 4>>;

void say_table(const Session& session, const Table& lines) {
  std::array<std::size_t, 4> width{};
  for (const auto& line : lines)
    for (std::size_t c = 0; c < 4; ++c) width[c] = std::max(width[c], line[c].size());
  for (const auto& line : lines)
    session.say(fmt::format("{:<{}}  {:>{}}  {:>{}}  {:>{}}", line[0], width[0], line[1], width[1], line[2],
                            width[2], line[3], width[3]));
}

// Prints the metrics with their intervals and baselines, and gives them as JSON. `all`: also those that say
// no more than another.
Json judge(const Session& session, const std::vector<Metric>& metrics, const Target& truth,
           const Predictions& p, bool all) {
  const std::vector<Estimate> estimates = bootstrap(metrics, truth, p,
                                                    {.samples = sample_count(truth),
                                                     .seed = session.seed,
                                                     .threads = session.threads,
                                                     .progress = session.progress()});
  const Predictions constant = baseline(truth, truth.size());
  const auto defined = [](double value) { return std::isnan(value) ? Json() : number(value); };
  Json json{{"n", truth.size()}}, intervals = Json::object(), baselines = Json::object();
  Table lines{{"", "value", "95 % interval", "baseline"}};
  for (std::size_t m = 0; m < metrics.size(); ++m) {
    const Metric& metric = metrics[m];
    const Estimate& e = estimates[m];
    const double least = measure(metric, truth, constant);
    json[metric.name] = defined(e.value);
    intervals[metric.name] = {defined(e.low), defined(e.high)};
    baselines[metric.name] = defined(least);
    if (all || says_more(metric))
      lines.push_back({metric.name, digits(metric, e.value),
                       digits(metric, e.low) + " to " + digits(metric, e.high), digits(metric, least)});
  }
  say_table(session, lines);
  json.update(Json{{"intervals", intervals}, {"baseline", baselines}});
  return json;
}

void add_confusion(const Session& session, const Model& model, const ClassMetrics& m, Json& json) {
  const std::size_t k = model.labels.size();
  json["classes"] = model.labels;
  json["confusion"] = Json::array();
  for (std::size_t i = 0; i < k; ++i) {
    const auto row = std::span(m.confusion).subspan(i * k, k);
    json["confusion"].push_back(std::vector(row.begin(), row.end()));
  }
  if (k > 12) return;
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

void evaluate_classes(const Session& session, const Model& model, const Dataset& data, const Predictions& p,
                      const std::vector<std::string>& names) {
  const Target truth = known_classes(model, data.target);
  Json json = judge(session, chosen_metrics(names, Task::classification, p), truth, p, !names.empty());
  if (names.empty()) {
    const ClassMetrics m = class_metrics(truth.codes, p.codes, model.labels.size());
    const Predictions constant = baseline(truth, truth.size());
    session.say(fmt::format("{} of {} correct; baseline: always '{}', the most frequent class",
                            std::size_t(m.accuracy * double(m.n) + 0.5), m.n,
                            constant.codes.empty() ? "" : model.labels[std::size_t(constant.codes[0])]));
    add_confusion(session, model, m, json);
  }
  session.answer(json);
}

void add_outputs(const Session& session, const std::vector<std::string>& names, const RealMetrics& m,
                 Json& json) {
  session.say("averages over the outputs:");
  json["outputs"] = Json::array();
  for (std::size_t i = 0; i < m.outputs.size(); ++i) {
    const OutputMetrics& one = m.outputs[i];
    session.say(fmt::format("{:>12}  RMSE {:<12.6g}  R² {:.4f}", names[i], one.rmse, one.r2));
    json["outputs"].push_back({{"name", names[i]}, {"rmse", one.rmse}, {"mae", one.mae}, {"r2", one.r2}});
  }
}

// Of a Gaussian process: how probable the truth is, the variance of the function and that of the noise
// together.
void add_density(const Session& session, const Model& model, const Dataset& data, const Predictions& p,
                 Json& json) {
  const Diagnostic* noise = model.fitted.report.diagnostic("noise_variance");
  if ((model.fitted.precision.empty() && model.fitted.factor.empty()) || !noise) return;
  std::vector<double> variances = model.variances(data.points, session.threads, session.progress());
  for (double& variance : variances) variance = std::max(variance + noise->values[0], 1e-300);
  const double density = negative_log_density(data.target.numbers(), p.values, variances);
  session.say(fmt::format("NLPD  {:.6g} (mean negative log predictive density)", density));
  json["nlpd"] = number(density);
}

void evaluate_values(const Session& session, const Model& model, const Dataset& data, const Predictions& p,
                     const std::vector<std::string>& names) {
  if (data.target.task == Task::none)
    throw Error(ErrorCode::invalid_data, "no target to compare with",
                {.hint = "name the column with --target"});
  const std::size_t outputs = data.target.outputs;
  if (p.values.size() != data.rows() * outputs)
    throw Error(ErrorCode::invalid_data,
                fmt::format("the model predicts {} per row, but the target has {}",
                            counted(p.values.size() / std::max<std::size_t>(1, data.rows()), "number"),
                            counted(outputs, "column")),
                {.hint = "name all target columns with --target"});
  const Target truth{.task = Task::regression,
                     .name = data.target.name,
                     .values = data.target.numbers(),
                     .outputs = outputs};
  std::vector<Metric> metrics = chosen_metrics(names, Task::regression, p);
  if (names.empty() && model.method->name() == "quantile")
    metrics.push_back(metric_named("pinball:" + text_of(model.method->get("tau"))));
  Json json = judge(session, metrics, truth, p, !names.empty());
  if (names.empty()) {
    session.say(fmt::format("{}; baseline: the mean of the target", counted(data.rows(), "row")));
    if (outputs > 1)
      add_outputs(session, data.target.output_names(), real_metrics(truth.values, p.values, outputs), json);
    add_density(session, model, data, p, json);
  }
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
  if (data.target.task != Task::classification)
    throw Error(ErrorCode::invalid_data, "no class labels to compare the clusters with",
                {.hint = "name the column with --target"});
  const double index = adjusted_rand_index(data.target.codes, p.codes);
  session.say(fmt::format(
      "adjusted Rand index  {:.4f} (1: clusters and classes agree, 0: chance)\nrows                 {}",
      index, p.codes.size()));
  session.answer({{"n", p.codes.size()}, {"adjusted_rand_index", index}});
}

std::string metric_help() {
  return fmt::format("print only this metric (repeatable): {}; pinball:0.9 is for the quantile 0.9",
                     fmt::join(values_of(metrics(), &Metric::name), ", "));
}

}  // namespace

void add_evaluate(CLI::App& app, Session& session) {
  struct Options {
    std::string model;
    DataOptions data;
    std::vector<std::string> metrics;
  };
  auto* command = app.add_subcommand("evaluate", "measure the quality of a model on data with a target");
  auto options = std::make_shared<Options>();
  add_model_and_data(*command, options->model, options->data);
  add_value(*command, "--metric", options->metrics, "METRIC", metric_help())->allow_extra_args(false);
  command->callback([&session, options] {
    for (const std::string& name : options->metrics)
      metric_named(name);  // an unknown one is said before the work
    Model model = Model::load(options->model);
    const Dataset data = load_for(model, options->data, session, true);
    const Predictions p = model.predict(data.points, session.threads, session.progress());
    if (model.fitted.rule == Rule::projection)
      throw Error(
          ErrorCode::invalid_argument,
          fmt::format("{} computes coordinates, which have no target to compare with", model.method->name()),
          {.hint = "'mercer transform' writes them"});
    const bool clusters = model.method->traits().task == Task::clustering;
    if (!options->metrics.empty() && (clusters || model.fitted.rule == Rule::novelty))
      throw Error(
          ErrorCode::invalid_argument,
          fmt::format("metrics are for classes or numbers, and {} predicts neither", model.method->name()),
          {.hint = "drop --metric"});
    if (clusters)
      evaluate_clusters(session, data, p);
    else if (!p.codes.empty() || !model.labels.empty())
      evaluate_classes(session, model, data, p, options->metrics);
    else if (model.fitted.rule == Rule::novelty)
      evaluate_novelty(session, p);
    else
      evaluate_values(session, model, data, p, options->metrics);
  });
}

}  // namespace mercer::cli

// mercer predict MODEL DATA: the model's prediction for each row; mercer transform MODEL DATA -o FILE: rows
// as the model sees them, or brought back from there. predict writes a line for every row of DATA, also of
// those that cannot be read, so that lines and rows match; with -o FILE.csv (or .tsv) a table with the names
// of its columns.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "cli/commands.hpp"
#include "cli/data_options.hpp"
#include "cli/predict.hpp"
#include "mercer/file.hpp"
#include "mercer/preimage.hpp"

namespace mercer::cli {

namespace {

/// What is written: cells of a row are numbers, or a class.
struct Columns {
  std::vector<std::string> names;        // of the columns
  std::vector<double> numbers;           // rows × names, or none
  std::vector<std::int32_t> codes = {};  // otherwise: into the model's labels
};

/// One name for each output: those of the target's columns where there are several.
std::vector<std::string> output_names(const Model& model, std::size_t outputs) {
  if (outputs == 1) return {"prediction"};
  Target target{.task = Task::regression,
                .name = model.schema.target.empty() ? "prediction" : model.schema.target};
  target.outputs = outputs;
  return target.output_names();
}

std::vector<std::string> score_names(const Model& model, const Predictions& p) {
  const std::vector<std::string>& labels = model.labels;
  std::vector<std::string> names;
  if (labels.empty()) return p.width == 1 ? std::vector<std::string>{"score"} : output_names(model, p.width);
  if (p.width == labels.size() && !p.pairs) return labels;
  if (p.width == 1 && labels.size() == 2) return {fmt::format("{} vs {}", labels[1], labels[0])};
  for (std::size_t i = 0; i < labels.size(); ++i)
    for (std::size_t j = i + 1; j < labels.size(); ++j)
      names.push_back(fmt::format("{} vs {}", labels[i], labels[j]));
  if (names.size() == p.width) return names;
  names.clear();
  for (std::size_t c = 1; c <= p.width; ++c) names.push_back(fmt::format("score{}", c));
  return names;
}

/// Behind the numbers of each row one more.
void add_column(Columns& columns, const std::string& name, const std::vector<double>& values) {
  const std::size_t width = columns.names.size();
  std::vector<double> all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    all.insert(all.end(), columns.numbers.begin() + std::ptrdiff_t(i * width),
               columns.numbers.begin() + std::ptrdiff_t((i + 1) * width));
    all.push_back(values[i]);
  }
  columns.names.push_back(name);
  columns.numbers = std::move(all);
}

Columns columns_of(const PredictOptions& options, const Model& model, const Dataset& data,
                   const Predictor& predictor) {
  const Predictions p = predictor.predict(model, data.points);
  if (options.probabilities) {
    if (p.probabilities.empty() && data.rows() > 0)
      throw Error(ErrorCode::unsupported,
                  model.labels.empty() && model.fitted.rule != Rule::novelty
                      ? "the model predicts numbers, which have no probabilities; mercer "
                        "inspect shows the scale of their noise"
                      : "the model has no probabilities; fit it with --proba");
    return {model.labels.empty() ? std::vector<std::string>{"inside", "outside"} : model.labels,
            p.probabilities};
  }
  if (options.scores) return {score_names(model, p), p.scores};
  if (!options.variances && !p.codes.empty()) return {{"prediction"}, {}, p.codes};
  Columns columns{output_names(model, p.outputs), p.values};
  if (options.variances) {
    const std::vector<double> all = predictor.variances(model, data.points);
    const std::size_t each = data.rows() == 0 ? 1 : all.size() / data.rows();
    for (std::size_t o = 0; o < each; ++o) {
      std::vector<double> own;
      for (std::size_t i = 0; i < data.rows(); ++i) own.push_back(all[i * each + o]);
      add_column(columns, each == 1 ? "variance" : "variance_" + output_names(model, each)[o], own);
    }
  }
  return columns;
}

/// As RFC 4180 wants it.
std::string quoted(const std::string& cell, char delimiter) {
  if (cell.find_first_of(std::string("\"\r\n") + delimiter) == cell.npos) return cell;
  std::string text = "\"";
  for (const char c : cell) text += c == '"' ? std::string("\"\"") : std::string(1, c);
  return text + '"';
}

/// `table`: with a line of names and cells in quotes where they need them.
std::string lines_of(const Columns& columns, const Model& model, std::size_t rows,
                     const std::vector<std::size_t>& left_out, char delimiter, bool table) {
  const auto cell = [&](const std::string& text) { return table ? quoted(text, delimiter) : text; };
  const std::size_t width = columns.names.size();
  const std::string between(1, delimiter);
  const std::string nothing = fmt::format("{}\n", fmt::join(std::vector<std::string>(width, "NaN"), between));
  std::string text = table ? fmt::format("{}\n", fmt::join(values_of(columns.names, cell), between)) : "";
  auto next = left_out.begin();
  for (std::size_t i = 0, line = 0; line < rows + left_out.size(); ++line) {
    if (next != left_out.end() && *next == line) {
      text += nothing;
      ++next;
      continue;
    }
    if (!columns.codes.empty())
      text += cell(model.labels[std::size_t(columns.codes[i])]) + '\n';
    else
      fmt::format_to(std::back_inserter(text), "{}\n",
                     fmt::join(std::span(columns.numbers).subspan(i * width, width), between));
    ++i;
  }
  return text;
}

void say_left_out(const Session& session, const std::vector<std::size_t>& left_out, std::size_t rows) {
  if (left_out.empty()) return;
  constexpr std::size_t most = 10;
  const auto listed = values_of(std::span(left_out).first(std::min(most, left_out.size())),
                                [](std::size_t row) { return row + 1; });
  complain_of(session, {fmt::format("{} of {} rows cannot be predicted and {} NaN: row{} {}{}",
                                    left_out.size(), rows + left_out.size(),
                                    left_out.size() == 1 ? "is" : "are", left_out.size() == 1 ? "" : "s",
                                    fmt::join(listed, ", "), left_out.size() > most ? ", …" : "")});
}

}  // namespace

void run_predict(PredictOptions& options, const Session& session, const Predictor& predictor) {
  if (options.scores + options.probabilities + options.variances > 1)
    throw Error(ErrorCode::invalid_argument, "give one of --score, --proba and --variance");
  Model model = Model::load(options.model);
  // Every row gets a prediction, also one whose target is missing.
  if (options.data.read.target.empty() && !model.schema.columns.empty()) options.data.read.target = "none";
  std::vector<std::size_t> left_out;
  const Dataset data = load_for(model, options.data, session, false, &left_out);
  const Columns columns = columns_of(options, model, data, predictor);
  const bool csv = options.out.ends_with(".csv"), tsv = options.out.ends_with(".tsv");
  say_left_out(session, left_out, data.rows());
  write_file(options.out, lines_of(columns, model, data.rows(), left_out,
                                   csv   ? ','
                                   : tsv ? '\t'
                                         : ' ',
                                   csv || tsv));
  if (options.out == "-") return;
  session.say(fmt::format("{}: {} predictions", options.out, data.rows()));
  session.answer({{"file", options.out},
                  {"n", data.rows()},
                  {"left_out", values_of(left_out, [](std::size_t row) { return row + 1; })}});
}

// --- mercer transform. ---

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

void transform(TransformOptions& options, const Session& session) {
  Model model = Model::load(options.model);
  Dataset data = load_for(model, options.data, session, false);
  const Predictions predictions = model.predict(data.points, session.threads, session.progress());
  data.points = options.preimages ? preimages(model, predictions.scores,
                                              {.threads = session.threads, .progress = session.progress()})
                                  : coordinates(model, predictions, data.rows());
  data.schema = {};
  write_data(session, options.out, data, Format::automatic, {{"preimages", options.preimages}});
}

}  // namespace

void PredictOptions::add(CLI::App& command) {
  add_model_and_data(command, model, data);
  command.get_option("--skip-bad")
      ->description(
          "rows whose objects cannot be read (invalid SMILES, corrupt images) are predicted as NaN instead "
          "of ending the command");
  add_value(
      command, "-o,--output", out, "FILE",
      "file for the predictions: .csv or .tsv with a line of column names, else one prediction a line; - "
      "for standard output")
      ->capture_default_str();
  command.add_flag(
      "--score", scores,
      "decision function values instead: for two classes one, positive for the second; for more, one per "
      "class or pair of classes; else one per output");
  command.add_flag("--proba", probabilities,
                   "the probability of each class instead, in the order of the model's classes; for novelty "
                   "detection, of inliers and outliers (models fitted with --proba)");
  command.add_flag("--probabilities,--probability", probabilities, "as --proba")->group("");
  command.add_flag("--variance", variances, "the prediction and its variance (gp models)");
}

void add_predict(CLI::App& app, Session& session) {
  auto* command = app.add_subcommand("predict", "predict rows with a model");
  auto options = std::make_shared<PredictOptions>();
  options->add(*command);
  command->callback([&session, options] {
    const Predictor here{.predict =
                             [&](const Model& model, const Points& points) {
                               return model.predict(points, session.threads, session.progress());
                             },
                         .variances =
                             [&](const Model& model, const Points& points) {
                               return model.variances(points, session.threads, session.progress());
                             }};
    run_predict(*options, session, here);
  });
}

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
  command->callback([&session, options] { transform(*options, session); });
}

}  // namespace mercer::cli

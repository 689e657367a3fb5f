#include "cli/data_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "cli/gram_rows.hpp"
#include "mercer/disk_arrays.hpp"
#include "mercer/kernel_objects.hpp"
#include "mercer/read_rows.hpp"
#include "mercer/spelling.hpp"

namespace mercer::cli {

namespace {

const std::map<std::string, Format> formats{{"auto", Format::automatic}, {"csv", Format::csv},
                                            {"tsv", Format::tsv},        {"libsvm", Format::libsvm},
                                            {"npy", Format::npy},        {"npz", Format::npz},
                                            {"fasta", Format::fasta},    {"sets", Format::sets},
                                            {"graphs", Format::graphs},  {"images", Format::images}};
const std::map<std::string, Missing> missings{{"refuse", Missing::refuse},
                                              {"mean", Missing::mean},
                                              {"drop", Missing::drop},
                                              {"auto", Missing::automatic}};
const std::map<std::string, Precision> precisions{{"float32", Precision::float32},
                                                  {"float64", Precision::float64}};
const std::map<std::string, Task> tasks{
    {"auto", Task::none}, {"classes", Task::classification}, {"real", Task::regression}};

template <class T>
CLI::Option* add_choice(CLI::App& command, const std::string& flag, const std::map<std::string, T>& table,
                        T& value, const std::string& meaning) {
  const auto words = values_of(table, [](const auto& entry) { return entry.first; });
  const auto take = [&table, &value, flag, words](const std::string& text) {
    const auto found = table.find(text);
    if (found == table.end())
      throw CLI::ValidationError(flag, "unknown value '" + text + "'; " + suggestion(text, words));
    value = found->second;
  };
  const auto standard = std::ranges::find(table, value, [](const auto& entry) { return entry.second; });
  return command.add_option_function<std::string>(flag, take, meaning)
      ->type_name(fmt::format("{}", fmt::join(words, "|")))
      ->default_str(standard->first);
}

// COLUMN:KIND of --objects.
ReadOptions::Kept parse_objects(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos)
    throw CLI::ValidationError("--objects", "'" + text + "' has no kind; write COLUMN:KIND, e.g. title:text");
  return {text.substr(0, colon), domain_named(text.substr(colon + 1))};
}

// Whether a column of the table is one of texts. Standard input can be read only once.
bool holds_texts(const DataOptions& options, const std::string& column) {
  if (options.path == "-")
    throw Error(ErrorCode::invalid_argument,
                fmt::format("the kernel compares column '{}' of standard input: say what it holds with "
                            "--objects {}:symbols, or read a file",
                            column, column));
  ReadOptions look = options.read;
  if (look.tolerant) look.keep.push_back(column);
  const Dataset data = mercer::read(options.path, look);
  return std::ranges::any_of(data.schema.columns, [&](const Schema::Column& one) {
    return one.name == column && !one.categories.empty();
  });
}

}  // namespace

CLI::Option* add_format(CLI::App& command, const std::string& flag, Format& format,
                        const std::string& meaning) {
  return add_choice(command, flag, formats, format, meaning);
}

void add_kernel(CLI::App& command, std::string& kernel, const std::string& meaning) {
  add_value(command, "--kernel", kernel, "EXPR", meaning)->required();
}

void DataOptions::add(CLI::App& command) {
  constexpr const char* group = "Data options";
  const auto column = [&](const char* flag, auto& value, const char* meaning) {
    return add_value(command, flag, value, "COL", meaning)->group(group);
  };
  add_value(command, "DATA", path, "DATA",
            "data: a CSV, TSV, LIBSVM, .npy, .npz, FASTA or .sets file, a folder of images or of TUDataset "
            "graphs, or - for standard input")
      ->required();
  column("--target", read.target,
         "target column: a name, a number (from 1; -1 is the last), several separated by commas, a .npy file "
         "if DATA is one, or none");
  column("--weights", read.weights, "column of row weights, by name or number");
  add_choice(command, "--task", tasks, read.task,
             "read the target as class labels (classes) or as numbers (real)")
      ->group(group);
  add_choice(command, "--missing", missings, read.missing,
             "missing or non-finite values: refuse the file, fill in the column mean, or drop the row; auto: "
             "column mean for numbers, a category of its own for text, drop rows without a target")
      ->group(group);
  column("--drop", read.drop, "column to ignore, by name or number (repeatable)")->allow_extra_args(false);
  if (read.tolerant)
    column("--keep", read.keep, "column to use even if it looks like an ID (repeatable)")
        ->allow_extra_args(false);
  command
      .add_option_function<std::vector<std::string>>(
          "--objects",
          [this](const std::vector<std::string>& all) { read.objects = values_of(all, parse_objects); },
          "column of objects and their kind: text, sequence, symbols or molecule (repeatable); columns that "
          "the kernel names with @ are detected")
      ->allow_extra_args(false)
      ->type_name("COL:KIND")
      ->group(group);
  column("--bag", read.bag, "column with the bag (set) that each row belongs to, by name or number");
  command
      .add_flag("--skip-bad", read.skip_bad,
                "skip objects that cannot be read (invalid SMILES, corrupt images) and report how many")
      ->group(group);
  add_format(command, "--format", read.format, "format of DATA; auto: by the extension, then by the content")
      ->group(group);
  add_choice(command, "--precision", precisions, read.precision, "floating-point precision of the data")
      ->group(group);
  add_value(command, "--scale", scale, "standard|minmax|none",
            "scale the columns: to mean 0 and variance 1 (standard), to [0, 1] (minmax), or not")
      ->capture_default_str()
      ->group(group);
}

DataOptions DataOptions::for_kernel(const Kernel& kernel) const {
  DataOptions with = *this;
  for (ReadOptions::Kept& kept : objects_compared(kernel))
    if (std::ranges::none_of(with.read.objects, [&](const auto& known) {
          return known.column == kept.column || kept.column.empty();
        }))
      with.read.objects.push_back(std::move(kept));
  for (const std::string& column : set_columns(kernel))
    if (std::ranges::none_of(with.read.objects, [&](const auto& known) { return known.column == column; }) &&
        holds_texts(with, column))
      with.read.objects.push_back({column, Domain::symbols});
  return with;
}

Dataset DataOptions::read_rows(const Session& session) const {
  ReadOptions options = read;
  options.threads = session.threads;
  if (session.reader)
    if (std::optional<Dataset> data = session.reader(path, options)) return std::move(*data);
  return mercer::read(path, options);
}

Dataset DataOptions::load(const Session& session) const {
  Dataset data = read_rows(session);
  complain_of(session, data.notes);
  const Scaling::Kind kind = Scaling::kind_named(scale);
  if (kind == Scaling::Kind::none) return data;
  const Scaling scaling = Scaling::fit(kind, data.points);
  if (const std::string note = scaling.note(); !note.empty()) complain_of(session, {note});
  data.points = scaling.apply(data.points);
  return data;
}

void complain_of(const Session& session, const std::vector<Note>& notes) {
  if (session.quiet) return;
  for (const Note& note : notes) Session::complain("mercer: note: " + note.said(flag_words));
}

void require_target(const Dataset& data, const std::string& path) {
  if (data.target.task != Task::none) return;
  std::vector<std::string> columns = values_of(data.schema.columns, &Schema::Column::name);
  columns.insert(columns.end(), data.schema.left_out.begin(), data.schema.left_out.end());
  constexpr std::size_t most = 20;
  std::string names;
  for (const std::string& name : std::span(columns).first(std::min(columns.size(), most)))
    names += fmt::format("{}'{}'", names.empty() ? "" : ", ", name);
  if (columns.size() > most) names += fmt::format(" and {} more", columns.size() - most);
  throw Error(ErrorCode::invalid_argument,
              "no target column found (none is called target, label, class or y)",
              {.file = path,
               .hint = fmt::format("name it with --target{}, or fit without a target with --target none",
                                   names.empty() ? "" : " (the columns are " + names + ")")});
}

void write_data(const Session& session, const std::string& path, const Dataset& data, Format format,
                const Json& more) {
  write(path, data, format);
  if (path == "-") return;
  session.say(fmt::format("{}: {}", path, describe(data)));
  Json json{{"file", path}, {"rows", data.rows()}, {"columns", data.points.cols()}};
  json.update(more);
  session.answer(json);
}

std::string describe(const Dataset& data) {
  std::string target = "no target";
  if (data.target.task == Task::regression)
    target =
        data.target.outputs == 1 ? "numeric target" : fmt::format("{} numeric targets", data.target.outputs);
  if (data.target.task == Task::classification) {
    const std::span labels(data.target.labels);
    target = fmt::format("{} classes ({}{})", labels.size(),
                         fmt::join(labels.first(std::min<std::size_t>(labels.size(), 5)), ", "),
                         labels.size() > 5 ? ", …" : "");
  }
  if (!data.points.objects().empty()) {
    std::string list;
    for (const Objects& column : data.points.objects())
      list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", column.name(), plural_of(column.domain()));
    if (data.points.cols() > 0) list += " and " + counted(data.points.cols(), "column") + " of numbers";
    return fmt::format("{} rows of {}, {}", data.rows(), list, target);
  }
  return fmt::format("{} rows × {} columns, {} {}{}, {}", data.rows(), data.points.cols(),
                     data.points.sparse() ? "sparse" : "dense",
                     data.points.precision() == Precision::float32 ? "float32" : "float64",
                     on_disk(data.points) ? " on disk" : "", target);
}

// --- Data for a model. ---

void add_model(CLI::App& command, std::string& model) {
  add_value(command, "MODEL", model, "MODEL", "model file: .mercer, or LIBSVM's .model")->required();
}

void add_model_and_data(CLI::App& command, std::string& model, DataOptions& data) {
  add_model(command, model);
  data.read.missing = Missing::automatic;
  data.read.tolerant = true;
  data.add(command);
  for (const char* of_fit : {"--weights", "--drop", "--keep", "--objects", "--bag"})
    command.remove_option(command.get_option(of_fit));
  command.get_option("--scale")->group("");  // not in the help, but refused with a reason
}

Dataset load_for(Model& model, DataOptions& options, const Session& session, bool needs_target,
                 std::vector<std::size_t>* left_out) {
  if (options.scale != "none")
    throw Error(ErrorCode::invalid_argument, "the model scales data as it did when it was fitted",
                {.hint = "drop --scale here, and give it to 'mercer fit'"});
  if (!model.schema.columns.empty())
    options.read.schema = &model.schema;
  else if (options.read.missing == Missing::automatic)
    options.read.missing = Missing::refuse;  // the model knows of no means
  options.read.from_zero = model.schema.first_index == 0;
  options.read.columns = libsvm_columns(model.kernel(), model.columns, options.read.from_zero);
  if (!model.labels.empty()) options.read.task = Task::classification;
  options.read.threads = session.threads;
  std::vector<std::size_t> not_read;
  Dataset data = read(options.path, options.read, left_out ? *left_out : not_read);
  read_as_matrix(data, model.kernel(), model.columns);
  complain_of(session, data.notes);
  if (needs_target && supervised(model.method->traits().task) && data.target.task == Task::none &&
      !model.schema.target.empty())
    throw Error(ErrorCode::invalid_data,
                fmt::format("{}: no target column '{}' to compare with", options.path, model.schema.target),
                {.hint = "name another with --target"});
  if (model.schema.columns.empty() && open_ended(data)) model = widened_for(model, data);
  return data;
}

bool open_ended(const Dataset& data) { return data.schema.first_index || data.points.sparse(); }

Model widened_for(const Model& model, const Dataset& data) {
  return model.widened(data.points.cols(), model.schema.first_index == 1 && data.schema.first_index == 0);
}

std::vector<std::int32_t> codes_in(const Model& model, const Target& target) {
  const auto map = values_of(target.labels, [&](const std::string& label) {
    const auto found = std::ranges::find(model.labels, label);
    return found == model.labels.end() ? -1 : std::int32_t(found - model.labels.begin());
  });
  return values_of(target.codes, [&](std::int32_t code) { return map[std::size_t(code)]; });
}

Target known_classes(const Model& model, const Target& target) {
  if (target.task != Task::classification)
    throw Error(ErrorCode::invalid_data, "no class labels to compare with",
                {.hint = "name the column with --target"});
  Target truth = target;
  truth.labels = model.labels;
  truth.codes = codes_in(model, target);
  if (const auto unknown = std::ranges::find(truth.codes, -1); unknown != truth.codes.end()) {
    const auto row = std::size_t(unknown - truth.codes.begin());
    throw Error(ErrorCode::invalid_data,
                fmt::format("row {} has the label '{}', which is not a class of the model", row + 1,
                            target.labels[std::size_t(target.codes[row])]));
  }
  return truth;
}

}  // namespace mercer::cli

#include "cli/data_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "cli/wording.hpp"
#include "mercer/error.hpp"
#include "mercer/kernel_objects.hpp"
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

std::vector<std::string> words_of_table(const auto& table) {
  std::vector<std::string> words;
  for (const auto& [name, value] : table) words.push_back(name);
  return words;
}

template <class T>
CLI::Option* add_choice(CLI::App& command, const std::string& flag, const std::map<std::string, T>& table,
                        T& value, const std::string& meaning) {
  std::string standard;
  for (const auto& [name, entry] : table)
    if (entry == value) standard = name;
  return command
      .add_option_function<std::string>(
          flag,
          [&table, &value, flag](const std::string& text) {
            const auto found = table.find(text);
            if (found == table.end())
              throw CLI::ValidationError(
                  flag, "unknown value '" + text + "'; " + suggestion(text, words_of_table(table)));
            value = found->second;
          },
          meaning)
      ->type_name(fmt::format("{}", fmt::join(words_of_table(table), "|")))
      ->default_str(standard);
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

void DataOptions::add(CLI::App& command, Precision precision) {
  read.precision = precision;
  constexpr const char* group = "Data options";
  command
      .add_option("DATA", path,
                  "data: a CSV, TSV, LIBSVM, .npy, .npz, FASTA or .sets file, a folder of images or of "
                  "TUDataset graphs, or - for standard input")
      ->required()
      ->type_name("DATA");
  command
      .add_option("--target", read.target,
                  "target column: a name, a number (from 1; -1 is the last), several separated by commas, a "
                  ".npy file if DATA is one, or none")
      ->type_name("COL")
      ->group(group);
  command.add_option("--weights", read.weights, "column of row weights, by name or number")
      ->type_name("COL")
      ->group(group);
  add_choice(command, "--task", tasks, read.task,
             "read the target as class labels (classes) or as numbers (real)")
      ->group(group);
  add_choice(command, "--missing", missings, read.missing,
             "missing or non-finite values: refuse the file, fill in the column mean, or drop the row; auto: "
             "column mean for numbers, a category of its own for text, drop rows without a target")
      ->group(group);
  command.add_option("--drop", read.drop, "column to ignore, by name or number (repeatable)")
      ->allow_extra_args(false)
      ->type_name("COL")
      ->group(group);
  if (read.tolerant)
    command.add_option("--keep", read.keep, "column to use even if it looks like an ID (repeatable)")
        ->allow_extra_args(false)
        ->type_name("COL")
        ->group(group);
  command
      .add_option_function<std::vector<std::string>>(
          "--objects",
          [this](const std::vector<std::string>& all) {
            for (const std::string& text : all) {
              const std::size_t colon = text.rfind(':');
              if (colon == std::string::npos)
                throw CLI::ValidationError("--objects",
                                           "'" + text + "' has no kind; write COLUMN:KIND, e.g. title:text");
              read.objects.push_back({text.substr(0, colon), domain_named(text.substr(colon + 1))});
            }
          },
          "column of objects and their kind: text, sequence, symbols or molecule (repeatable); columns that "
          "the kernel names with @ are detected")
      ->allow_extra_args(false)
      ->type_name("COL:KIND")
      ->group(group);
  command
      .add_option("--bag", read.bag, "column with the bag (set) that each row belongs to, by name or number")
      ->type_name("COL")
      ->group(group);
  command
      .add_flag("--skip-bad", read.skip_bad,
                "skip objects that cannot be read (invalid SMILES, corrupt images) and report how many")
      ->group(group);
  add_format(command, "--format", read.format, "format of DATA; auto: by the extension, then by the content")
      ->group(group);
  add_choice(command, "--precision", precisions, read.precision, "floating-point precision of the data")
      ->group(group);
  command
      .add_option("--scale", scale,
                  "scale the columns: to mean 0 and variance 1 (standard), to [0, 1] (minmax), or not")
      ->capture_default_str()
      ->type_name("standard|minmax|none")
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
  std::vector<std::string> columns;
  for (const Schema::Column& column : data.schema.columns) columns.push_back(column.name);
  columns.insert(columns.end(), data.schema.left_out.begin(), data.schema.left_out.end());
  std::string names;
  constexpr std::size_t most = 20;
  for (std::size_t k = 0; k < std::min(columns.size(), most); ++k)
    names += fmt::format("{}'{}'", k ? ", " : "", columns[k]);
  if (columns.size() > most) names += fmt::format(" and {} more", columns.size() - most);
  throw Error(ErrorCode::invalid_argument,
              "no target column found (none is called target, label, class or y)",
              {.file = path,
               .hint = fmt::format("name it with --target{}, or fit without a target with --target none",
                                   names.empty() ? "" : " (the columns are " + names + ")")});
}

std::string describe(const Dataset& data) {
  std::string target = "no target";
  if (data.target.task == Task::regression)
    target =
        data.target.outputs == 1 ? "numeric target" : fmt::format("{} numeric targets", data.target.outputs);
  if (data.target.task == Task::classification) {
    const auto& labels = data.target.labels;
    std::string list;
    for (std::size_t i = 0; i < labels.size() && i < 5; ++i) list += (i ? ", " : "") + labels[i];
    target = fmt::format("{} classes ({}{})", labels.size(), list, labels.size() > 5 ? ", …" : "");
  }
  if (!data.points.objects().empty()) {
    std::string list;
    for (const Objects& column : data.points.objects())
      list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", column.name(), plural_of(column.domain()));
    if (data.points.cols() > 0)
      list +=
          fmt::format(" and {} column{} of numbers", data.points.cols(), data.points.cols() == 1 ? "" : "s");
    return fmt::format("{} rows of {}, {}", data.rows(), list, target);
  }
  return fmt::format("{} rows × {} columns, {} {}, {}", data.rows(), data.points.cols(),
                     data.points.sparse() ? "sparse" : "dense",
                     data.points.precision() == Precision::float32 ? "float32" : "float64", target);
}

}  // namespace mercer::cli

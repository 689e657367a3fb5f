#include "cli/data_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "mercer/error.hpp"

namespace mercer::cli {

namespace {

const std::map<std::string, Format> formats{{"auto", Format::automatic}, {"csv", Format::csv}, {"tsv", Format::tsv},
                                            {"libsvm", Format::libsvm}, {"npy", Format::npy}, {"npz", Format::npz}, {"images", Format::images}};
const std::map<std::string, Missing> missings{{"refuse", Missing::refuse}, {"mean", Missing::mean}, {"drop", Missing::drop}, {"auto", Missing::automatic}};
const std::map<std::string, Precision> precisions{{"float32", Precision::float32}, {"float64", Precision::float64}};
const std::map<std::string, Target::Kind> tasks{{"auto", Target::Kind::none}, {"classes", Target::Kind::classes}, {"real", Target::Kind::real}};

std::string names_of(const auto& table) {
  std::string names;
  for (const auto& [name, value] : table) names += (names.empty() ? "" : "|") + name;
  return names;
}

template <class T>
CLI::Option* add_choice(CLI::App& command, const std::string& flag, const std::map<std::string, T>& table, T& value,
                        const std::string& meaning) {
  std::string standard;
  for (const auto& [name, entry] : table)
    if (entry == value) standard = name;
  const std::string names = names_of(table);
  return command
      .add_option_function<std::string>(
          flag,
          [&table, &value, flag, names](const std::string& text) {
            const auto found = table.find(text);
            if (found == table.end()) throw CLI::ValidationError(flag, "unknown value '" + text + "'; choose from " + names);
            value = found->second;
          },
          meaning)
      ->type_name(names)
      ->default_str(standard);
}

}  // namespace

void add_format(CLI::App& command, const std::string& flag, Format& format, const std::string& meaning) {
  add_choice(command, flag, formats, format, meaning);
}

void DataOptions::add(CLI::App& command, Precision precision) {
  read.precision = precision;
  command.add_option("DATA", path, "CSV, TSV, LIBSVM, .npy or .npz file; a folder of images, in a folder for each class; - for standard input")->required();
  command.add_option("--target", read.target, "target column by name or number (from 1, or from the end: -1), several joined by commas, a .npy file beside a .npy file, or none");
  command.add_option("--weights", read.weights, "weight column by name or number");
  add_choice(command, "--task", tasks, read.task, "read the target as class labels or as real values");
  add_choice(command, "--missing", missings, read.missing, "missing or non-finite values: refuse, fill in the column's mean, drop the row, or auto: the mean for numbers, a category of their own for texts, no row without a target");
  command.add_option("--drop", read.drop, "column of a table not to learn from, by name or number (repeatable)")->allow_extra_args(false)->type_name("COL");
  if (read.tolerant)
    command.add_option("--keep", read.keep, "column of a table to learn from whatever it looks like (repeatable)")->allow_extra_args(false)->type_name("COL");
  add_format(command, "--format", read.format, "format of DATA; auto goes by the extension, then by the content");
  add_choice(command, "--precision", precisions, read.precision, "precision of the numbers");
  command.add_option("--scale", scale, "scale the columns: standard, minmax or none")->capture_default_str()->type_name("standard|minmax|none");
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
  if (kind != Scaling::Kind::none) data.points = Scaling::fit(kind, data.points).apply(data.points);
  return data;
}

void complain_of(const Session& session, const std::vector<std::string>& notes) {
  if (session.quiet) return;
  for (const std::string& note : notes) Session::complain("mercer: note: " + note);
}

void require_target(const Dataset& data, const std::string& path) {
  if (data.target.kind != Target::Kind::none) return;
  std::vector<std::string> columns;
  for (const Schema::Column& column : data.schema.columns) columns.push_back(column.name);
  columns.insert(columns.end(), data.schema.left_out.begin(), data.schema.left_out.end());
  std::string names;
  constexpr std::size_t most = 20;
  for (std::size_t k = 0; k < std::min(columns.size(), most); ++k) names += fmt::format("{}'{}'", k ? ", " : "", columns[k]);
  if (columns.size() > most) names += fmt::format(" and {} more", columns.size() - most);
  throw Error(ErrorKind::usage, fmt::format("{}: which column is to be learned? none is called target, label, class or y; name it with --target{}, or learn without "
                                            "one with --target none",
                                            path, names.empty() ? "" : " (the columns are " + names + ")"));
}

std::string describe(const Dataset& data) {
  std::string target = "no target";
  if (data.target.kind == Target::Kind::real) target = data.target.outputs == 1 ? "a real target" : fmt::format("a target of {} numbers", data.target.outputs);
  if (data.target.kind == Target::Kind::classes) {
    const auto& labels = data.target.labels;
    std::string list;
    for (std::size_t i = 0; i < labels.size() && i < 5; ++i) list += (i ? ", " : "") + labels[i];
    target = fmt::format("{} classes ({}{})", labels.size(), list, labels.size() > 5 ? ", …" : "");
  }
  return fmt::format("{} rows × {} columns, {} {}, {}", data.rows(), data.points.cols(), data.points.sparse() ? "sparse" : "dense",
                     data.points.precision() == Precision::float32 ? "float32" : "float64", target);
}

}  // namespace mercer::cli

// The options of every subcommand that reads data, for a kernel or for a model that was fitted before.
#pragma once

#include <CLI/CLI.hpp>
#include <charconv>
#include <optional>
#include <string>

#include "cli/session.hpp"
#include "mercer/dataset.hpp"
#include "mercer/kernel.hpp"
#include "mercer/model.hpp"
#include "mercer/scaling.hpp"

namespace mercer::cli {

/// An option (or, named in capitals, an argument) that takes a value: where the value goes, what help calls
/// it, and what it means.
template <class T>
CLI::Option* add_value(CLI::App& command, const std::string& flag, T& value, const std::string& type,
                       const std::string& meaning) {
  return command.add_option(flag, value, meaning)->type_name(type);
}

/// The number that the whole text is, or nothing.
template <class T = double>
std::optional<T> parse_number(std::string_view text) {
  T value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

struct DataOptions {
  std::string path;
  ReadOptions read;
  std::string scale = "none";

  /// Adds DATA and its options; what `read` holds before is their default.
  void add(CLI::App& command);
  /// The same with the columns as objects that the kernel compares as such.
  DataOptions for_kernel(const Kernel& kernel) const;
  Dataset read_rows(const Session& session) const;
  /// Reads, tells of the notes and scales.
  Dataset load(const Session& session) const;
};

/// --kernel EXPR, which is required.
void add_kernel(CLI::App& command, std::string& kernel, const std::string& meaning = "kernel expression");

/// --format NAME for reading or writing.
CLI::Option* add_format(CLI::App& command, const std::string& flag, Format& format,
                        const std::string& meaning);

/// What was done with a file, on standard error, unless --quiet.
void complain_of(const Session& session, const std::vector<Note>& notes);

/// Throws Error{usage} with the columns to choose from where the data have no target.
void require_target(const Dataset& data, const std::string& path);

/// Writes the data and, unless to standard output, says so. `more`: for --json.
void write_data(const Session& session, const std::string& path, const Dataset& data, Format format,
                const Json& more);

/// "200 rows × 2 columns, dense float64, 2 classes (0, 1)"
std::string describe(const Dataset& data);

/// Adds MODEL.
void add_model(CLI::App& command, std::string& model);
/// Adds MODEL, and DATA with the options that mean something beside a model: it knows its scaling and needs
/// no weights.
void add_model_and_data(CLI::App& command, std::string& model, DataOptions& data);

/// Reads data as the model's own were: the same columns, encoded and counted the same way. `needs_target`:
/// whether the target column must be there. LIBSVM text may have columns beyond the model's: the model is
/// then widened. `left_out`, where given, becomes the rows of the file (from 0) that are not among those
/// read.
Dataset load_for(Model& model, DataOptions& options, const Session& session, bool needs_target,
                 std::vector<std::size_t>* left_out = nullptr);

/// Whether the file does not say how many columns there are: LIBSVM text and sparse matrices may have more
/// than the model's.
bool open_ended(const Dataset& data);

/// The model over all columns of LIBSVM text that was read with its `columns` and `from_zero`: those that no
/// support vector has add nothing to a dot product, but they do to a distance.
Model widened_for(const Model& model, const Dataset& data);

/// The codes of a target in the model's labels; −1 where a label is unknown to the model.
std::vector<std::int32_t> codes_in(const Model& model, const Target& target);
/// The target in the model's labels; throws Error{data} where it has no classes or one that the model does
/// not know.
Target known_classes(const Model& model, const Target& target);

}  // namespace mercer::cli

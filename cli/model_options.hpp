// What the subcommands that use a model share.
#pragma once

#include "cli/data_options.hpp"
#include "mercer/model.hpp"

namespace mercer::cli {

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

/// A method's parameter as text, and all of them as JSON.
std::string text_of(const Argument& value);
Json parameters_json(const Method& method);

/// How a fit went, for people (a word and a text a line) and as JSON.
std::vector<std::pair<std::string, std::string>> report_lines(const FitReport& report);
Json report_json(const FitReport& report);

/// The noise of a calibrated regression, for people and as JSON (null where there is none).
std::string noise_text(double scale);
Json noise_json(const Model& model);

}  // namespace mercer::cli

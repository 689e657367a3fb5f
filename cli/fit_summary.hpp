// What is printed about a model: its parameters, how the fit went, its selection and its score; and what was
// kept where Ctrl-C stopped it.
#pragma once

#include "cli/session.hpp"
#include "mercer/automatic.hpp"

namespace mercer::cli {

/// A method's parameter as text, and all of them as JSON.
std::string text_of(const Argument& value);
Json parameters_json(const Method& method);

/// How a fit went, for people (a word and a text a line) and as JSON.
std::vector<std::pair<std::string, std::string>> report_lines(const FitReport& report);
Json report_json(const FitReport& report);

/// The noise of a calibrated regression, for people.
std::string noise_text(double scale);

/// "svm, C = 8, kernel rbf(gamma=0.5)": the parameters that are not the standard ones, or else the first,
/// which matters most.
std::string model_title(const Method& method, const Kernel& kernel);
/// How the fit went.
void say_fit(const Session& session, const Model& model);
Json fit_json(const Model& model, double read_seconds, double total_seconds);

/// How the model was selected and how good it is.
void say_selection(const Session& session, const AutomaticFit& made);
Json selection_json(const AutomaticFit& made);

/// "1 candidate", "34 candidates, 6 kernels".
std::string candidates_text(std::size_t candidates, std::size_t spaces);

/// After Ctrl-C: what the model is, and what was not done. `rows`: of the data; `report`: a report was asked
/// for and is not written.
std::string interruption_text(const AutomaticFit& made, std::size_t rows, bool report);

}  // namespace mercer::cli

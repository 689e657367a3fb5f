#include "cli/fit_summary.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>

#include "mercer/json.hpp"

namespace mercer::cli {

namespace {

double peak_memory_mb() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return double(usage.ru_maxrss) / 1024;
}

// As papers write it.
std::string title_of(const std::string& metric) {
  if (metric == "rmse" || metric == "mae" || metric == "auc") {
    std::string upper = metric;
    for (char& c : upper) c = char(std::toupper(c));
    return upper;
  }
  std::string words = metric == "r2" ? "R²" : metric;
  for (char& c : words) c = c == '_' ? ' ' : c;
  return words;
}

std::string estimate_text(const std::string& metric, const Estimate& e) {
  return fmt::format("{} {:.4g} (95 % interval {:.4g} to {:.4g})", title_of(metric), e.value, e.low, e.high);
}

// "34 candidates (21 in the first round, 13 in refinement)": what was announced, and why it is not the number
// at the end.
std::string evaluated_text(const Search& search) {
  const std::size_t evaluated = search.evaluated(), first = evaluated - search.refined,
                    unreached = search.planned - std::min(search.planned, first + search.failed);
  std::string why;
  if (search.refined > 0) why = fmt::format("{} in the first round, {} in refinement", first, search.refined);
  if (search.failed > 0)
    why += fmt::format("{}{} could not be fitted", why.empty() ? "" : "; ", search.failed);
  if (unreached > 0) why += fmt::format("{}{} not reached", why.empty() ? "" : "; ", unreached);
  return counted(evaluated, "candidate") + (why.empty() ? "" : " (" + why + ")");
}

constexpr const char* phase_texts[] = {"search", "final fit", "assessment"};  // of FitPhase

}  // namespace

std::string text_of(const Argument& value) {
  return std::holds_alternative<double>(value) ? fmt::format("{:g}", std::get<double>(value))
                                               : std::get<Word>(value).text;
}

std::vector<std::pair<std::string, std::string>> report_lines(const FitReport& r) {
  // A support vector machine has a dual.
  const bool machine = r.certificate == CertificateKind::kkt_violation;
  std::vector<std::pair<std::string, std::string>> lines;
  std::string fit = fmt::format("{} in {:.3g} s",
                                r.converged   ? "converged"
                                : r.cut_short ? "cut short"
                                              : "NOT converged",
                                r.seconds);
  const std::string_view certificate = label_of(r.certificate);
  if (!certificate.empty())
    fit += fmt::format("; {} {:.2g} (tolerance {:g})", certificate, r.violation, r.tolerance);
  if (machine) fit += fmt::format(", duality gap {:.3g}", r.gap);
  lines.emplace_back("fit", fit + (certificate.empty() ? "" : ", in float64"));
  if (!r.solver.empty()) lines.emplace_back("solver", r.solver);
  if (machine || r.objective != 0) lines.emplace_back("objective", fmt::format("{:.9g}", r.objective));
  std::string function;
  const auto add = [&](std::string_view name, double value) {
    function += fmt::format("{}{} {:.6g}", function.empty() ? "" : ", ", name, value);
  };
  if (r.norm) add("‖f‖²", *r.norm);
  if (r.loss) add("training loss", *r.loss);
  if (r.degrees_of_freedom) add("degrees of freedom", *r.degrees_of_freedom);
  if (!function.empty()) lines.emplace_back("function", function);
  for (const Diagnostic& d : r.diagnostics)
    for (std::size_t v = 0; v < d.values.size(); ++v)
      lines.emplace_back("", fmt::format("{} {:.9g}", value_label(d, v), d.values[v]));
  for (std::string& warning : said(r.warnings, flag_words)) lines.emplace_back("warning", std::move(warning));
  return lines;
}

Json report_json(const FitReport& r) { return Json::parse(json_of(r, flag_words)); }

std::string noise_text(double scale) {
  return fmt::format(
      "target = prediction + z, z Laplace-distributed with scale {:.6g} (standard deviation {:.6g})", scale,
      std::sqrt(2.0) * scale);
}

Json parameters_json(const Method& method) { return Json::parse(json_of(method)); }

std::string model_title(const Method& method, const Kernel& kernel) {
  std::string changed, first;
  const AnyMethod& standard = method_named(method.name());
  for (const MethodParameter& parameter : method.parameters()) {
    const std::string value = text_of(method.get(parameter.name)),
                      text = fmt::format(", {} = {}", parameter.name, value);
    if (first.empty()) first = text;
    if (value != text_of(standard->get(parameter.name))) changed += text;
  }
  return fmt::format("{}{}, kernel {}", method.name(), changed.empty() ? first : changed, kernel.text());
}

void say_fit(const Session& session, const Model& model) {
  const FitReport& r = model.fitted.report;
  for (const auto& [name, text] : report_lines(r)) session.say_line(name, text);
  if (r.certificate == CertificateKind::kkt_violation)
    session.say_line("vectors", fmt::format("{} support vectors of {} rows, {} of them at the bound",
                                            r.support_vectors, model.rows, r.bounded_support_vectors));
  if (model.fitted.noise_scale) session.say_line("noise", noise_text(*model.fitted.noise_scale));
}

Json fit_json(const Model& model, double read_seconds, double total_seconds) {
  Json json{{"method", model.method->name()},  {"parameters", parameters_json(*model.method)},
            {"kernel", model.kernel().text()}, {"rows", model.rows},
            {"columns", model.columns},        {"classes", model.labels}};
  json.update(report_json(model.fitted.report));
  json.update(Json{
      {"seconds", {{"read", read_seconds}, {"fit", model.fitted.report.seconds}, {"total", total_seconds}}},
      {"peak_memory_mb", peak_memory_mb()},
      {"noise_scale", number(model.fitted.noise_scale)}});
  return json;
}

std::string candidates_text(std::size_t candidates, std::size_t spaces) {
  return counted(candidates, "candidate") + (spaces > 1 ? fmt::format(", {} kernels", spaces) : "");
}

void say_selection(const Session& session, const AutomaticFit& made) {
  const Search& search = made.search;
  const Trial& best = search.trials[search.best];
  if (search.evaluated() > 1) {
    const std::string how =
        best.leave_one_out ? "leave-one-out" : fmt::format("{}-fold cross-validation", search.folds);
    session.say_line(
        "selected",
        fmt::format("best of {}{}: {} {} {:.4g} ({} rows); {:.2g} s{}", evaluated_text(search),
                    search.spaces.size() > 1 ? fmt::format(", {} kernels", search.spaces.size()) : "", how,
                    title_of(search.metric), best.score, best.rows, search.seconds,
                    search.interrupted ? ", interrupted"
                    : search.cut_short ? ", out of time"
                                       : ""));
  }
  if (made.model.scaling.kind() != Scaling::Kind::none)
    session.say_line("scaling", made.model.scaling.kind() == Scaling::Kind::standard ? "standard" : "minmax");
  if (!made.assessed()) return session.say_line("score", "not measured: interrupted");
  const bool classes = metric_named(made.metric).task == Task::classification;
  session.say_line("score", fmt::format("{}, {}", estimate_text(made.metric, made.score), made.scored_on));
  session.say_line("baseline", fmt::format("{}, {}", estimate_text(made.metric, made.baseline),
                                           classes ? "most frequent class" : "mean of the target"));
}

Json selection_json(const AutomaticFit& made) { return Json::parse(json_of(made)); }

std::string interruption_text(const AutomaticFit& made, std::size_t rows, bool report) {
  const Search& search = made.search;
  const bool whole = made.model.rows == rows;
  std::string text = fmt::format("interrupted during the {}; ",
                                 made.interrupted ? phase_texts[int(*made.interrupted)] : "report"),
              missing;
  if (made.interrupted == FitPhase::search)
    text += fmt::format("kept the best of {} of {}, fitted on all {} rows",
                        counted(search.evaluated(), "candidate"),
                        std::max(search.planned, search.evaluated()), rows);
  else
    text += whole ? fmt::format("kept the model of all {} rows", rows)
                  : fmt::format("kept a model of {} of {} rows", made.model.rows, rows);
  if (!made.model.fitted.report.converged) text += ", not converged";
  const auto miss = [&](const std::string& what) { missing += (missing.empty() ? "" : ", ") + what; };
  if (made.interrupted == FitPhase::search) miss("the rest of the search");
  if (!whole) miss("the fit on all rows");
  if (made.interrupted && !made.assessed()) miss("the score");
  if (report) miss("the report");
  return text + (missing.empty() ? "" : "; not done: " + missing);
}

}  // namespace mercer::cli
